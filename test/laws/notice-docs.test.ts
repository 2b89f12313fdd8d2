import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, sourceFiles } from "./source-files.js";

/** Rooms in which notices come about. */
const ROOMS = [
  "contact",
  "account",
  "source",
  "hash",
  "events",
  "stage",
  "plan",
  "run",
  "password-export",
];

/** What a notice's code ends in; one that ends otherwise shows itself in a fixture. */
const NOTICE =
  /\b([a-z]{2}\w*_(?:not_migrated|not_exported|dropped|removed|assumed|required|replaced|conflict|possible|needed))\b/g;

/** What two systems call a column. */
const NO_NOTICE = "password_change_required";

const FILES = sourceFiles();
const MAPPINGS = readdirSync(join(ROOT, "mappings")).map((file) =>
  readFileSync(join(ROOT, "mappings", file), "utf8").replaceAll(NO_NOTICE, ""),
);
const CODE = [
  ...FILES.filter(({ room }) => ROOMS.includes(room)).map(({ code }) => code),
  ...MAPPINGS,
].join("\n");

/** The codes that the list of docs/json.md has under "Notices". */
function documented(): string[] {
  const page = readFileSync(join(ROOT, "docs/json.md"), "utf8");
  const section = page.slice(page.indexOf("\n### Notices\n")).split("\n## ")[0] ?? "";
  const starts = section.match(/^- `[^:]+:/gm) ?? [];
  return starts.flatMap((start) =>
    [...start.matchAll(/`(\w+)`/g)].flatMap(([, code]) => code ?? []),
  );
}

function codesIn(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].flatMap(([, code]) => code ?? []))];
}

/** Notices of the records that the fixtures expect. */
function expectedNotices(): string[] {
  const folder = join(ROOT, "fixtures/sources");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const pages = names.filter((name) => name.endsWith(".expected.json"));
  const lists = pages.flatMap((name) =>
    codesIn(readFileSync(join(folder, name), "utf8"), /"notices":\s*\[([^\]]*)\]/g),
  );
  return codesIn(lists.join("\n"), /"(\w+)"/g);
}

describe("the list of notices", () => {
  it("has every notice that the code gives", () => {
    const given = codesIn(CODE, NOTICE);
    expect(given.length).toBeGreaterThan(15);
    const known = documented();
    expect(given.filter((code) => !known.includes(code))).toEqual([]);
  });

  it("has every notice of the fixtures", () => {
    const notices = expectedNotices();
    expect(notices.length).toBeGreaterThan(5);
    const known = documented();
    expect(notices.filter((code) => !known.includes(code))).toEqual([]);
  });

  it("has each once, none that the code doesn't give, and no more than 40", () => {
    const known = documented();
    expect(known.length).toBeLessThanOrEqual(40);
    expect(new Set(known).size).toBe(known.length);
    expect(known.filter((code) => !new RegExp(`\\b${code}\\b`).test(CODE))).toEqual([]);
  });
});
