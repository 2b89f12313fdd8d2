/** Indexes a table by how the texts of its rows start, so that a text is compared with a few rows instead of all. */

const DOLLAR = 0x24;

/**
 * The index's key for a text: the code of its first character. Most hashes start with `$`; their
 * key is minus the code of the second. NaN for a text without these characters.
 */
export function openingOf(text: string): number {
  const first = text.charCodeAt(0);
  return first === DOLLAR ? -text.charCodeAt(1) : first;
}

/**
 * @param openings what a text of that row may start with
 * @returns the rows by {@link openingOf}, in the table's order
 */
export function byOpening<Row>(
  rows: readonly Row[],
  openings: (row: Row) => readonly string[],
): ReadonlyMap<number, readonly Row[]> {
  const index = new Map<number, Row[]>();
  for (const row of rows) {
    for (const opening of new Set(openings(row).map(openingOf))) {
      const sharing = index.get(opening);
      if (sharing === undefined) index.set(opening, [row]);
      else sharing.push(row);
    }
  }
  return index;
}
