/** One run at a time: a lock that the operating system drops with the process, however it dies. It looks at no clock and no process id. */

import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { RunError } from "../errors/run-error.js";
import { type Database, openDatabase } from "../sqlite/database.js";
import { realPathOf } from "../files/own-file.js";
import { isLockedExclusively } from "../sqlite/reading.js";
import { SqliteFailure } from "../sqlite/sqlite-failure.js";
import { CHECKPOINT_APPLICATION_ID } from "./schema.js";

/** Long enough for a command that only asks whether the lock is held, {@link isLocked}. */
const ASKING_MS = 250;
/** Purges of other processes to meet in a row, each with a new lock file behind it. */
const MOST_TRIES = 20;

/**
 * Takes the lock of a checkpoint. It is a write lock on an empty SQLite file beside it, which
 * stays there when a run ends.
 *
 * @returns what gives the lock back
 * @throws RunError `checkpoint_locked` when another run holds it, `file_not_private`, `disk`
 */
export function lockCheckpoint(checkpointPath: string): () => void {
  const path = lockPathOf(checkpointPath);
  try {
    const database = takeLock(path);
    return () => release(database);
  } catch (error) {
    throw lockError(error, checkpointPath, path);
  }
}

/** A purge removes the checkpoint's lock as well, and a lock on a removed file keeps no run out. */
function takeLock(path: string): Database {
  let failure: unknown;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const before = inodeOf(path);
    try {
      const database = lockFile(path);
      if (before !== null && inodeOf(path) === before) return database;
      release(database);
    } catch (error) {
      // A file that was replaced meanwhile is a purge's doing, and tried again.
      const isRefused = error instanceof RunError && inodeOf(path) === before;
      if (isBusy(error) || isRefused) throw error;
      failure ??= error;
    }
  }
  throw failure ?? new SqliteFailure("busy", `${path} is replaced again and again`);
}

function lockFile(path: string): Database {
  const database = openDatabase(path, {
    applicationId: CHECKPOINT_APPLICATION_ID,
    migrations: [],
    journal: "none",
    busyTimeoutMs: ASKING_MS,
  });
  try {
    database.exec("BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof SqliteFailure && error.kind === "busy";
}

/**
 * Whether a run holds the lock now. It takes none itself and creates nothing.
 *
 * @throws RunError `disk`
 */
export function isLocked(checkpointPath: string): boolean {
  const path = lockPathOf(checkpointPath);
  try {
    return isLockedExclusively(path);
  } catch (error) {
    throw lockError(error, checkpointPath, path);
  }
}

/** Where the lock of a checkpoint is: one place for a file that is reached by a link as well. */
export function lockPathOf(checkpointPath: string): string {
  return `${realPathOf(checkpointPath)}.lock`;
}

function release(database: Database): void {
  database.exec("ROLLBACK");
  database.close();
}

function inodeOf(path: string): bigint | null {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}

function lockError(error: unknown, checkpointPath: string, path: string): RunError {
  if (error instanceof RunError) return error;
  if (isBusy(error)) {
    return new RunError("checkpoint_locked", `Another run is using ${checkpointPath}.`, {
      hint: "Wait until it ends and run the same command again, or give this run a checkpoint of its own with --checkpoint. If no other run goes on, this file system can't lock files, as some network shares can't: put the checkpoint on a disk of this machine.",
      cause: error,
    });
  }
  const folder = dirname(path);
  return new RunError("disk", `Cannot lock the checkpoint: ${whyNot(error, path, folder)}.`, {
    hint: "Run in a folder that you may write to, on a disk of this machine, or name another place with --checkpoint.",
    cause: error,
  });
}

function whyNot(error: unknown, path: string, folder: string): string {
  if (!existsSync(folder)) return `there is no folder ${folder}`;
  // A network's file system may keep files and refuse locks.
  const isThere = existsSync(path) && error instanceof SqliteFailure;
  return isThere ? error.message : `${path} is not writable`;
}
