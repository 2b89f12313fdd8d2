/** Records the cut-over: from then on people sign in at the core, and no run overwrites anything of theirs. It asks no core and changes no user. */

import { closeAfterFailure } from "../errors/run-error.js";
import { checkpointError, openCheckpoint } from "../checkpoint/checkpoint.js";
import { type CheckpointStatus, readStatus } from "../checkpoint/status.js";
import { requireNoneBegun } from "./preflight.js";

/** What was recorded. */
export interface Cutover {
  /** What stands in the checkpoint; `cutoverAt` as it is from now on. */
  readonly status: CheckpointStatus;
  /** False where the checkpoint said so before. */
  readonly changed: boolean;
}

/**
 * Records in a checkpoint that people sign in at the core. Doing it again changes nothing: the first
 * moment stands.
 *
 * @param revoke records that they don't, so that changed hashes are sent again; false by default
 * @param now epoch milliseconds, as recorded
 * @throws RunError `checkpoint_missing`, `checkpoint_invalid` (not a checkpoint, or another version's),
 *   `in_use` (a run is using it), `undo_unfinished`, `disk`
 */
export function recordCutover(
  path: string,
  { revoke = false, now = () => Date.now() }: { revoke?: boolean; now?: () => number } = {},
): Cutover {
  // Before a checkpoint is created where there is none.
  const status = readStatus(path);
  const checkpoint = openCheckpoint(path);
  try {
    // Nothing finishes an undo after the cut-over.
    if (!revoke) requireNoneBegun(checkpoint);
    const changed = (checkpoint.cutOver() === null) !== revoke;
    const time = revoke ? null : now();
    if (changed) checkpoint.recordCutOver(time);
    // Before anything is told, so that a disk that is full by now is told instead.
    checkpoint.close();
    if (!changed) return { status, changed };
    return { status: { ...status, cutoverAt: time === null ? null : new Date(time) }, changed };
  } catch (error) {
    closeAfterFailure(checkpoint);
    throw checkpointError(error, path);
  }
}
