/** Removes a checkpoint with all that belongs to it: only one of ours, and only while no run uses it. */

import { existsSync } from "node:fs";
import { lockPathOf, removeLocked } from "../sqlite/file-lock.js";
import { lockCheckpoint } from "./lock.js";
import { openReader } from "./reader.js";
import { type CheckpointStatus, readStatus } from "./status.js";

/** What was removed. */
export interface Purge {
  /** What stood in the checkpoint; `running` false. */
  readonly status: CheckpointStatus;
  readonly removed: readonly string[];
}

/**
 * Removes a checkpoint. With it goes all that the migration knows of its users: a next run can't
 * resume, sends no changes alone, and looks every user up as a stranger.
 *
 * @throws RunError `checkpoint_missing`, `checkpoint_invalid` (not a checkpoint, or another version's),
 *   `in_use` (a run is using it), `disk`
 */
export function purgeCheckpoint(path: string): Purge {
  // Before a lock is put beside it: it may be a stranger's file.
  if (!existsSync(lockPathOf(path))) openReader(path).close();
  const unlock = lockCheckpoint(path);
  try {
    const status = { ...readStatus(path), running: false };
    return { status, removed: removeLocked(path) };
  } finally {
    unlock();
  }
}
