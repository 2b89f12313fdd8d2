/** Where a row stands: kept as a program takes it, and said as people look it up. */

/** A row, and its line where one is known. */
interface Row {
  readonly number: number;
  readonly line?: number | undefined;
}

/** The row that an item of a source was read from. */
export function rowOf(file: string, { number, line }: Row): Row & { readonly file: string } {
  return { file, number, line };
}

/** "row 7 (line 8)", and "row 7" where no line is known: an editor counts the header and line breaks inside of a row, too. */
export function rowText({ number, line }: Row): string {
  return `row ${number}${line === undefined ? "" : ` (line ${line})`}`;
}

/** "users.csv, row 7 (line 8)": not `users.csv:7`, which an editor takes for a line. */
export function placeOf(row: Row & { readonly file: string }): string {
  return `${row.file}, ${rowText(row)}`;
}
