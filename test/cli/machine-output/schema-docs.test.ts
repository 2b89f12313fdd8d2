import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../laws/source-files.js";
import { fieldNames, readSchemas } from "./schemas.js";

const SCHEMAS = readSchemas();
const PAGE = readFileSync(join(ROOT, "docs/json.md"), "utf8");

/** Where docs/json.md speaks of each line: the headings of sections. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  reject: ["While it runs"],
  skip: ["While it runs"],
  prediction: ["While it runs"],
  failure: ["While it runs"],
  finding: ["While it runs"],
  columns: ["While it runs"],
  field: ["While it runs"],
  progress: ["While it runs"],
  queue: ["While it runs"],
  pause: ["While it runs"],
  proof: ["While it runs"],
  difference: ["While it runs"],
  setup: ["While it runs", "At the end"],
  listening: ["While it runs"],
  "import-summary": ["At the end"],
  "validate-summary": ["At the end"],
  "prove-summary": ["At the end"],
  error: ["At the end"],
  "reconcile-summary": ["At the end", "reconcile"],
  status: ["status"],
  doctor: ["doctor", "At the end"],
  report: ["report", "status", "At the end"],
  id: ["report"],
  undo: ["report"],
  written: ["report"],
  cutover: ["cutover"],
  purge: ["checkpoint purge", "cutover"],
  checked: ["check-source"],
  vault: ["bridge"],
  split: ["split", "At the end"],
  "hash-accepted": ["hash"],
  "hash-refused": ["hash"],
  "hash-none": ["hash"],
};

/** Tables of fields, by what stands in their first head cell, and the lines that they are of. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  "field of `summary`": ["import-summary", "validate-summary"],
  "field of `prove`'s `summary`": ["prove-summary"],
  "field of `error`": ["error"],
  "field of `reconcile`'s `summary`": ["reconcile-summary"],
};

/** Those of the sections in which the only table of fields needs no longer name. */
const TABLES_BY_SECTION: Readonly<Record<string, readonly string[]>> = {
  status: ["status"],
  hash: ["hash-accepted", "hash-refused", "hash-none"],
};

/** The text below a heading of the second level, with what is below its own headings. */
function section(heading: string): string {
  const found = PAGE.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  if (found === undefined) throw new Error(`docs/json.md has no section ${heading}`);
  return found;
}

/** Names in code style, `ready.import` as its parts. */
function named(text: string): Set<string> {
  const spans = [...text.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span);
  return new Set(spans.flatMap((span) => span.match(/\w+/g) ?? []));
}

/** The first cells below a table's head. */
function firstCells(text: string, head: string): string[] {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${head} |`));
  if (start === -1) throw new Error(`no table begins with ${head}`);
  const rows = lines.slice(start + 2);
  const end = rows.findIndex((line) => !line.startsWith("|"));
  return rows.slice(0, end === -1 ? undefined : end).map((row) => row.split("|")[1] ?? "");
}

function fieldsOf(names: readonly string[]): string[] {
  return names.flatMap((name) => fieldNames(SCHEMAS[`${name}.json`] ?? {}));
}

describe("docs/json.md", () => {
  it("has a place for every line", () => {
    const lines = Object.keys(SCHEMAS).filter((name) => name !== "line.json");
    expect(
      Object.keys(SECTIONS)
        .map((name) => `${name}.json`)
        .sort(),
    ).toEqual(lines.sort());
  });

  it.each(Object.entries(SECTIONS))("names every field of %s", (name, headings) => {
    // Every line has these two, and the page says so at its top.
    const known = new Set(["type", "v", ...named(headings.map(section).join("\n"))]);
    expect(fieldsOf([name]).filter((field) => !known.has(field))).toEqual([]);
  });

  it.each([
    ...Object.entries(TABLES).map(([head, names]) => ({ head, names, text: PAGE })),
    ...Object.entries(TABLES_BY_SECTION).map(([heading, names]) => ({
      head: "field",
      names,
      text: section(heading),
    })),
  ])("has no field in its table of $names.0 that there isn't", ({ head, names, text }) => {
    const documented = firstCells(text, head).flatMap((cell) => [...named(cell)]);
    expect(documented.length).toBeGreaterThan(2);
    const known = fieldsOf(names);
    expect(documented.filter((field) => !known.includes(field))).toEqual([]);
  });

  it("has no field in its table of events that there isn't", () => {
    const rows = section("While it runs").match(/^\| `\w+` \|.*$/gm) ?? [];
    const events = rows.filter(
      (row) =>
        `${
          named(row.split("|")[1] ?? "")
            .values()
            .next().value
        }.json` in SCHEMAS,
    );
    expect(events.length).toBeGreaterThan(8);
    for (const row of events) {
      const [, type = "", , fields = ""] = row.split("|");
      const [name = ""] = named(type);
      // What stands in brackets explains a field, and codes have an underscore.
      const documented = [...named(fields.replace(/\([^()]*(?:\([^()]*\)[^()]*)*\)/g, ""))];
      const known = fieldsOf([name]);
      const unknown = documented.filter((field) => !field.includes("_") && !known.includes(field));
      expect(unknown, name).toEqual([]);
    }
  });
});
