/** Writes rows as firebase-tools does (src/accountExporter.ts, `transUserToArray`), with its quoting and without any of its own. */

/** Names, which are quoted where they hold a comma, and nothing in them is escaped. */
const NAMES = [5, 9, 13, 17, 21, 30, 34, 38, 42, 46, 50];
const CLAIMS = 27;

/**
 * @param columns texts by index; others are empty
 * @param width 52, or 28 for older versions
 */
export function writeRow(columns: ReadonlyMap<number, string>, width = 52): string {
  const row = Array.from({ length: width }, (_, index) => columns.get(index) ?? "");
  for (const name of NAMES) if (row[name]?.includes(",")) row[name] = `"${row[name]}"`;
  if (row[CLAIMS]) row[CLAIMS] = `"${row[CLAIMS].replace(/(?<!\\)"/g, '""')}"`;
  return `${row.join(",")},\n`;
}

/** A user with the columns that every user has. */
export function writeUser(id: string, more: readonly (readonly [number, string])[] = []): string {
  return writeRow(
    new Map([
      [0, id],
      [1, `${id}@example.com`],
      [2, "true"],
      [23, "1693562400000"],
      [24, "1704164645000"],
      [26, "false"],
      ...more,
    ]),
  );
}
