/** Whether a checkpoint has a column: one of an older version is read as it is, and has fewer. And statements by name. */

import type { Database, Statement } from "../sqlite/database.js";

/** @returns false also where there is no such table */
export function hasColumn(database: Database, table: string, column: string): boolean {
  const columns = database.prepare<[string]>("SELECT name FROM pragma_table_info(?)").all(table);
  return columns.some(([name]) => name === column);
}

/** Prepares all statements of a table of them. */
export function prepareAll<Name extends string>(
  database: Database,
  texts: Readonly<Record<Name, string>>,
): Readonly<Record<Name, Statement>> {
  const names = Object.entries<string>(texts);
  const prepared = names.map(([name, text]) => [name, database.prepare(text)]);
  return Object.fromEntries(prepared) as Record<Name, Statement>;
}
