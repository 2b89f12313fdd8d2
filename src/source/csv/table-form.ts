/** Rejects of a table as a table of the same columns and ours behind them, always sound CSV (RFC 4180). Rows are true to the byte: nothing is put before what a spreadsheet would run. */

import type { CsvLayout } from "./csv-rows.js";
import { fieldsOf } from "./csv-fields.js";
import type { RawForm } from "../raw/raw-row.js";
import { rowLinesForm } from "./row-lines.js";

/** No vendor's columns are named so, and no source reads what is. */
const OURS = "auth_migrate_";
const CODE = `${OURS}code`;
const HINT = `${OURS}hint`;
const ROW = `${OURS}row`;
/** Holds the text of a row that isn't one; while it is filled, the row is rejected. */
const TEXT = `${OURS}text`;
/** Before the name of a column of flags that the whole export showed to hold points in time. */
const TIME = `${OURS}time:`;

/** What a row that was too large leaves behind: it must not read as an empty one. */
const NOT_KEPT = "(too large to be kept)";

/** Spreadsheets take a table without it for one of the country's own encoding. */
const MARK = "\uFEFF";

const NEEDS_QUOTES = /[",;|\t\r\n]|^\s|\s$/;

/** Whether a column is one of a file of rejects, and no user's. */
export function isOurColumn(name: string): boolean {
  return name.trim().startsWith(OURS);
}

/**
 * Where a table of rejects holds the `text` of rows that aren't mended yet, or says of a `row` where
 * it stood in the export; -1 in any other table.
 */
export function ourColumn(header: readonly string[], of: "text" | "row"): number {
  return header.findIndex((name) => name.trim() === `${OURS}${of}`);
}

/** The names of columns that are known to hold points in time, though no row may show it; null for a table that isn't one of rejects. */
export function knownTimes({ header, of }: CsvLayout): readonly string[] | null {
  if (of !== "lines" && !header.some(isOurColumn)) return null;
  const names = header.map((name) => name.trim()).filter((name) => name.startsWith(TIME));
  return names.map((name) => name.slice(TIME.length));
}

/** {@link knownTimes}, as names of columns. */
export function timeColumns(times: readonly string[]): readonly string[] {
  return times.map((name) => TIME + name);
}

/** @param times names of columns that were found to hold points in time */
export function tableForm(layout: CsvLayout, times: readonly string[] = []): RawForm {
  if (layout.of !== undefined) return rowLinesForm(layout, times);
  const { delimiter, lineEnd, header } = layout;
  const names = header.map((name) => name.trim());
  const wanted = [CODE, HINT, ROW, TEXT, ...timeColumns(times)];
  const missing = wanted.filter((name) => !names.includes(name));
  const known = wanted.some((name) => names.includes(name));
  const join = (cells: readonly string[]): string => cells.map(quoted).join(delimiter);
  const noTimes = delimiter.repeat(times.length);
  const opening = `${MARK}${join([...header, ...missing])}${lineEnd}`;

  return {
    key: JSON.stringify(["table", delimiter, lineEnd, header, times]),
    opening,
    write(raw, reason) {
      const { code, hint, row } = reason;
      const broken = raw.state === "broken" ? raw.text || NOT_KEPT : "";
      const cells = [code, hint, row, broken];
      if (raw.state === "whole" && !known) {
        return `${raw.text}${delimiter}${join(cells)}${noTimes}${lineEnd}`;
      }
      const cellOf = (name = ""): string | undefined => cells[wanted.indexOf(name)];
      const added = missing.map((name) => cellOf(name) ?? "");
      const fields = raw.state === "broken" ? header.map(() => "") : fieldsOf(raw.text, layout);
      const own =
        raw.state === "held" ? fields : fields.map((field, index) => cellOf(names[index]) ?? field);
      return join([...own, ...added]) + lineEnd;
    },
  };
}

function quoted(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
