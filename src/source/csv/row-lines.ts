/** Rows of a table as objects, one a line, as `row_to_json` writes them: the rejects of a database, whose values keep what CSV has no sign for. */

import { closingQuote, isNestedDeeper } from "../../hash/json-text.js";
import { isObject, MOST_LEVELS, objectInText, parseJson, textOf } from "../json/json-value.js";
import { readNdjson } from "../json/ndjson.js";
import { jsonForm, OURS } from "../raw/json-form.js";
import { type RawForm, type RowBatch, withRaw } from "../raw/raw-row.js";
import { RowDamage } from "../row-damage.js";
import type { FileHead } from "../source.js";
import { cellsOf } from "./csv-fields.js";
import type { CsvLayout } from "./csv-rows.js";

/** Rows enough to see all columns, where NULLs are left out. */
const MAX_SAMPLES = 200;

const OTHER_COLUMN = new RowDamage(
  "row_malformed",
  "The row has a column that the rows at the file's start don't have; mend it in the export and import the row again.",
);

/** @returns the names of the columns; none where no line is whole */
export function columnsOfLines({ text }: FileHead): readonly string[] {
  const rows = text.split("\n", MAX_SAMPLES).map(rowIn);
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** The row of a line, also of one that isn't mended; empty where there is none. */
function rowIn(line: string): object {
  const value = parseJson(line);
  if (!isObject(value)) return {};
  const { [OURS]: ours, ...row } = value;
  return isObject(ours) && typeof ours.text === "string" ? rowIn(ours.text) : row;
}

/** Reads them as the table's rows are read, a text a cell. */
export async function* readRowLines(
  bytes: AsyncIterable<Buffer> | Iterable<Buffer>,
  { header }: CsvLayout,
  form: RawForm,
): AsyncGenerator<RowBatch<readonly string[]>> {
  const known = new Set(header);
  for await (const lines of readNdjson(bytes)) {
    const { raw } = lines;
    const rows = lines.map((row, index) => {
      if (row instanceof RowDamage) return row;
      if (Object.keys(row).some((name) => !known.has(name))) return OTHER_COLUMN;
      return cellsIn(row, raw?.at(index).text ?? "", header);
    });
    yield withRaw(rows, raw && { ...raw, form });
  }
}

function cellsIn(row: object, line: string, header: readonly string[]): readonly string[] {
  let members: ReadonlyMap<string, string> | null = null;
  return header.map((name) => {
    const value: unknown = Reflect.get(row, name);
    const text = typeof value === "number" ? null : textOf(value);
    if (text !== null) return text;
    // Of a number and of JSON what stands there: its last digits count.
    members ??= membersOf(line);
    return members.get(name) ?? "";
  });
}

const SIGN = /["[\]{},:]/g;

/** The members of an object's text, each as it stands there. */
function membersOf(text: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  let [depth, name, from] = [1, "", text.indexOf("{") + 1];
  SIGN.lastIndex = from;
  for (let found = SIGN.exec(text); found !== null; found = SIGN.exec(text)) {
    const [[sign], { index }] = [found, found];
    const isOwn = depth === 1;
    if (sign === '"') SIGN.lastIndex = closingQuote(text, index + 1) + 1;
    else if (sign === "{" || sign === "[") depth += 1;
    else {
      if (sign === "}" || sign === "]") depth -= 1;
      if (!isOwn) continue;
      const part = text.slice(from, index).trim();
      if (sign === ":") name = String(parseJson(part));
      else members.set(name, part);
      from = index + 1;
    }
  }
  return members;
}

/** @param times names of columns that were found to hold points in time */
export function rowLinesForm(layout: CsvLayout, times: readonly string[]): RawForm {
  const lines = jsonForm({ times, expected: [] }, true);
  return {
    ...lines,
    key: JSON.stringify(["rows", layout.header, times]),
    write(raw, reason) {
      const text = layout.of === "lines" ? raw.text : objectText(raw.text, layout);
      return lines.write({ ...raw, text }, reason);
    },
  };
}

/** A row of CSV as its object; as it stands where it has other columns than the header. */
function objectText(text: string, layout: CsvLayout): string {
  const { header } = layout;
  const cells = cellsOf(text, layout);
  if (cells.length !== header.length) return text;
  const members = header.flatMap((name, at) =>
    header.indexOf(name) === at ? `${JSON.stringify(name)}:${valueText(cells[at] ?? null)}` : [],
  );
  return `{${members.join(",")}}`;
}

/** JSON as it stands, so that people can mend it; anything else as a text. */
function valueText(cell: string | null): string {
  const isPlain = cell === null || cell.includes("\n") || objectInText(cell) === null;
  return isPlain || isNestedDeeper(cell, MOST_LEVELS - 1) ? JSON.stringify(cell) : cell;
}
