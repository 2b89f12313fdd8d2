/** The connections to a database: a bounded pool that connects on demand and replaces broken connections. Only this file uses the driver. */

import { type ConnectionOptions, checkServerIdentity as checkIdentity } from "node:tls";
import type { Pool, PoolClient, PoolConfig, QueryArrayResult } from "pg";
import { AMONG, type Script, type ScriptRow, type ScriptStatement } from "../script.js";
import { asCoreFailure, troubleOf } from "./database-failure.js";
import { type DatabaseSettings, type DatabaseTls, DEFAULT_PORT } from "./settings.js";

const DEFAULT_POOL_SIZE = 10;
/** How long a connection may take, and how long a call waits for one of the pool. */
const CONNECT_MS = 10_000;
/** How long a statement may take. */
const STATEMENT_MS = 30_000;
/** How much longer this side waits for a silent server before it gives up. */
const SILENCE_MS = 15_000;
const LOCK_MS = 15_000;
/** A transaction whose process hangs must not keep its locks for ever. */
const IDLE_IN_TRANSACTION_MS = 60_000;
const IDLE_CONNECTION_MS = 30_000;
/** Deadlocks are rare, since every batch takes its locks in one order. */
const MOST_ATTEMPTS = 6;

/**
 * The settings of every session. A user who was answered must be on the disk, so a server with
 * `synchronous_commit = off` is told to wait; a stricter setting stays.
 */
const SESSION = `SELECT
  set_config('statement_timeout', '${STATEMENT_MS}', false),
  set_config('lock_timeout', '${LOCK_MS}', false),
  set_config('idle_in_transaction_session_timeout', '${IDLE_IN_TRANSACTION_MS}', false),
  set_config('default_transaction_isolation', 'read committed', false),
  CASE current_setting('synchronous_commit')
    WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END`;

type Row = readonly unknown[];

interface Answer<R extends Row> {
  readonly rows: readonly R[];
  readonly changes: number;
}

/** Asks for one statement. The row's type is the caller's word for what the statement selects. */
export type Ask = <R extends Row = Row>(
  text: string,
  values?: readonly unknown[],
) => Promise<Answer<R>>;

export type Connections = Awaited<ReturnType<typeof openConnections>>;

/** Loads the driver; connects nowhere yet. */
export async function openConnections(settings: DatabaseSettings) {
  const { Pool } = await import("pg");
  const pool = new Pool(poolConfig(settings));
  // An idle connection that ends is replaced when it is needed.
  pool.on("error", () => {});

  return {
    /**
     * Statements in one transaction; it is begun anew where others were in its way, so `work` may be
     * called more than once. Its outcome is unknown only if the connection breaks during the commit.
     *
     * @param mayTake how long a statement may take, in milliseconds; 30 000 by default
     */
    transact: <T>(work: (ask: Ask) => Promise<T>, mayTake?: number): Promise<T> =>
      unlessConflict(() => withClient(pool, (client) => transactOn(client, work, mayTake))),
    /** Calls in flight end first. */
    close: () => pool.end(),
  };
}

function poolConfig(settings: DatabaseSettings): PoolConfig {
  const { host, port = DEFAULT_PORT, database, user, password, tls } = settings;
  return {
    host,
    port,
    database,
    user,
    // A function, so that the driver looks for no password anywhere else.
    password: () => password ?? "",
    ssl: tls ? tlsOf(host, tls) : false,
    application_name: "auth-migrate",
    max: settings.poolSize ?? DEFAULT_POOL_SIZE,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    query_timeout: STATEMENT_MS + SILENCE_MS,
    keepAlive: true,
    onConnect: async (client) => {
      // Between two statements no listener is there, and the error would end the process.
      client.on("error", () => {});
      await client.query(SESSION);
    },
  };
}

