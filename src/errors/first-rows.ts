/** The first few rows of many, which stand for all of them where they are told. Pure. */

interface Row {
  readonly file: string;
  readonly number: number;
}

/** Rows kept as examples. */
export const EXAMPLES = 3;

/** Keeps the first few rows of each file, and the files by name, in whichever order they come: calls end in another one each time. */
export function keepFirst<R extends Row>(rows: R[], row: R, most = EXAMPLES): void {
  let at = rows.length;
  while (at > 0 && isBefore(row, rows[at - 1])) at -= 1;
  if (at === most) return;
  rows.splice(at, 0, row);
  if (rows.length > most) rows.pop();
}

export function isBefore(row: Row | undefined, other: Row | undefined): boolean {
  if (row === undefined || other === undefined) return false;
  return row.file === other.file ? row.number < other.number : row.file < other.file;
}

/** The first few of some rows. */
export function firstOf<R extends Row>(rows: readonly R[]): R[] {
  const first: R[] = [];
  for (const row of rows) keepFirst(first, row);
  return first;
}
