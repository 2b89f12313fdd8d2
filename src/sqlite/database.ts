/** Opens SQLite files the one way this project does: private, WAL, fsync on every commit, versioned. */

import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type Driver from "libsql";
import { systemErrorCode } from "../errors/run-error.js";
import {
  type Database,
  openDriver,
  wrap,
  checkOwner,
  type OwnerOptions,
  pragma,
} from "./driver.js";
import { claimFile } from "./private-file.js";
import { SqliteFailure } from "./sqlite-failure.js";

export type { Database, SqlValue, Statement } from "./driver.js";

/** The size, in MiB, of the write-ahead log from which on SQLite copies it into the file. */
const LOG_MIB = 32;
const PAGE_KIB = 4;
/** With twice of it the embedded core's rows take 4 % less processor time, an import one: the system caches the file, too. */
const CACHE_KIB = 4096;

/** Milliseconds between two tries to fold a file that another process reads. */
const FOLD_POLL_MS = 20;

export interface OpenOptions extends OwnerOptions {
  /**
   * How large the write-ahead log grows, in MiB, before it is copied into the file; 32 by default.
   * Where rows come in no index's order, a smaller one has the same pages copied again and again;
   * SQLite's own is 4.
   */
  readonly logMiB?: number;
  /**
   * Size of a new file's pages in KiB, a power of two up to 64; 4 by default. Where rows are
   * appended, larger ones are written fewer times; where they come in no order, whole ones are
   * written for a row each.
   */
  readonly pageKiB?: number;
  /** `wal` (default), or `none` to leave SQLite's setting: for a file that is only a lock. */
  readonly journal?: "wal" | "none";
  /** How long to wait for another process's lock, in milliseconds; 10 000 by default. */
  readonly busyTimeoutMs?: number;
  /**
   * How long `close` waits, in milliseconds, for another process that reads, so that it can fold the
   * file; 0 by default.
   */
  readonly foldWaitMs?: number;
  /** Refuse to create the file; `SqliteFailure` `missing` instead. */
  readonly mustExist?: boolean;
}

/**
 * Opens or creates a SQLite file, mode 0600.
 *
 * @param path a file, or `""` for a temporary database of this process, which is gone once it is closed
 * @throws SqliteFailure `missing`, `foreign` (not SQLite, another application's, another version's),
 *   `busy`, `disk`
 * @throws RunError `file_not_private`
 */
export function openDatabase(path: string, options: OpenOptions): Database {
  if (path === "") return openTemporary(options);
  const keepPrivate = claimFile(path, options.mustExist === true);
  const driver = openDriver(path, options.busyTimeoutMs);
  const database = wrap(driver, path, () => fold(driver, options.foldWaitMs ?? 0));
  try {
    prepareFile(database, options, keepPrivate);
    return database;
  } catch (error) {
    driver.close();
    throw error;
  }
}

/**
 * A private copy of an open file as it stands now, beside the process that writes to it. As a temporary
 * database it is gone when it is closed or the process dies.
 *
 * @throws as {@link openDatabase}
 */
export function openCopy(source: Database, options: OpenOptions): Database {
  return openTemporary(options, (path) => source.prepare("VACUUM INTO ?").run(path));
}

/**
 * A file without a name: it is unlinked as soon as it is open, so that not even a `kill -9` leaves
 * it behind. SQLite's own temporary databases won't do: nothing can be copied into one.
 *
 * @param fill writes what the file begins with; by default nothing
 */
function openTemporary(options: OpenOptions, fill: (path: string) => void = () => {}): Database {
  const directory = inDirectory(tmpdir(), (parent) => mkdtempSync(join(parent, "auth-migrate-")));
  const path = join(directory, "temporary.db");
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  let driver: Driver.Database | undefined;
  try {
    const keepPrivate = claimFile(path, false);
    fill(path);
    driver = openDriver(path, options.busyTimeoutMs);
    // The rollback journal would be a second file.
    driver.exec("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF");
    const database = wrap(driver, "");
    prepareFile(database, { ...options, journal: "none" }, keepPrivate);
    if (process.platform !== "win32") remove();
    return {
      ...database,
      close() {
        database.close();
        remove();
      },
    };
  } catch (error) {
    driver?.close();
    remove();
    throw error;
  }
}

