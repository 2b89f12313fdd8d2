/** Takes users whom an earlier run has given to the core's queue off it again, so that each goes by calls of their own. */

import type { QueuedUser } from "../../checkpoint/queued-users.js";
import { STATE } from "../../plan/states.js";
import type { RunContext } from "../run-batch.js";
import { PAGE } from "./find-members.js";
import { type OwnRow, ownRows, answerOf } from "./queue-rows.js";
import { maybeThere } from "./settle-queued.js";

/**
 * Before any row is read. Users who have no row in the queue stay as they are, to be read back at the
 * run's end; one whose row was being written just now is found by the lookup.
 */
export async function withdrawQueued(run: RunContext): Promise<void> {
  const { core, caller } = run.context;
  const { queued } = run.checkpoint;
  if (run.signal.aborted || queued.count() === 0) return;
  queued.note();
  try {
    const all: OwnRow[] = [];
    for await (const rows of ownRows(run)) all.push(...rows);
    for (let start = 0; start < all.length; start += PAGE) {
      const rows = all.slice(start, start + PAGE);
      const ids = rows.map(({ queued: row }) => row.id);
      answerOf(await caller.call("part", () => core.part("removeQueued", { ids })));
      await Promise.all(rows.map(({ user }) => openAgain(run, user)));
    }
  } catch (error) {
    run.stop.fail(error);
  }
}

/** As after a call without an answer: the next lookup says whether the user is there. */
function openAgain({ checkpoint }: RunContext, user: QueuedUser): Promise<void> {
  return checkpoint.ledger.settle({ ...maybeThere(user), state: STATE.intent });
}
