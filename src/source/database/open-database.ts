/** Opens a database as an input: the query that reads its users is found, and its rows are a table's bytes. */

import { optionName } from "../../errors/option-name.js";
import { RunError } from "../../errors/run-error.js";
import { openStream } from "../input-bytes.js";
import { showNames } from "../show-name.js";
import type { Source } from "../source.js";
import type { Connect, Connection, DatabaseInput, DatabaseKind, Table } from "./database.js";
import {
  onlySystem,
  queryOf,
  requireReadable,
  tenantOf,
  usersOf,
  usualQuery,
} from "./find-users.js";
import { ownQuery, wholeTable } from "./query.js";

/** How each system is connected to; its driver is loaded by who names one. */
const CONNECT: Readonly<Record<DatabaseKind, () => Promise<Connect>>> = {
  postgres: async () => (await import("./postgres.js")).connectPostgres,
  mysql: async () => (await import("./mysql.js")).connectMysql,
};

/** How a database is opened. */
interface Opening {
  /** Of a database that knows of none; any other says its own. */
  readonly encoding: string | null;
  /** Those whose tables are looked for. */
  readonly sources: readonly Source[];
}

/**
 * @returns what stands where a file's path does, in messages and in places of rows (`app.users`), and
 *   whose tables they are, null where the rows themselves show it
 * @throws RunError `key_refused`, `input_unreadable`, `outage`, `in_use`, `input_unrecognized`,
 *   `input_damaged`, `usage`
 */
export async function openDatabase(input: DatabaseInput, { encoding, sources }: Opening) {
  const connection = await connected(input);
  try {
    const { name, sql, found } = await findUsers(connection, input, sources);
    const path = `${input.login.database}.${name}`;
    const known = connection.isBytes ? encoding : null;
    return { path, found, bytes: await openStream(path, known, connection.rows(sql)) };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/**
 * The query that reads a database's users.
 *
 * @throws RunError as {@link openDatabase}
 */
export async function queryIn(input: DatabaseInput, sources: readonly Source[]): Promise<string> {
  const connection = await connected(input);
  try {
    return (await findUsers(connection, input, sources)).sql;
  } finally {
    await connection.close();
  }
}

/**
 * The query over a system's tables as it makes them itself.
 *
 * @param name the system's, for messages
 * @throws RunError `input_unrecognized` for a system whose tables aren't known
 */
export function usualQueryOf(source: Source | null, name: string): string {
  const part = source?.database?.part;
  const [kind] = part?.systems ?? [];
  if (part !== undefined && kind !== undefined) return usualQuery(part, kind);
  throw new RunError("input_unrecognized", `Of ${name} no tables are known`, {
    hint: `Its guide, docs/vendors/${name}.md, says what is read in their place.`,
  });
}

async function connected({ kind, login }: DatabaseInput): Promise<Connection> {
  const connect = await CONNECT[kind]();
  return connect(login);
}

/** What is read. */
interface FoundUsers {
  readonly name: string;
  readonly sql: string;
  readonly found: { readonly source: Source; readonly reason: string } | null;
}

async function findUsers(
  connection: Connection,
  { kind, query, tenant: asked, table: given, login: { database } }: DatabaseInput,
  sources: readonly Source[],
): Promise<FoundUsers> {
  if (query !== undefined) return { name: "query", sql: ownQuery(query), found: null };
  const tables = await connection.tables();
  const { seesAll } = connection;
  const named = given === undefined ? undefined : tableNamed(given, tables, { database, seesAll });
  const system = onlySystem(
    sources.flatMap((source) => usersOf(source, tables, named)),
    database,
  );
  const table = system?.table ?? named;
  if (table === undefined) throw unknown(tables, { database, seesAll });
  requireReadable(table, database);
  const tenant = await tenantOf(system, asked, connection.texts, { kind, database, tables });
  if (system === null) return { name: table.name, sql: wholeTable(table, kind), found: null };
  const { sql, read, absent } = queryOf(system, tables, {
    kind,
    database,
    tenant: tenant?.name ?? null,
  });
  const beside = read.length === 0 ? "" : ` with ${read.join(", ")}`;
  const without =
    absent.length === 0
      ? ""
      : `; not there${seesAll ? "" : ", or not this user's to read"}: ${absent.join(", ")}`;
  const { called = "" } = system.part.tenants ?? {};
  const whose = tenant === null ? "" : `, of the ${called} ${tenant.name}`;
  const left = tenant?.others.length ? ` and not of ${showNames(tenant.others)}` : "";
  const reason = `its table ${table.name}${beside}${whose}${left}${without}`;
  const name = asked === undefined ? table.name : `${table.name}#${asked}`;
  return { name, sql, found: { source: system.source, reason } };
}

/** What is listed of a database. */
interface Seen extends Pick<Connection, "seesAll"> {
  readonly database: string;
}

/** What a hint says where a table may be there and not be seen. */
function hidden(seesAll: boolean): string {
  return seesAll
    ? ""
    : " The server doesn't show those that this user may not read: GRANT SELECT ON them.";
}

/** @throws RunError `input_unrecognized` for a table that isn't there, or whose name several have */
function tableNamed(given: string, tables: readonly Table[], { database, seesAll }: Seen): Table {
  const all = tables.filter(({ schema, name }) => name === given || `${schema}.${name}` === given);
  const near = all.filter(({ isNear }) => isNear);
  const [first, ...others] = near.length > 0 ? near : all;
  if (first === undefined) {
    const message = `The database ${database} has no table ${given}; it has ${namesOf(tables)}`;
    throw new RunError("input_unrecognized", message, {
      hint: `Give ${optionName("--table")} one of its tables, with the schema before a dot where it has several.${hidden(seesAll)}`,
    });
  }
  if (others.length === 0) return first;
  const places = all.map(({ schema, name }) => `${schema}.${name}`);
  throw new RunError("input_unrecognized", `The database ${database} has ${showNames(places)}`, {
    hint: `Say which one: ${optionName("--table")} ${places[0]}.`,
  });
}

function namesOf(tables: readonly Table[]): string {
  if (tables.length === 0) return "none that this user may see";
  return showNames(tables.map(({ name }) => name));
}

/** @throws RunError `input_unrecognized` */
function unknown(tables: readonly Table[], { database, seesAll }: Seen): RunError {
  const message = `The database ${database} has no users' table that is known here; it has ${namesOf(tables)}`;
  return new RunError("input_unrecognized", message, {
    hint: `Name the users' table by ${optionName("--table", "NAME")}, or give a query by ${optionName("--query", "FILE")}.${hidden(seesAll)}`,
  });
}
