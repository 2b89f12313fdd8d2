/** One run at a time on a checkpoint. */

import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { optionName } from "../errors/option-name.js";
import { RunError } from "../errors/run-error.js";
import { lockPathOf, takeLock } from "../sqlite/file-lock.js";
import { isLockedExclusively } from "../sqlite/reading.js";
import { isBusy, SqliteFailure } from "../sqlite/sqlite-failure.js";
import { CHECKPOINT_FILE } from "./schema.js";

/**
 * Takes the lock of a checkpoint.
 *
 * @returns what gives the lock back
 * @throws RunError `in_use` when another run holds it, `file_not_private`, `disk`
 */
export function lockCheckpoint(checkpointPath: string): () => void {
  const path = lockPathOf(checkpointPath);
  try {
    return takeLock(path, CHECKPOINT_FILE.applicationId);
  } catch (error) {
    throw lockError(error, checkpointPath, path);
  }
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

function lockError(error: unknown, checkpointPath: string, path: string): RunError {
  if (error instanceof RunError) return error;
  if (isBusy(error)) {
    return new RunError("in_use", `Another run is using ${checkpointPath}.`, {
      hint: `Wait until it ends and run the same command again, or give this run a checkpoint of its own with ${optionName("--checkpoint")}. If no other run goes on, this file system can't lock files, as some network shares can't: put the checkpoint on a disk of this machine.`,
      cause: error,
    });
  }
  const folder = dirname(path);
  return new RunError("disk", `Cannot lock the checkpoint: ${whyNot(error, path, folder)}.`, {
    hint: `Run in a folder that you may write to, on a disk of this machine, or name another place with ${optionName("--checkpoint")}.`,
    cause: error,
  });
}

function whyNot(error: unknown, path: string, folder: string): string {
  if (!existsSync(folder)) return `there is no folder ${folder}`;
  // A network's file system may keep files and refuse locks.
  const isThere = existsSync(path) && error instanceof SqliteFailure;
  return isThere ? error.message : `${path} is not writable`;
}
