/** PostgreSQL as a database that is read: one connection, one transaction that can't write, rows by `COPY`. */

import { type ConnectionOptions, checkServerIdentity } from "node:tls";
import type { Client } from "pg";
import { CopyOut } from "./copy-out.js";
import type { Connect, Connection, DatabaseLogin, Table } from "./database.js";
import { asFault, closing, throwFault } from "./faults.js";

const CONNECT_MS = 10_000;
/** How long a table is waited for that another transaction has locked. */
const LOCK_MS = 15_000;

/**
 * Values as a file has them, whatever the database's settings; no rows that are hidden in silence
 * (`row_security`); no end of a query that takes long because its users are judged meanwhile.
 */
const SESSION = `SET default_transaction_read_only = on;
SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'iso_8601'; SET TimeZone = 'UTC';
SET bytea_output = 'hex'; SET extra_float_digits = 1; SET row_security = off;
SET client_encoding = 'UTF8'; SET lock_timeout = ${LOCK_MS}; SET statement_timeout = 0;
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`;

/** Tables, views and what is partitioned, without the partitions; the names that need no schema first. */
const TABLES = `SELECT n.nspname, c.relname, pg_table_is_visible(c.oid),
  bool_and(has_column_privilege(c.oid, a.attnum, 'SELECT')) AND has_schema_privilege(n.oid, 'USAGE'),
  array_to_json(array_agg(a.attname::text ORDER BY a.attnum)),
  array_to_json(array_agg(t.typname::text ORDER BY a.attnum)),
  coalesce((SELECT array_to_json(array_agg(k.attname::text ORDER BY array_position(i.indkey::int2[], k.attnum)))
    FROM pg_index i JOIN pg_attribute k ON k.attrelid = i.indrelid AND k.attnum = ANY (i.indkey::int2[])
    WHERE i.indrelid = c.oid AND i.indisprimary), '[]')
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_type t ON t.oid = a.atttypid
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
  AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
GROUP BY n.oid, n.nspname, c.oid, c.relname ORDER BY 3 DESC, 1, 2`;

type TableRow = [string, string, boolean, boolean, string[], string[], string[]];

export const connectPostgres: Connect = async (login) => {
  const { Client } = await import("pg");
  const { host, port, database, user, password } = login;
  const client = new Client({
    host,
    port,
    database,
    user,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    // A function, so that the driver looks for no password anywhere else.
    password: () => password ?? "",
    ssl: tlsTo(login) ?? false,
    application_name: "auth-migrate",
  });
  // Between two statements no listener is there, and the error would end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(SESSION);
    const encoding = await client.query<{ server_encoding: string }>("SHOW server_encoding");
    const isBytes = encoding.rows[0]?.server_encoding === "SQL_ASCII";
    // Its texts are of any encoding, and refused as UTF-8.
    if (isBytes) await client.query("SET client_encoding = 'SQL_ASCII'");
    return connectionOf(client, login, isBytes);
  } catch (error) {
    await client.end().catch(() => {});
    throw asFault(error, login, "connecting");
  }
};

/** The driver names no host to TLS where it is an address, and Node.js would look for `localhost`. */
function tlsTo({ host, tls }: DatabaseLogin): ConnectionOptions | undefined {
  if (tls === null) return undefined;
  const { ca, cert, key } = tls;
  return {
    rejectUnauthorized: true,
    ca,
    cert,
    key,
    checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate),
  };
}

function connectionOf(client: Client, login: DatabaseLogin, isBytes: boolean): Connection {
  const close = (): Promise<void> => client.end().catch(() => {});
  const rowsOf = <Row extends unknown[]>(text: string): Promise<Row[]> =>
    client.query<Row>({ text, rowMode: "array" }).then(({ rows }) => rows, throwFault(login));
  return {
    isBytes,
    seesAll: true,
    close,
    tables: () => rowsOf<TableRow>(TABLES).then((rows) => rows.map(tableOf)),
    texts: (sql) => rowsOf(sql).then((rows) => rows.map(([text]) => String(text))),
    rows(sql) {
      const copy = new CopyOut(`COPY (\n${sql}\n) TO STDOUT WITH (FORMAT csv, HEADER)`);
      return closing(client.query(copy), login, close);
    },
  };
}

function tableOf([schema, name, isNear, isReadable, columns, types, key]: TableRow): Table {
  const typed = columns.map((column, at) => ({ name: column, type: types[at] ?? "" }));
  return { schema, name, isNear, isReadable, columns: typed, key };
}
