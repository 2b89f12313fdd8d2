/** Where a checkpoint stands, also while a run goes on. It reads the file beside the run, takes no lock and changes nothing. */

import { statSync } from "node:fs";
import { RunError } from "../errors/run-error.js";
import { realPathOf } from "../files/own-file.js";
import { type CoreBinding, checkpointError } from "./checkpoint.js";
import { isLocked } from "./lock.js";
import { type CheckpointReader, openReader } from "./reader.js";
import type { Shard } from "../events/shard.js";
import type { StateCounts } from "./state-counts.js";

/** What a checkpoint says about its migration. Holds no contact, no hash and no id. */
export interface CheckpointStatus extends StateCounts {
  /** The file, as it was named. */
  readonly checkpoint: string;
  /** The core that it belongs to; null where no user was sent yet. */
  readonly core: CoreBinding | null;
  /** The shard whose part was imported with it last; null where none was. */
  readonly shard: Shard | null;
  /** Whether a run holds its lock now. */
  readonly running: boolean;
  /** When it was made; null for one of a version that didn't note it. */
  readonly begunAt: Date | null;
  /** When something was written last. */
  readonly writtenAt: Date;
  /** When people began to sign in at the core; null where `cutover` hasn't recorded it. */
  readonly cutoverAt: Date | null;
}

/**
 * Reads where a checkpoint stands.
 *
 * In the process of the run itself the reading keeps that run from folding the file at its end; ask
 * from a process of its own.
 *
 * @throws RunError `checkpoint_missing`, `checkpoint_invalid` (not a checkpoint, or a newer one), `disk`
 */
export function readStatus(path: string): CheckpointStatus {
  const reader = openReader(path);
  try {
    return statusOf(reader);
  } catch (error) {
    throw checkpointError(error, path);
  } finally {
    reader.close();
  }
}

/** What a checkpoint that is open says. */
export function statusOf(reader: CheckpointReader): CheckpointStatus {
  const { path } = reader;
  const part = reader.part();
  return {
    checkpoint: path,
    core: reader.binding(),
    shard: part && { index: part.index, count: part.count },
    running: isLocked(path),
    begunAt: reader.begunAt(),
    writtenAt: writtenAt(path),
    cutoverAt: reader.cutoverAt(),
    ...reader.counts(),
  };
}

/**
 * Refuses a checkpoint from which no user was sent: it belongs to no core, so that nothing at one
 * can be compared with it.
 *
 * @throws RunError `checkpoint_empty`
 */
export function requireUsersSent({
  checkpoint,
  core,
}: Pick<CheckpointStatus, "checkpoint" | "core">): CoreBinding {
  if (core !== null) return core;
  throw new RunError("checkpoint_empty", `No user was sent by the checkpoint ${checkpoint} yet.`, {
    hint: "Run the import first, or name the checkpoint of the one that ran with --checkpoint FILE.",
  });
}

/**
 * Reads which core a checkpoint belongs to. Unlike {@link readStatus} it counts no users.
 *
 * @throws RunError `checkpoint_missing`, `checkpoint_invalid` (not a checkpoint, or a newer one),
 *   `checkpoint_empty`, `disk`
 */
export function requireBound(path: string): CoreBinding {
  const reader = openReader(path);
  try {
    return requireUsersSent({ checkpoint: path, core: reader.binding() });
  } catch (error) {
    throw checkpointError(error, path);
  } finally {
    reader.close();
  }
}

/** The file system's time of the last write, to the file or to the log that a run keeps beside it. */
function writtenAt(path: string): Date {
  const file = realPathOf(path);
  const times = [file, `${file}-wal`].map((name) => {
    const stat = statSync(name, { throwIfNoEntry: false });
    return stat === undefined || stat.size === 0 ? 0 : stat.mtimeMs;
  });
  return new Date(Math.max(...times));
}
