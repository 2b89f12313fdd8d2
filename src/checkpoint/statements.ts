/** Statements by name. */

import type { Database, Statement } from "../sqlite/database.js";

/** Prepares all statements of a table of them. */
export function prepareAll<Name extends string>(
  database: Database,
  texts: Readonly<Record<Name, string>>,
): Readonly<Record<Name, Statement>> {
  const names = Object.entries<string>(texts);
  const prepared = names.map(([name, text]) => [name, database.prepare(text)]);
  return Object.fromEntries(prepared) as Record<Name, Statement>;
}