/** The driver names no host to TLS where it is an address, and Node.js would look for `localhost`. */
function tlsOf(host: string, { ca, cert, key }: DatabaseTls): ConnectionOptions {
  const checkServerIdentity: ConnectionOptions["checkServerIdentity"] = (_name, certificate) =>
    checkIdentity(host, certificate);
  return { rejectUnauthorized: true, ca, cert, key, checkServerIdentity };
}

async function withClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  let client: PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    throw asCoreFailure(error, "no");
  }
  try {
    const done = await work(client);
    client.release();
    return done;
  } catch (error) {
    // What isn't the database's word leaves open what the connection is in the middle of.
    client.release(troubleOf(error)?.isConnectionLost ?? true);
    throw asCoreFailure(error, "no");
  }
}

function askOf(client: PoolClient, query_timeout: number): Ask {
  return async <R extends Row>(text: string, values: readonly unknown[] = []) => {
    const query = { text, values: [...values], rowMode: "array" as const, query_timeout };
    const result: QueryArrayResult<never[]> = await client.query(query);
    const rows: readonly unknown[] = result.rows;
    return { rows: rows as readonly R[], changes: result.rowCount ?? 0 };
  };
}

async function transactOn<T>(
  client: PoolClient,
  work: (ask: Ask) => Promise<T>,
  mayTake = STATEMENT_MS,
): Promise<T> {
  await client.query("BEGIN");
  let done: T;
  try {
    if (mayTake !== STATEMENT_MS) await client.query(`SET LOCAL statement_timeout = ${mayTake}`);
    done = await work(askOf(client, mayTake + SILENCE_MS));
  } catch (error) {
    // Of work's own failures, too; where the connection is lost the server rolls back by itself.
    if (troubleOf(error)?.isConnectionLost !== true) await client.query("ROLLBACK");
    throw error;
  }
  try {
    await client.query("COMMIT");
  } catch (error) {
    throw asCoreFailure(error, "unknown");
  }
  return done;
}

/** Others were in the transaction's way; one that sees what they have taken ends otherwise. */
const MADE_ANEW: readonly unknown[] = ["conflict", "taken"];

async function unlessConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const cause = error instanceof Error ? error.cause : null;
      if (attempt >= MOST_ATTEMPTS || !MADE_ANEW.includes(troubleOf(cause)?.kind)) throw error;
    }
  }
}

/**
 * The statement for all of its sets: each column goes as one array, so that the text stays the same
 * however many there are. As a list of values, an import took twice as long.
 */
function manyAtOnce({ sql, sets: given, lockedBy }: ScriptStatement): {
  readonly text: string;
  readonly values: readonly unknown[];
} {
  const sets =
    lockedBy === undefined
      ? given
      : given.toSorted((a, b) => (String(lockedBy(a)) < String(lockedBy(b)) ? -1 : 1));
  const [first = []] = sets;
  const among = sql.replace(AMONG, (_, type = "text") => `= ANY ($1::${type}[])`);
  if (among === sql && sets.length === 1) return { text: sql, values: first };
  const text = among.replace(/VALUES \(([^()]*)\)/, (_, tuple: string) => {
    const arrays: string[] = [];
    const columns = tuple.replaceAll(/(\$\d+)(?:::(\w+))?/g, (__, number, type = "text") => {
      arrays.push(`${number}::${type}[]`);
      return `c${arrays.length}`;
    });
    const names = arrays.map((___, at) => `c${at + 1}`).join(", ");
    return `SELECT ${columns} FROM unnest(${arrays.join(", ")}) AS given (${names})`;
  });
  return { text, values: first.map((_, at) => sets.map((set) => set[at] ?? null)) };
}

/** Runs a script on a connection; the caller says in which transaction. */
export async function runScript<T>(ask: Ask, script: Script<T>): Promise<T> {
  let step = script.next();
  while (step.done !== true) {
    const { text, values } = manyAtOnce(step.value);
    const { rows, changes } = await ask<ScriptRow>(text, values);
    step = script.next(step.value.counts ? [[changes]] : rows);
  }
  return step.value;
}
