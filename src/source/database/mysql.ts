/** MySQL and MariaDB as a database that is read: one connection, one transaction that can't write, rows as a stream of texts. */

import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Connection as Driver, QueryOptions } from "mysql2";
import type { Connect, Connection, DatabaseLogin, Table } from "./database.js";
import { asFault, closing, noRows, throwFault } from "./faults.js";

const CONNECT_MS = 10_000;
/** So long, in all, a server may take to notice that a connection was closed. */
const [CLOSING_TRIES, CLOSING_MS] = [20, 100];
const LOCK_SECONDS = 15;
/** Rows that wait to be read before the server has to. */
const ROWS_AHEAD = 1000;
const BLOCK_CHARACTERS = 64 * 1024;
/** Lists longer than this would be cut off in silence. */
const LONGEST_LIST = 64 * 1024 * 1024;

/** Statements, of which a server may not know all: MariaDB and MySQL limit the time of a query by other names. */
const SESSION: readonly { readonly sql: string; readonly may?: "fail" }[] = [
  { sql: "SET SESSION TRANSACTION READ ONLY" },
  { sql: "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ" },
  { sql: "SET time_zone = '+00:00'" },
  { sql: `SET group_concat_max_len = ${LONGEST_LIST}` },
  { sql: `SET lock_wait_timeout = ${LOCK_SECONDS}` },
  { sql: "SET max_execution_time = 0", may: "fail" },
  { sql: "SET max_statement_time = 0", may: "fail" },
  // The stream waits while users are judged.
  { sql: "SET net_write_timeout = 3600" },
  { sql: "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY" },
];

const TABLES = `SELECT table_schema, table_name, column_name, data_type, column_key = 'PRI'
FROM information_schema.columns WHERE table_schema = database() ORDER BY 1, 2, ordinal_position`;

export const connectMysql: Connect = async (login) => {
  // The server may not have noticed yet that the connection before is closed.
  for (let tries = CLOSING_TRIES; ; tries -= 1) {
    try {
      return await connectOnce(login);
    } catch (error) {
      if (tries === 0 || !isOneTooMany(error)) throw error;
      await pause(CLOSING_MS);
    }
  }
};

/** A user who may have so many connections has them. */
function isOneTooMany(error: unknown): boolean {
  const { cause } = error instanceof Error ? error : {};
  return cause instanceof Error && "errno" in cause && cause.errno === 1226;
}

const connectOnce: Connect = async (login) => {
  const { createConnection } = await import("mysql2");
  const { host, port, database, user, password, tls } = login;
  const driver = createConnection({
    port,
    database,
    user,
    connectTimeout: CONNECT_MS,
    ...(host.startsWith("/") ? { socketPath: host } : { host, stream: () => socketTo(host, port) }),
    ...(password === null ? {} : { password }),
    ...(tls === null ? {} : { ssl: { ...filled(tls), verifyIdentity: true } }),
    charset: "utf8mb4",
    // No file of this machine is sent to a server that asks for one.
    flags: ["-LOCAL_FILES"],
  });
  // Between two statements no listener is there, and the error would end the process.
  driver.on("error", () => {});
  try {
    await new Promise<void>((resolve, reject) => {
      driver.connect((error) => (error === null ? resolve() : reject(error)));
    });
    for (const { sql, may } of SESSION) {
      await ask(driver, { sql }).catch((error: unknown) => {
        if (may !== "fail") throw error;
      });
    }
    // The rights of roles that are in force are among them.
    const grants = await ask(driver, { sql: "SHOW GRANTS", rowsAsArray: true });
    const seesAll = grants.some(([grant]) => mayReadAll(String(grant), database));
    return connectionOf(driver, login, seesAll);
  } catch (error) {
    driver.destroy();
    throw asFault(error, login, "connecting");
  }
};

/**
 * The driver names no host to TLS where it is an address, and Node.js would look for `localhost` but
 * for what the socket itself has noted, which it does for names alone.
 */
function socketTo(host: string, port: number): Socket {
  const socket = connect(port, host);
  socket.setNoDelay(true);
  socket.on("connect", () => socket.setKeepAlive(true));
  return Object.assign(socket, { _host: host });
}

/** What is given of the certificates; the driver verifies the server's by default. */
function filled(tls: NonNullable<DatabaseLogin["tls"]>): Record<string, string> {
  const given = Object.entries(tls).filter(([, pem]) => pem !== undefined);
  return Object.fromEntries(given) as Record<string, string>;
}

const OF_DATABASE = /^GRANT (.+?) ON (?:\*|`(.+)`)\.\* TO /;
const LIKE: Readonly<Record<string, string>> = { "%": ".*", _: "." };

