/** Whose tables a database has: the users' table of each known system is found by its columns, as a file is by its header. */

import { optionName } from "../../errors/option-name.js";
import { RunError } from "../../errors/run-error.js";
import type { DatabasePart, Tenants } from "../mapping/database-part.js";
import { showNames } from "../show-name.js";
import type { Source } from "../source.js";
import type { DatabaseKind, Table } from "./database.js";
import { SQL, type Tables, tableName, type UsersQuery, usersQuery } from "./query.js";

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
  const { part, recognize } = database;
  const cased = caseOf(source);
  const fitting = (name === undefined ? tables : [name]).flatMap((table) => {
    const isCalled = cased(table.name).endsWith(part.table);
    const prefix = isCalled ? table.name.slice(0, -part.table.length) : "";
    const found = { source, part, table, prefix: part.prefix === "" ? "" : prefix };
    const isNamed = part.prefix === "" || isCalled;
    const isIt = recognize.some((list) => fits(list, found, tables));
    return isNamed && isIt ? [found] : [];
  });
  const called = fitting.map(({ table }) => table);
  const own = tablesCalled(called, `${part.prefix}${part.table}`, cased);
  return own.length > 0 ? fitting.filter(({ table }) => own.includes(table)) : fitting;
}

/** A number in a table's name that releases raise: which one is usual. */
const NUMBER = /#(\d+)/;

/** Those of a name; with a number in it, those of the greatest. */
function tablesCalled(
  tables: readonly Table[],
  name: string,
  cased: (name: string) => string,
): readonly Table[] {
  const [start = "", usual, end = ""] = name.split(NUMBER);
  if (usual === undefined) return tables.filter((table) => cased(table.name) === cased(name));
  const numberOf = (table: Table): number => {
    const isCalled = table.name.startsWith(start) && table.name.endsWith(end);
    const number = table.name.slice(start.length, table.name.length - end.length);
    return isCalled && /^\d+$/.test(number) ? Number(number) : -1;
  };
  const greatest = Math.max(0, ...tables.map(numberOf));
  return tables.filter((table) => numberOf(table) === greatest);
}

/** Names as a system's mapping has them: some systems' are large on some databases. */
function caseOf({ database }: Source): (name: string) => string {
  return database?.anyCase === true ? (name) => name.toLowerCase() : (name) => name;
}

/** Whether a table has all columns of a list; `accounts[].provider` is one of a table beside it. */
function fits(
  list: readonly string[],
  { source, part, table, prefix }: SystemUsers,
  tables: readonly Table[],
): boolean {
  const cased = caseOf(source);
  const has = ({ columns }: Table, name: string): boolean =>
    columns.some((column) => cased(column.name) === cased(name));
  return list.every((entry) => {
    const [beside = "", column] = entry.split("[].");
    if (column === undefined) {
      return entry.startsWith("!") ? !has(table, entry.slice(1)) : has(table, entry);
    }
    const other = part.beside[beside];
    const own = other?.columns.find(([name]) => name === column)?.[1] ?? column;
    const its = tables.find(({ name }) => cased(name) === cased(`${prefix}${other?.table}`));
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
        ? `Say which table: ${optionName("--table")} ${first.table.schema}.${first.table.name}.`
        : `Say whose users are read: ${optionName("--from")} ${first.source.name}.`,
    },
  );
}

/** Which database is asked, and how. */
interface Asked {
  readonly kind: DatabaseKind;
  readonly database: string;
}

/**
 * The query over a system's tables.
 *
 * @param tenant whose users are read; null for all
 * @throws RunError `input_unreadable` for a table that may not be read; `input_unrecognized` for one
 *   without a column that says how to read it
 */
export function queryOf(
  system: SystemUsers,
  all: readonly Table[],
  { kind, database, tenant }: Asked & { readonly tenant: string | null },
): UsersQuery {
  const { part, table } = system;
  const missing = missingIn(database);
  const tables = tablesOf(system, all, database);
  const only =
    tenant === null || part.tenants === undefined
      ? null
      : ofTenant(tenant, part.tenants, table, { kind, tables, missing });
  return usersQuery(part, table, tables, { kind, missing, only });
}

/**
 * Whose users are read where a table has several's: the one that is asked for, else the only one but
 * the system's own.
 *
 * @param asked its name, where the operator gives it
 * @param texts answers a query of one column
 * @returns all who have users there, and the one; null for a table of nobody's in particular
 * @throws RunError `input_unrecognized` where it isn't clear, or isn't there; as {@link queryOf}
 */
