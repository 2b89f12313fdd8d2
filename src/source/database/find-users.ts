/** Whose tables a database has: the users' table of each known system is found by its columns, as a file is by its header. */

import { RunError } from "../../errors/run-error.js";
import type { DatabasePart } from "../mapping/database-part.js";
import { showNames } from "../show-name.js";
import type { Source } from "../source.js";
import type { DatabaseKind, Table } from "./database.js";
import { type Tables, type UsersQuery, usersQuery } from "./query.js";

/** A system whose users are in the database, and where. */
export interface SystemUsers {
  readonly source: Source;
  readonly part: DatabasePart;
  readonly table: Table;
  /** What stands before the names of its tables. */
  readonly prefix: string;
}

/**
 * The users' tables of a system.
 *
 * @param name of the table, where the operator gives it: then no other counts
 */
export function usersOf(
  source: Source,
  tables: readonly Table[],
  name?: Table | undefined,
): readonly SystemUsers[] {
  const { database } = source;
  if (database === undefined) return [];
  const { part, recognize, anyCase } = database;
  const fitting = (name === undefined ? tables : [name]).flatMap((table) => {
    const prefix = table.name.endsWith(part.table) ? table.name.slice(0, -part.table.length) : "";
    const found = { source, part, table, prefix: part.prefix === "" ? "" : prefix };
    const isNamed = part.prefix === "" || table.name.endsWith(part.table);
    const isIt = recognize.some((list) => fits(list, found, tables, anyCase));
    return isNamed && isIt ? [found] : [];
  });
  const usual = `${part.prefix}${part.table}`;
  const own = fitting.filter(({ table }) => table.name === usual);
  return own.length > 0 ? own : fitting;
}

/** Whether a table has all columns of a list; `accounts[].provider` is one of a table beside it. */
function fits(
  list: readonly string[],
  { part, table, prefix }: SystemUsers,
  tables: readonly Table[],
  anyCase: boolean,
): boolean {
  const cased = (name: string): string => (anyCase ? name.toLowerCase() : name);
  const has = ({ columns }: Table, name: string): boolean =>
    columns.some((column) => cased(column.name) === cased(name));
  return list.every((entry) => {
    const [beside = "", column] = entry.split("[].");
    if (column === undefined) {
      return entry.startsWith("!") ? !has(table, entry.slice(1)) : has(table, entry);
    }
    const other = part.beside[beside];
    const own = other?.columns.find(([name]) => name === column)?.[1] ?? column;
    const its = tables.find(({ name }) => name === `${prefix}${other?.table}`);
    return its !== undefined && has(its, own);
  });
}

/**
 * The one system that a database is of.
 *
 * @throws RunError `input_unrecognized` where there are several
 */
export function onlySystem(found: readonly SystemUsers[], database: string): SystemUsers | null {
  const [first, ...others] = found;
  if (first === undefined) return null;
  if (others.length === 0) return first;
  const names = found.map(({ table, source }) => `${table.schema}.${table.name} (${source.name})`);
  const isOne = others.every(({ source }) => source === first.source);
  throw new RunError(
    "input_unrecognized",
    `The database ${database} could be read in several ways: ${showNames(names)}`,
    {
      hint: isOne
        ? `Say which table: --table ${first.table.schema}.${first.table.name}.`
        : `Say whose users are read: --from ${first.source.name}.`,
    },
  );
}

/**
 * The query over a system's tables.
 *
 * @throws RunError `input_unreadable` for a table that may not be read; `input_unrecognized` for one
 *   without a column that says how to read it
 */
export function queryOf(
  { part, table, prefix }: SystemUsers,
  all: readonly Table[],
  { kind, database }: { readonly kind: DatabaseKind; readonly database: string },
): UsersQuery {
  const tables: Tables = {
    find(name) {
      const named = all.filter((one) => one.name === `${prefix}${name}`);
      const found =
        named.find(({ schema }) => schema === table.schema) ?? named.find(({ isNear }) => isNear);
      if (found !== undefined) requireReadable(found, database);
      return found ?? null;
    },
    has: ({ columns }, name) => columns.some((column) => column.name === name),
  };
  const missing = (name: string): RunError =>
    new RunError("input_unrecognized", `The database ${database} lacks ${name}`, {
      hint: "It is of another version: auth-migrate check-source --print-query shows what is asked. Change that, and give it by --query.",
    });
  return usersQuery(part, table, tables, { kind, missing });
}

/** The query over tables as the system itself names them, where there is no database to look at. */
export function usualQuery(part: DatabasePart, kind: DatabaseKind): string {
  const tableOf = (name: string, key: readonly string[]): Table => ({
    schema: part.schema ?? "",
    name: `${part.prefix}${name}`,
    columns: [],
    key,
    isReadable: true,
    isNear: part.schema === undefined,
  });
  const tables: Tables = { find: (name) => tableOf(name, []), has: () => true };
  const missing = (name: string): Error => new Error(`${name} is always there`);
  return usersQuery(part, tableOf(part.table, [part.key]), tables, { kind, missing }).sql;
}

/** @throws RunError `input_unreadable` */
export function requireReadable({ schema, name, isReadable }: Table, database: string): void {
  if (isReadable) return;
  throw new RunError(
    "input_unreadable",
    `The database ${database} doesn't let this user read ${schema}.${name} whole`,
    { hint: `Grant it: GRANT USAGE ON SCHEMA ${schema}; GRANT SELECT ON ${schema}.${name}.` },
  );
}
