/** Takes this migration's accounts off the core's queue, so that none of them becomes a user later. */

import type { Timing } from "../events/timing.js";
import {
  FIRST_WAIT_MS,
  LONGEST_WAIT_MS,
  type OwnRow,
  ownRows,
  type QueueReader,
} from "../run/bulk/queue-rows.js";
import { removeRows } from "../run/bulk/withdraw.js";

/**
 * Resolves once the queue has no row of ours: what waits there is taken off, and what is being written is
 * waited for. Who was written meanwhile is at the core by the id that the queue gave.
 *
 * @param told how many are left, at each look
 * @throws RunError `outage`, `answer_mismatch`
 */
export async function clearQueue(
  run: QueueReader & { readonly timing: Timing },
  told: (rows: number) => void,
): Promise<void> {
  const { checkpoint, signal, timing } = run;
  if (checkpoint.queued.count() === 0) return;
  checkpoint.queued.note();
  for (
    let waitMs = FIRST_WAIT_MS;
    !signal.aborted;
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)
  ) {
    const rows: OwnRow[] = [];
    for await (const page of ownRows(run)) rows.push(...page);
    told(rows.length);
    if (rows.length === 0) return;
    const waiting = rows.filter(({ queued }) => queued.status !== "PROCESSING");
    await removeRows(run, waiting);
    if (waiting.length < rows.length) await timing.sleep(waitMs, signal);
  }
}
