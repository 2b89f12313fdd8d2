/** Whether a checkpoint has a column: one of an older version is read as it is, and has fewer. And statements by name. */

import type { Database, Statement } from "../sqlite/database.js";

/** As `users.state`. They are the same for as long as a database is open. */
const COLUMNS = new WeakMap<Database, ReadonlySet<string>>();

/** @returns false also where there is no such table */
export function hasColumn(database: Database, table: string, column: string): boolean {
  const columns = COLUMNS.get(database) ?? columnsIn(database);
  COLUMNS.set(database, columns);
  return columns.has(`${table}.${column}`);
}

/** A reader asks for a dozen of them, and a statement for each is a fifth of what `status` takes. */
function columnsIn(database: Database): ReadonlySet<string> {
  const names = database.prepare<[string]>(
    `SELECT t.name || '.' || c.name FROM sqlite_master t, pragma_table_info(t.name) c
     WHERE t.type = 'table'`,
  );
  return new Set(names.all().map(([name]) => name));
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
