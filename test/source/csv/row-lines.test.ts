/** Rows of a table as JSON lines: what a database's rejects are, and what `row_to_json` writes. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCsv, detectLayout } from "../../../src/source/csv/csv.js";
import { detectSource } from "../../../src/source/detect.js";
import { objectInText } from "../../../src/source/json/json-value.js";
import { SOURCES } from "../../../src/source/registry.js";
import type { Reason } from "../../../src/source/raw/raw-row.js";
import type { ReadOptions, Source, SourceItem } from "../../../src/source/source.js";
import { repeated } from "../../support/repeated.js";
import { fixturesOf } from "../fixtures.js";
import { headOf } from "../read-users.js";
import { collect, pieces } from "../support.js";

type Row = Exclude<SourceItem, { readonly kind: "truncated" }>;
type Cell = string | null;

const RUNS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 5, full: 200 });
const REASON: Reason = { code: "some_code", hint: 'Mend it: "this".', row: "row 7 of app.users" };

/** Tables of all systems whose rows are read from a database, and of no known one. */
const TABLES = SOURCES.filter(({ database, name }) => database !== undefined || name === "csv")
  .flatMap((source) => fixturesOf(source).map((fixture) => ({ ...fixture, source })))
  .filter(({ bytes }) => !/^\s*[[{]/.test(bytes.toString("utf8", 0, 99)));

/** A table's header and cells; a database's NULL is none of them. */
async function tableOf(bytes: Buffer) {
  const head = headOf(bytes.toString().replace(/^\uFEFF/, ""));
  const layout = detectLayout(head);
  if (layout === null) throw new Error("it is no table");
  const rows = (await collect(readCsv([Buffer.from(head.text)], layout))).filter(Array.isArray);
  return { header: layout.header.map((name) => name.trim()), rows: rows as Cell[][] };
}

/** As a database writes it (RFC 4180): NULL is nothing, an empty text is quoted. */
function csvOf(header: readonly string[], rows: readonly (readonly Cell[])[]): Buffer {
  const line = (cells: readonly Cell[]): string =>
    cells.map((cell) => (cell === null ? "" : `"${cell.replaceAll('"', '""')}"`)).join(",");
  return Buffer.from([header, ...rows].map((cells) => `${line(cells)}\n`).join(""));
}

async function read(source: Source, bytes: Buffer, options: ReadOptions): Promise<Row[]> {
  const given = { ...options, keepsRaw: true, keepsAccount: "all" } as const;
  const items = await collect(source.read("users", pieces(bytes, 997), given));
  return items.flatMap((item) => (item.kind === "truncated" ? [] : [item]));
}

function rejectsOf(rows: readonly Row[]): string {
  const raws = rows.flatMap((row) => row.raw?.() ?? []);
  return raws.map((raw) => raw.form.write(raw, REASON)).join("");
}

function saysOf(row: Row): unknown {
  if (row.kind === "record") return { ...row.record, account: row.record.account?.() };
  const { code, sourceId, hint } = row;
  return { code, sourceId, hint };
}

/** What may stand in a column in place of what does: nothing, an empty text, an id of 64 bits, lines, quotation marks. */
const OTHERS: readonly ((cell: Cell) => Cell)[] = [
  (cell) => cell,
  () => null,
  () => "",
  (cell) => (/^\d+$/.test(cell ?? "") ? "9007199254740993" : cell),
  (cell) => (cell?.includes("@") === true ? cell : `${cell} "a",\n\\N {b}`),
];

describe.each(TABLES)("$source.name's $file", ({ source, bytes, options }) => {
  it("as rejects of a database are the same users again, and once more", async () => {
    const { header, rows } = await tableOf(bytes);
    const changed = fc.array(fc.constantFrom(...OTHERS), {
      minLength: header.length,
      maxLength: header.length,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(changed, { minLength: 1, maxLength: 4 }), async (changes) => {
        const others = rows.map((row, at) =>
          row.map((cell, column) => changes[at % changes.length]?.[column]?.(cell || null) ?? null),
        );
        const csv = csvOf(header, [
          ...rows.map((row) => row.map((cell) => cell || null)),
          ...others,
        ]);
        const before = await read(source, csv, { ...options, hasLines: false });
        const lines = rejectsOf(before);
        expect(
          lines
            .split("\n")
            .filter((line) => line !== "")
            .map((line) => Object.keys(JSON.parse(line))[1]),
        ).not.toContain(undefined);
        const again = await read(source, Buffer.from(lines), options);
        expect(again.map(saysOf)).toEqual(before.map(saysOf));
        // Read once more, the same text is the same users.
        expect(rejectsOf(again)).toBe(lines);
        if (options.map.size === 0)
          expect(detectSource(headOf(lines)).source.name).toBe(source.name);
      }),
      { numRuns: RUNS },
    );
  });

  it("as `row_to_json` writes it is the same users", async () => {
    if (source.generic) return;
    const { header, rows } = await tableOf(bytes);
    const isNumber = header.map(
      (name, at) =>
        !/phone|mobile|zone/i.test(name) &&
        rows.every((row) => isNull(row[at]) || /^-?(?:0|[1-9]\d{0,14})$/.test(row[at] ?? "")),
    );
    const objects = rows.map((row) =>
      Object.fromEntries(header.map((name, at) => [name, typed(row[at], isNumber[at])])),
    );
    const lines = objects.map((one) => `${JSON.stringify(one)}\n`).join("");
    const csv = csvOf(
      header,
      rows.map((row) => row.map((cell) => (isNull(cell) ? null : cell))),
    );
    const before = await read(source, csv, options);
    expect(detectSource(headOf(lines)).source.name).toBe(source.name);
    const again = await read(source, Buffer.from(lines), options);
    expect(again.map(saysOf).map(asTexts)).toEqual(before.map(saysOf).map(asTexts));
  });
});

function isNull(cell: Cell | undefined): boolean {
  return ["", "NULL", "\\N", null, undefined].includes(cell);
}

/** As PostgreSQL has it in JSON. */
function typed(cell: Cell | undefined, isNumber = false): unknown {
  if (cell === undefined || cell === null || isNull(cell)) return null;
  if (isNumber) return Number(cell);
  if (/^[tf]$/.test(cell)) return cell === "t";
  return objectInText(cell) ?? cell;
}

/** Numbers and flags of an application's own go along as they stand, and people are told what stands there. */
function asTexts(row: unknown): unknown {
  const plain = (value: unknown): unknown =>
    typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  const text = JSON.stringify({ ...Object(row), because: null }, (_name, value) => plain(value));
  return JSON.parse(text);
}
