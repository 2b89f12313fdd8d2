/** Takes this migration's accounts off the core's queue, so that none of them becomes a user later. */

import type { Timing } from "../events/timing.js";
import {
  FIRST_WAIT_MS,
  LONGEST_WAIT_MS,
  ownRows,
  type QueueReader,
} from "../run/bulk/queue-rows.js";
import { removeRows } from "../run/bulk/withdraw.js";

/**
 * Resolves once the queue has no row of ours: what waits there is taken off, and what is being written is
 * waited for. Who was written meanwhile is at the core by the id that the queue gave.
 *
 * @param told how many are left, at each look, and how many the core's job has taken off meanwhile
 * @throws RunError `outage`, `answer_mismatch`
 */
export async function clearQueue(
  run: QueueReader & { readonly timing: Timing },
  told: (rows: number, written: number) => void,
): Promise<void> {
  const { checkpoint, signal, timing } = run;
  if (checkpoint.queued.count() === 0) return;
  checkpoint.queued.note();
  let ours: number | null = null;
  for (
    let waitMs = FIRST_WAIT_MS;
    !signal.aborted;
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)
  ) {
    let [rows, removed] = [0, 0];
    for await (const page of ownRows(run)) {
      const waiting = page.filter(({ queued }) => queued.status !== "PROCESSING");
      await removeRows(run, waiting);
      rows += page.length;
      removed += waiting.length;
    }
    ours ??= rows;
    told(rows, Math.max(0, ours - rows));
    if (rows === 0) return;
    ours -= removed;
    if (removed < rows) await timing.sleep(waitMs, signal);
  }
}