/** @throws SqliteFailure `disk` where nothing can be written there */
function inDirectory<T>(directory: string, work: (directory: string) => T): T {
  try {
    return work(directory);
  } catch (error) {
    const why = `cannot write to ${directory} (${systemErrorCode(error)})`;
    throw new SqliteFailure("disk", why, error);
  }
}

/** MiB of its pages in memory: with four a sort takes less time than with 32. */
const SCRATCH_CACHE_MIB = 4;

/**
 * A connection for tables that don't fit into memory, `CREATE TEMP TABLE`: SQLite keeps them, and what
 * it sorts, in files without a name, that are gone with the process.
 *
 * @param directory of those files; what other connections of this process spill follows
 * @param beside an open file whose tables are to be asked beside them; by default nothing is
 * @throws SqliteFailure `disk` where nothing can be written there
 */
export function openScratch(directory: string, beside: Database | null = null): Database {
  inDirectory(directory, () => accessSync(directory, constants.W_OK));
  const database = beside ?? wrap(openDriver(":memory:"), "");
  // By default this driver sorts in memory.
  database.exec(
    `PRAGMA temp_store = FILE; PRAGMA temp_store_directory = '${resolve(directory).replaceAll("'", "''")}';
     PRAGMA temp.journal_mode = OFF; PRAGMA temp.cache_size = -${SCRATCH_CACHE_MIB * 1024}`,
  );
  return database;
}

function prepareFile(database: Database, options: OpenOptions, keepPrivate: () => void): void {
  // Before anything is written: another application's file is left as it was.
  const isNew = checkOwner(database, options);
  keepPrivate();
  // Of a file that has pages it says nothing.
  database.exec(`PRAGMA page_size = ${(options.pageKiB ?? PAGE_KIB) * 1024}`);
  if ((options.journal ?? "wal") === "wal") {
    pragma(database, "journal_mode = WAL");
    database.exec("PRAGMA synchronous = FULL");
    const [[pageBytes] = [PAGE_KIB * 1024]] = database.prepare<[number]>("PRAGMA page_size").all();
    const pages = ((options.logMiB ?? LOG_MIB) * 2 ** 20) / pageBytes;
    database.exec(`PRAGMA wal_autocheckpoint = ${pages}`);
    // The log is open from here on.
    keepPrivate();
  }
  database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
  if (!isNew || options.schema === "") return;
  database.exec("BEGIN IMMEDIATE");
  try {
    // Looked at again under the lock: another process may have made the tables meanwhile.
    if (checkOwner(database, options)) {
      database.exec(options.schema);
      database.exec(`PRAGMA application_id = ${options.applicationId}`);
      database.exec(`PRAGMA user_version = ${options.version}`);
    }
    database.exec("COMMIT");
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Rolls a failed transaction back; the caller throws the first failure. */
export function rollBack(database: Database): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // A full disk or an I/O error has rolled back already.
  }
}

/** The driver's own close leaves `-wal` and `-shm` beside the file; leaving WAL mode folds both in. */
function fold(driver: Driver.Database, waitMs: number): void {
  driver.exec("PRAGMA busy_timeout = 0");
  const end = performance.now() + waitMs;
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      driver.prepare("PRAGMA wal_checkpoint(TRUNCATE)").raw().all();
      driver.prepare("PRAGMA journal_mode = DELETE").raw().all();
      return;
    } catch (error) {
      // Another process has the file open: the last one to close folds it in.
      if (!systemErrorCode(error).startsWith("SQLITE_BUSY")) throw SqliteFailure.from(error, "");
      // SQLite's own waiting doesn't serve a change of the journal's mode.
      if (performance.now() >= end) return;
      Atomics.wait(pause, 0, 0, FOLD_POLL_MS);
    }
  }
}
