/** Takes users whom an earlier run has given to the core's queue off it again, so that each goes by calls of their own. */

import type { QueuedAccount } from "../../core/account-queue.js";
import type { RunContext } from "../run-batch.js";
import { PAGE } from "./find-members.js";
import { answerOf, type OwnRow, ownRows, type QueueReader } from "./queue-rows.js";
import { reopen } from "./settle-queued.js";

/**
 * Before any row is read. Users who have no row in the queue stay as they are, to be read back at the
 * run's end, as does one whose row a page has missed; one whose row was being written just now is found
 * by the lookup.
 */
export async function withdrawQueued(run: RunContext): Promise<void> {
  const { queued } = run.checkpoint;
  if (run.signal.aborted || queued.count() === 0) return;
  queued.note();
  try {
    for await (const rows of ownRows(run)) await takeOff(run, rows);
  } catch (error) {
    run.stop.fail(error);
  }
}

/** Takes rows off the queue whose users are opened again. */
export function takeOff(run: RunContext, all: readonly OwnRow[]): Promise<void> {
  // First: a user who is in the queue, but in no row and not at the core, would be lost there.
  return removeRows(run, all, (rows) => {
    const users = rows.map(({ user }) => user);
    return reopen(run, users);
  });
}

/** @param before what is done for the rows of a call before it is made */
export async function removeRows<Row extends { readonly queued: Pick<QueuedAccount, "id"> }>(
  { context: { core, caller } }: Pick<QueueReader, "context">,
  all: readonly Row[],
  before: (rows: readonly Row[]) => Promise<void> = async () => {},
): Promise<void> {
  for (let start = 0; start < all.length; start += PAGE) {
    const rows = all.slice(start, start + PAGE);
    await before(rows);
    const ids = rows.map(({ queued }) => queued.id);
    answerOf(await caller.call("part", () => core.part("removeQueued", { ids })));
  }
}
