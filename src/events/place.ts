/** Where a row stands: kept as a program takes it, and said as people look it up. */

import type { RowRef } from "./events.js";

/** The row that an item of a source was read from. */
export function rowOf(file: string, { number, line }: Pick<RowRef, "number" | "line">): RowRef {
  return { file, number, line };
}

/** "row 7 (line 8)", and "row 7" where no line is known: an editor counts the header and line breaks inside of a row, too. */
export function rowText({ number, line }: Pick<RowRef, "number" | "line">): string {
  return `row ${number}${line === undefined ? "" : ` (line ${line})`}`;
}

/** "users.csv, row 7 (line 8)": not `users.csv:7`, which an editor takes for a line. */
export function placeOf(row: RowRef): string {
  return `${row.file}, ${rowText(row)}`;
}
