/** Wraps the SQLite driver: rows are arrays, failures are typed, and a file's header says whose it is. Only this file uses the driver: `libsql`, since `better-sqlite3` comes without its binary from an npm that runs no install scripts. */

import { createRequire } from "node:module";
import type Driver from "libsql";
import { SqliteFailure } from "./sqlite-failure.js";

/** The driver is loaded where the first file is opened, in some 20 ms: a dry run opens none. */
const load = createRequire(import.meta.url);

/** A value that SQLite stores. Text must not hold NUL: the driver cuts it off there when it reads. */
export type SqlValue = string | number | bigint | Uint8Array | null;

/** A prepared statement. Rows are arrays in the order of the selected columns; blobs are Buffers. */
export interface Statement<Row extends readonly unknown[] = readonly SqlValue[]> {
  run(...parameters: SqlValue[]): { readonly changes: number; readonly lastInsertRowid: number };
  get(...parameters: SqlValue[]): Row | undefined;
  all(...parameters: SqlValue[]): Row[];
}

/** An open SQLite file. Every method throws `SqliteFailure`. */
export interface Database {
  readonly path: string;
  /** Nothing is done before its first use, which throws where the text is wrong. */
  prepare<Row extends readonly unknown[] = readonly SqlValue[]>(sql: string): Statement<Row>;
  exec(sql: string): void;
  /**
   * Folds the write-ahead log into the file, so that it can be copied alone, and closes it. Where
   * another process still has the file open, that one folds it in later. A file that was opened to
   * be read stays as it is.
   */
  close(): void;
}

/**
 * @param address what the driver opens, where that isn't `path`
 * @throws SqliteFailure
 */
export function openDriver(path: string, busyTimeoutMs = 10_000, address = path): Driver.Database {
  const Opened: typeof Driver = load("libsql");
  return attempt(path, () => new Opened(address, { timeout: busyTimeoutMs }));
}

/**
 * A driver's connection as this project uses it.
 *
 * @param path for messages
 * @param beforeClose runs while the connection is still open
 */
export function wrap(
  driver: Driver.Database,
  path: string,
  beforeClose: () => void = () => {},
): Database {
  return {
    path,
    prepare<Row extends readonly unknown[]>(sql: string): Statement<Row> {
      const compile = () => {
        const compiled = driver.prepare<[SqlValue[]]>(sql);
        // Raw rows: objects would carry the driver's `_metadata` beside the columns. The driver
        // throws where a statement has no rows at all.
        if (compiled.reader) compiled.raw();
        return compiled;
      };
      // Compiled when it is first used: a run prepares some sixty statements, and uses half of them.
      type Compiled = ReturnType<typeof compile> | null;
      let several: Compiled = null;
      const statement = () => (several ??= compile());
      // The driver's `get`, alone of its methods, doesn't reset a statement before it binds: after
      // any other method, or a failure, it answers once more for the parameters of before. So it
      // has a statement to itself, and another one after a failure.
      let single: Compiled = null;
      const getRow = (parameters: SqlValue[]): unknown => {
        const ready = single ?? compile();
        single = null;
        const row = ready.get(parameters);
        single = ready;
        return row;
      };
      // Parameters go in as one array: the driver takes a lone Buffer for named parameters.
      return {
        run: (...parameters) =>
          attempt(path, () => {
            const { changes, lastInsertRowid } = statement().run(parameters);
            return { changes, lastInsertRowid: Number(lastInsertRowid) };
          }),
        get: (...parameters) => attempt(path, () => getRow(parameters) as Row | undefined),
        all: (...parameters) => attempt(path, () => statement().all(parameters) as Row[]),
      };
    },
    exec: (sql) => attempt(path, () => driver.exec(sql)),
    close() {
      if (!driver.open) return;
      try {
        beforeClose();
      } finally {
        driver.close();
      }
    },
  };
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw SqliteFailure.from(error, path);
  }
}

/** How a file of ours is recognized. */
export interface OwnerOptions {
  /** Marks whose file this is (SQLite's `application_id`); a file with another mark is refused. */
  readonly applicationId: number;
  /** The script that makes the tables of a new file. Empty for a file that is only a lock. */
  readonly schema: string;
  /** The tables' version, from 1 (SQLite's `user_version`); a file with another one is refused. */
  readonly version: number;
}

/**
 * Refuses another application's file, and one of another version.
 *
 * @returns whether it is empty, so that its tables are still to be made
 * @throws SqliteFailure `foreign`
 */
export function checkOwner(database: Database, { applicationId, version }: OwnerOptions): boolean {
  if (isEmpty(database)) return true;
  if (Number(pragma(database, "application_id")) !== applicationId) {
    throw new SqliteFailure("foreign", `${database.path} is a SQLite file of another application`);
  }
  if (Number(pragma(database, "user_version")) === version) return false;
  throw new SqliteFailure(
    "foreign",
    `${database.path} was written by another version of auth-migrate`,
  );
}

/** True for a file without a single table. */
export function isEmpty(database: Database): boolean {
  return database.prepare<[number]>("SELECT count(*) FROM sqlite_master").all()[0]?.[0] === 0;
}

/** A setting's value, or its new one. Read by `all`, which leaves no read lock behind as `get` does. */
export function pragma(database: Database, name: string): SqlValue | undefined {
  return database.prepare(`PRAGMA ${name}`).all()[0]?.[0];
}