/** Whether a grant lets its user read whatever a database has, whose name is a pattern in it. */
export function mayReadAll(grant: string, database: string): boolean {
  const [all, rights = "", pattern = "%"] = OF_DATABASE.exec(grant) ?? [];
  const signs = pattern.replaceAll("``", "`").match(/\\?./gsu) ?? [];
  const name = signs.map((sign) => LIKE[sign] ?? sign.slice(-1).replace(/\W/, "\\$&")).join("");
  const mayRead = /^ALL PRIVILEGES\b|\bSELECT\b(?! \()/.test(rights);
  return all !== undefined && mayRead && new RegExp(`^${name}$`, "s").test(database);
}

function connectionOf(driver: Driver, login: DatabaseLogin, seesAll: boolean): Connection {
  const close = async (): Promise<void> => driver.destroy();
  const rowsOf = (sql: string): ReturnType<typeof ask> =>
    ask(driver, { sql, rowsAsArray: true }).catch(throwFault(login));
  return {
    // The server knows every column's encoding.
    isBytes: false,
    seesAll,
    close,
    tables: () => rowsOf(TABLES).then(tablesOf),
    texts: (sql) => rowsOf(sql).then((rows) => rows.map(([text]) => String(text))),
    rows: (sql) => closing(csvOf(driver, sql, login), login, close),
  };
}

function ask(driver: Driver, options: QueryOptions): Promise<readonly unknown[][]> {
  return new Promise((resolve, reject) => {
    driver.query(options, (error, rows) => {
      if (error === null) resolve(rows as unknown as unknown[][]);
      else reject(error);
    });
  });
}

/** What this user may not read isn't listed. */
function tablesOf(rows: readonly unknown[][]): readonly Table[] {
  const tables = new Map<string, Table & { columns: Table["columns"][number][]; key: string[] }>();
  for (const row of rows) {
    const [schema = "", name = "", column = "", type = ""] = row.map(String);
    const isKey = Number(row[4]) === 1;
    const id = JSON.stringify([schema, name]);
    const table = tables.get(id) ?? {
      schema,
      name,
      isNear: true,
      isReadable: true,
      columns: [],
      key: [],
    };
    tables.set(id, table);
    table.columns.push({ name: column, type });
    if (isKey) table.key.push(column);
  }
  return [...tables.values()];
}

/** What the driver says of a column of a query's. */
interface Field {
  readonly name: string;
  readonly columnType?: number;
  readonly characterSet?: number;
}

type Cell = Buffer | null;

/** @throws RunError `usage` for a statement that has no rows to give */
async function* csvOf(driver: Driver, sql: string, login: DatabaseLogin): AsyncGenerator<Buffer> {
  const query = driver.query({ sql, rowsAsArray: true, typeCast: false });
  const described = new Promise<readonly Field[]>((resolve, reject) => {
    query.on("fields", (found: readonly Field[] | undefined) => {
      if (found === undefined) reject(noRows(login));
      else resolve(found);
    });
  });
  // Where the query fails, nobody waits for it.
  described.catch(() => {});
  let fields: readonly Field[] | null = null;
  let text = "";
  const stream = query.stream({ highWaterMark: ROWS_AHEAD });
  // The driver tells of a lost connection those alone who ask without a stream.
  driver.on("error", (error) => stream.destroy(error));
  for await (const row of stream) {
    if (fields === null) {
      fields = await described;
      text = headerOf(fields);
    }
    const cells = row as readonly Cell[];
    text += lineOf(fields.map((field, at) => textOf(cells[at] ?? null, field)));
    if (text.length < BLOCK_CHARACTERS) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(fields === null ? headerOf(await described) : text);
}

function headerOf(fields: readonly Field[]): string {
  return lineOf(fields.map(({ name }) => name));
}

/** Of columns, by the numbers of the protocol (`MYSQL_TYPE_…`). */
const BIT = 16;
const JSON_TEXT = 245;
const FIXED = 254;
const TIMES: ReadonlySet<number | undefined> = new Set([7, 10, 12]);
const BYTES: ReadonlySet<number | undefined> = new Set([249, 250, 251, 252, 253, FIXED]);
/** The character set of what is no text. */
const BINARY = 63;
/** The date of nothing, which old tables have. */
const ZERO = /^0000-00-00(?: 00:00:00(?:\.0+)?)?$/;
const UNPRINTABLE = /[\p{Cc}\uFFFD]/u;

/** A value as text: a bit as its number, bytes that are no text as PostgreSQL writes them. */
function textOf(cell: Cell, { columnType, characterSet }: Field): string | null {
  if (cell === null) return null;
  if (columnType === BIT) return BigInt(`0x0${cell.toString("hex")}`).toString();
  const text = cell.toString();
  if (TIMES.has(columnType)) return ZERO.test(text) ? null : text;
  const isBinary = characterSet === BINARY && columnType !== JSON_TEXT && BYTES.has(columnType);
  // Some applications keep all texts as bytes; what has a length of its own is a key.
  const isBytes = isBinary && (columnType === FIXED || UNPRINTABLE.test(text));
  return isBytes ? `\\x${cell.toString("hex")}` : text;
}

const NEEDS_QUOTES = /[",\r\n\\]|^\s|\s$/;

function lineOf(cells: readonly (string | null)[]): string {
  const quoted = cells.map((cell) => {
    if (cell === null) return "";
    return cell === "" || NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  });
  return `${quoted.join(",")}\n`;
}
