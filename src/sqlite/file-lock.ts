/** One process at a time: a lock that the operating system drops with the process, however it dies. It looks at no clock and no process id. */

import { existsSync, rmSync, statSync } from "node:fs";
import { RunError, systemErrorCode } from "../errors/run-error.js";
import { ReplacedFile, realPathOf } from "../files/own-file.js";
import { type Database, openDatabase } from "./database.js";
import { isBusy, SqliteFailure } from "./sqlite-failure.js";

/** Long enough for another process that only asks whether the lock is held. */
const ASKING_MS = 250;
/** Files that other processes removed to meet in a row, each with a new lock file behind it. */
const MOST_TRIES = 20;

/** Where the lock of a file is: one place for a file that is reached by a link as well. */
export function lockPathOf(path: string): string {
  return `${realPathOf(path)}.lock`;
}

/**
 * Takes the lock at `lockPath`. It is a write lock on an empty SQLite file, which stays there when
 * it is given back. Another process may remove that file together with what it protects.
 *
 * @returns what gives the lock back
 * @throws SqliteFailure `busy` where another process holds it, and others; RunError `file_not_private`
 */
export function takeLock(lockPath: string, applicationId: number): () => void {
  let failure: unknown;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const before = inodeOf(lockPath);
    try {
      const database = lockFile(lockPath, applicationId);
      // A lock on a removed file keeps no process out.
      if (before !== null && inodeOf(lockPath) === before) return () => release(database);
      release(database);
    } catch (error) {
      if (isBusy(error)) throw error;
      // A file that was replaced meanwhile is a removal's doing, and tried again.
      if (error instanceof ReplacedFile || inodeOf(lockPath) !== before) continue;
      if (error instanceof RunError) throw error;
      failure ??= error;
    }
  }
  throw failure ?? new SqliteFailure("busy", `${lockPath} is replaced again and again`);
}

/**
 * Removes a SQLite file, what SQLite has beside it, and its lock, which the caller holds.
 *
 * @returns the files that were there and are gone
 * @throws RunError `disk`
 */
export function removeLocked(path: string): string[] {
  const file = realPathOf(path);
  // The file itself goes first: without it SQLite takes what is left beside it for nothing.
  const beside = ["-wal", "-shm", "-journal"].map((suffix) => `${file}${suffix}`);
  const link = file === path ? [] : [path];
  const there = [file, ...beside, lockPathOf(path), ...link].filter(
    (name) => name === path || existsSync(name),
  );
  try {
    for (const name of there) rmSync(name, { force: true });
  } catch (cause) {
    const why = systemErrorCode(cause);
    throw new RunError("disk", `${path} can't be removed (${why}).`, {
      hint: "Check who may write to its directory, then run the same command again.",
      cause,
    });
  }
  return there;
}

function lockFile(path: string, applicationId: number): Database {
  const options = { journal: "none", busyTimeoutMs: ASKING_MS } as const;
  const database = openDatabase(path, { applicationId, schema: "", version: 0, ...options });
  try {
    database.exec("BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function release(database: Database): void {
  database.exec("ROLLBACK");
  database.close();
}

function inodeOf(path: string): bigint | null {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}
