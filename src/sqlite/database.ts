/** Opens SQLite files the one way this project does: private, WAL, fsync on every commit, versioned. The only place that knows the driver; why it is this driver stands in docs/sqlite-driver.md. */

import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Driver from "libsql";
import { systemErrorCode } from "../errors/run-error.js";
import { SqliteFailure } from "./sqlite-failure.js";

/**
 * Pages in the write-ahead log before SQLite copies them into the file (32 MiB). Users come in no
 * index's order; with SQLite's own 1000 the same pages are copied again and again.
 */
const CHECKPOINT_PAGES = 8000;

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
  prepare<Row extends readonly unknown[] = readonly SqlValue[]>(sql: string): Statement<Row>;
  exec(sql: string): void;
  /**
   * Folds the write-ahead log into the file, so that it can be copied alone, and closes it. Where
   * another process still has the file open, that one folds it in later.
   */
  close(): void;
}

export interface OpenOptions {
  /** Marks whose file this is (SQLite's `application_id`); a file with another mark is refused. */
  readonly applicationId: number;
  /** `migrations[n]` brings a file from schema version n to n + 1. */
  readonly migrations: readonly string[];
  /** Page cache in MiB; 8 by default: a larger one was no faster, as the system caches the file too. */
  readonly cacheMiB?: number;
  /** `wal` (default), or `none` to leave SQLite's setting: for a file that is only a lock. */
  readonly journal?: "wal" | "none";
  /** How long to wait for another process's lock, in milliseconds; 10 000 by default. */
  readonly busyTimeoutMs?: number;
  /** Refuse to create the file; `SqliteFailure` `missing` instead. */
  readonly mustExist?: boolean;
}

/**
 * Opens or creates a SQLite file, mode 0600, at the newest schema version.
 *
 * @param path a file, or `""` for a private temporary database that nobody else can see and that
 *   is gone when it is closed or the process dies
 * @throws SqliteFailure `missing`, `foreign` (not SQLite, another application's, a newer schema),
 *   `busy`, `disk`
 */
export function openDatabase(path: string, options: OpenOptions): Database {
  if (path === "") return openTemporary(options);
  createPrivately(path, options.mustExist === true);
  const driver = openDriver(path, options);
  const database = wrap(driver, path);
  try {
    prepareFile(database, options);
    return database;
  } catch (error) {
    driver.close();
    throw error;
  }
}

/**
 * A file without a name: it is unlinked as soon as it is open, so that not even a `kill -9` leaves
 * it behind. SQLite's own temporary databases won't do: this driver keeps them in memory.
 */
function openTemporary(options: OpenOptions): Database {
  const directory = mkdtempSync(join(tmpdir(), "auth-migrate-"));
  const path = join(directory, "temporary.db");
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  try {
    createPrivately(path, false);
    const driver = openDriver(path, options);
    // The rollback journal would be a second file.
    driver.exec("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF");
    const database = wrap(driver, "");
    prepareFile(database, { ...options, journal: "none" });
    if (process.platform !== "win32") remove();
    return {
      ...database,
      close() {
        database.close();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

function openDriver(path: string, { busyTimeoutMs = 10_000 }: OpenOptions): Driver.Database {
  return attempt(path, () => new Driver(path, { timeout: busyTimeoutMs }));
}

function createPrivately(path: string, mustExist: boolean): void {
  if (existsSync(path)) return;
  if (mustExist) throw new SqliteFailure("missing", `${path} does not exist`);
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return;
    throw new SqliteFailure("disk", `cannot create ${path} (${systemErrorCode(error)})`, error);
  }
}

function prepareFile(database: Database, options: OpenOptions): void {
  const pragma = (name: string): unknown => database.prepare(`PRAGMA ${name}`).get()?.[0];
  const path = database.path;
  // Before anything is written: a stranger's file is left as it was.
  const owner = Number(pragma("application_id"));
  const empty = Number(database.prepare("SELECT count(*) FROM sqlite_master").get()?.[0]) === 0;
  if (!empty && owner !== options.applicationId) {
    throw new SqliteFailure("foreign", `${path} is a SQLite file of another application`);
  }
  const schemaVersion = (): number => {
    const version = Number(pragma("user_version"));
    if (version <= options.migrations.length) return version;
    throw new SqliteFailure("foreign", `${path} was written by a newer version of auth-migrate`);
  };
  const version = schemaVersion();
  if ((options.journal ?? "wal") === "wal") {
    pragma("journal_mode = WAL");
    database.exec("PRAGMA synchronous = FULL");
    database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  }
  database.exec(`PRAGMA cache_size = -${(options.cacheMiB ?? 8) * 1024}`);
  if (version === options.migrations.length) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    // Read again under the lock: another process may have migrated the file meanwhile.
    for (const migration of options.migrations.slice(schemaVersion())) database.exec(migration);
    database.exec(`PRAGMA application_id = ${options.applicationId}`);
    database.exec(`PRAGMA user_version = ${options.migrations.length}`);
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

function wrap(driver: Driver.Database, path: string): Database {
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
      const statement = attempt(path, compile);
      // The driver's `get`, alone of its methods, doesn't reset a statement before it binds: after
      // any other method, or a failure, it answers once more for the parameters of before. So it
      // has a statement to itself, and another one after a failure.
      let single: typeof statement | null = null;
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
            const { changes, lastInsertRowid } = statement.run(parameters);
            return { changes, lastInsertRowid: Number(lastInsertRowid) };
          }),
        get: (...parameters) => attempt(path, () => getRow(parameters) as Row | undefined),
        all: (...parameters) => attempt(path, () => statement.all(parameters) as Row[]),
      };
    },
    exec: (sql) => attempt(path, () => driver.exec(sql)),
    close() {
      if (!driver.open) return;
      try {
        if (path !== "") fold(driver);
      } finally {
        driver.close();
      }
    },
  };
}

/** The driver's own close leaves `-wal` and `-shm` beside the file; leaving WAL mode folds both in. */
function fold(driver: Driver.Database): void {
  try {
    driver.exec("PRAGMA busy_timeout = 0");
    driver.prepare("PRAGMA wal_checkpoint(TRUNCATE)").raw().all();
    driver.prepare("PRAGMA journal_mode = DELETE").raw().all();
  } catch (error) {
    // Somebody else has the file open: nothing is lost, the last one to close folds it in.
    if (!systemErrorCode(error).startsWith("SQLITE_BUSY")) throw SqliteFailure.from(error, "");
  }
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw SqliteFailure.from(error, path);
  }
}
