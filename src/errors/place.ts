/** Where a row stands: kept as a program takes it, and said as people look it up. */

/** Rows that are counted beside the users, in words. */
export const OTHER_ROWS = "that can't be read, or whose user or contact is counted already";

/** A row, and its line where one is known. */
interface Row {
  readonly number: number;
  readonly line?: number | undefined;
}

interface RowOfFile extends Row {
  readonly file: string;
  /** Of a file of rejects: the row of the export that stands here. */
  readonly origin?: RowOfFile | undefined;
}

/** The row that an item of a source was read from, which may name its origin in words. */
export function rowOf(
  file: string,
  { number, line, origin }: Row & { readonly origin?: string | undefined },
): RowOfFile {
  const first = origin === undefined ? null : rowNamed(origin);
  return first === null ? { file, number, line } : { file, number, line, origin: first };
}

/** A row as the key of a map. */
export function rowKey({ file, number }: Pick<RowOfFile, "file" | "number">): string {
  return `${number} ${file}`;
}

/** "row 7 (line 8)", and "row 7" where no line is known: an editor counts the header and line breaks inside of a row, too. */
export function rowText({ number, line }: Row): string {
  return `row ${number}${line === undefined ? "" : ` (line ${line})`}`;
}

/** "users.csv, row 7 (line 8)": not `users.csv:7`, which an editor takes for a line. */
export function placeOf(row: RowOfFile): string {
  return `${row.file}, ${rowText(row)}`;
}

/** "row 7 (line 8) of users.csv", as files of rejects say it; of a row of such a file, the row of the export. */
export function originText(row: RowOfFile): string {
  const place = row.origin ?? row;
  return `${rowText(place)} of ${place.file}`;
}

const NAMED = /^row (\d+)(?: \(line (\d+)\))? of (.+)$/s;

/** The row of {@link originText}; null for another text, as a person may have written it. */
function rowNamed(text: string): RowOfFile | null {
  const [, number, line, file] = NAMED.exec(text) ?? [];
  if (number === undefined || file === undefined) return null;
  return { file, number: Number(number), line: line === undefined ? line : Number(line) };
}
