/** The end of a run that has users in the core's queue: it watches the queue until none of them is there, reads them back, and tells those who failed, are stuck or were lost. It may be stopped at any moment, and the next run goes on. */

import { finding } from "../../events/findings.js";
import type { RowRef } from "../../events/events.js";
import type { Run } from "../read-all.js";
import type { RunContext } from "../run-batch.js";
import { countRows, ownRows, takeFailures } from "./queue-rows.js";
import { readBack, settleLost } from "./read-back.js";

/** Waits between two looks at the queue, in milliseconds: short at first, since some cores write at once. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 20_000;
/** Three rounds of the public counterpart, whose job comes every five minutes. */
const STUCK_MS = 3 * 300_000 + 30_000;
/** Rows of stuck users that are named. */
const MOST_NAMED = 3;

/**
 * Waits for the users in the queue. Who is left there has no outcome yet.
 *
 * @throws RunError what ends the run, `disk`
 */
export async function awaitQueue(run: Run): Promise<void> {
  const { queued } = run.checkpoint;
  if (run.signal.aborted || queued.count() === 0) return;
  queued.note();
  try {
    for (;;) {
      if (!(await watch(run))) return;
      const missing = await readBack(run);
      if (missing.length === 0) return;
      // A row that changed its state while the queue was listed may be there still.
      const there = new Set<number>();
      for await (const rows of ownRows(run)) for (const { user } of rows) there.add(user.id);
      await settleLost(
        run,
        missing.filter(({ id }) => !there.has(id)),
      );
      if (there.size === 0) return;
    }
  } catch (error) {
    run.stop.fail(error);
  }
}

/** @returns false where users are left in the queue, and the run is to end */
async function watch(run: Run): Promise<boolean> {
  const { signal, checkpoint, timing, emit } = run;
  const began = timing.now();
  const ours = checkpoint.queued.count();
  let changedAt = began;
  let last = "";
  let failed = 0;
  let failedRows = 0;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)) {
    const rows = await countRows(run);
    const failures = await countRows(run, "FAILED");
    if (failures !== failedRows) {
      const taken = await takeFailures(run);
      failed += taken.users;
      failedRows = failures - taken.rows;
    }
    // In the order in which a row goes through them.
    const waits = (await hasOwn(run, "NEW")) || (await hasOwn(run, "PROCESSING"));
    const now = timing.now();
    const waiting = Math.min(rows - failures, ours - failed);
    const written = waits ? Math.max(0, ours - failed - waiting) : ours - failed;
    const queued = ours - written - failed;
    const leftMs = written === 0 ? null : Math.round(((now - began) / written) * queued);
    emit({ type: "queue", queued, written, failed, leftMs });
    if (!waits) return true;
    const state = `${rows} ${failures}`;
    if (state !== last) [last, changedAt] = [state, now];
    if (now - changedAt >= STUCK_MS) {
      emit({ type: "finding", ...(await stuckFinding(run)) });
      return false;
    }
    if (signal.aborted) return false;
    await timing.sleep(waitMs, signal);
    if (signal.aborted) return false;
  }
}

async function hasOwn(run: RunContext, status: "NEW" | "PROCESSING"): Promise<boolean> {
  for await (const rows of ownRows(run, status)) if (rows.length > 0) return true;
  return false;
}

async function stuckFinding(run: RunContext) {
  const { queued } = run.checkpoint;
  const rows: RowRef[] = [];
  for (const { row } of queued.all()) {
    if (rows.push(row) === MOST_NAMED) break;
  }
  return finding("queue_stuck", { count: queued.count(), rows });
}
