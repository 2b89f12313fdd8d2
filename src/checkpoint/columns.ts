/** What tables and columns a checkpoint has that is read as it is: one of an older version has fewer. */

import type { Database } from "../sqlite/database.js";

/** @returns false also where there is no such table */
export function hasColumn(database: Database, table: string, column: string): boolean {
  const columns = database.prepare<[string]>("SELECT name FROM pragma_table_info(?)").all(table);
  return columns.some(([name]) => name === column);
}