export async function tenantOf(
  system: SystemUsers | null,
  asked: string | undefined,
  texts: (sql: string) => Promise<readonly string[]>,
  { kind, database, tables }: Asked & { readonly tables: readonly Table[] },
): Promise<{ readonly name: string; readonly others: readonly string[] } | null> {
  const { tenants } = system?.part ?? {};
  if (system === null || tenants === undefined) {
    if (asked === undefined) return null;
    const message = `The database ${database} isn't one of several's users`;
    throw new RunError("input_unrecognized", message, {
      hint: "Leave out what stands behind the # of its URL.",
    });
  }
  const missing = missingIn(database);
  const seen = tablesOf(system, tables, database);
  const all = await texts(tenantsQuery(tenants, system.table, { kind, tables: seen, missing }));
  const usual = all.filter((name) => !tenants.own.includes(name));
  const fitting =
    asked === undefined ? (usual.length > 0 ? usual : all) : all.filter((name) => name === asked);
  const [name, more] = fitting;
  if (name === undefined && asked === undefined) return null;
  if (name === undefined || more !== undefined) {
    const what =
      name === undefined
        ? `no users of the ${tenants.called} that its URL names, but of`
        : "users of";
    const message = `The database ${database} has ${what} ${showNames(all)}`;
    throw new RunError("input_unrecognized", message, {
      hint: `Say of which ${tenants.called}: put #${more === undefined ? (usual[0] ?? all[0] ?? tenants.called) : name} behind its URL.`,
    });
  }
  return { name, others: all.filter((other) => other !== name) };
}

/** A system's tables among all. */
function tablesOf(
  { source, table, prefix }: SystemUsers,
  all: readonly Table[],
  database: string,
): Tables {
  const cased = caseOf(source);
  return {
    find(path) {
      const [name = "", own = table.schema] = path.split(".").reverse();
      const named = tablesCalled(all, `${prefix}${name}`, cased);
      const found =
        named.find(({ schema }) => schema === own) ?? named.find(({ isNear }) => isNear);
      if (found !== undefined) requireReadable(found, database);
      return found ?? null;
    },
    column: ({ columns }, name) => columns.find((one) => cased(one.name) === name) ?? null,
  };
}

function missingIn(database: string): (name: string) => RunError {
  return (name) =>
    new RunError("input_unrecognized", `The database ${database} lacks ${name}`, {
      hint: `It is of another version: auth-migrate check-source --print-query shows what is asked. Change that, and give it by ${optionName("--query")}.`,
    });
}

/** The query over tables as the system itself names them, where there is no database to look at. */
export function usualQuery(part: DatabasePart, kind: DatabaseKind): string {
  const tableOf = (path: string, key: readonly string[]): Table => {
    const [name = "", schema = part.schema] = path.split(".").reverse();
    return {
      schema: schema ?? "",
      name: `${part.prefix}${name}`.replace(NUMBER, "$1"),
      columns: [],
      key,
      isReadable: true,
      isNear: schema === undefined,
    };
  };
  const tables: Tables = {
    find: (name) => tableOf(name, []),
    column: (_table, name) => ({ name, type: null }),
  };
  const missing = (name: string): Error => new Error(`${name} is always there`);
  const { tenants } = part;
  const table = tableOf(part.table, [part.key]);
  const only =
    tenants === undefined
      ? null
      : // To be replaced by who runs it.
        ofTenant(tenants.called.toUpperCase(), tenants, table, { kind, tables, missing });
  return usersQuery(part, table, tables, { kind, missing, only }).sql;
}

/** @throws RunError `input_unreadable` */
export function requireReadable({ schema, name, isReadable }: Table, database: string): void {
  if (isReadable) return;
  const message = `The database ${database} doesn't let this user read ${schema}.${name} whole`;
  throw new RunError("input_unreadable", message, {
    hint: `Grant it: GRANT USAGE ON SCHEMA ${schema}; GRANT SELECT ON ${schema}.${name}.`,
  });
}

/** Where users of several in one table are told apart, and in whose words. */
interface Place {
  readonly kind: DatabaseKind;
  readonly tables: Tables;
  /** Told of a table that isn't there. */
  readonly missing: (name: string) => Error;
}

/** The names of all whose users are in the table. */
function tenantsQuery(tenants: Tenants, table: Table, place: Place): string {
  const { users, column, named } = partsOf(tenants, table, place);
  if (named === null) return `select distinct ${column} from ${users} u order by 1`;
  return `select ${named.name} from ${named.table} t
where exists (select 1 from ${users} u where ${column} = ${named.key}) order by 1`;
}

/** True of one's users, `u`. */
function ofTenant(name: string, tenants: Tenants, table: Table, place: Place): string {
  const { column, named } = partsOf(tenants, table, place);
  const text = SQL[place.kind].text(name);
  if (named === null) return `${column} = ${text}`;
  return `${column} in (select ${named.key} from ${named.table} t where ${named.name} = ${text})`;
}

function partsOf(tenants: Tenants, table: Table, { kind, tables, missing }: Place) {
  const words = SQL[kind];
  const users = tableName(table, words);
  const column = `u.${words.name(tenants.column)}`;
  if (tenants.table === undefined) return { users, column, named: null };
  const found = tables.find(tenants.table);
  if (found === null) throw missing(tenants.table);
  const [key, name] = [tenants.key, tenants.name].map((one) => `t.${words.name(one)}`);
  return { users, column, named: { table: tableName(found, words), key, name } };
}
