/** Takes this migration's accounts off the core's queue, so that none of them becomes a user later. */

import type { QueuedAccount } from "../core/account-queue.js";
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
    let rows = 0;
    const waiting: { readonly queued: Pick<QueuedAccount, "id"> }[] = [];
    for await (const page of ownRows(run)) {
      rows += page.length;
      for (const { queued } of page) {
        // Without the accounts, which may be many.
        if (queued.status !== "PROCESSING") waiting.push({ queued: { id: queued.id } });
      }
    }
    ours ??= rows;
    told(rows, Math.max(0, ours - rows));
    if (rows === 0) return;
    await removeRows(run, waiting);
    ours -= waiting.length;
    if (waiting.length < rows) await timing.sleep(waitMs, signal);
  }
}
