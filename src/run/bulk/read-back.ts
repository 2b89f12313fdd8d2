/** Reads users back who aren't in the queue any more, since the queue shows success by absence alone: by the core's list of users, or one by one where that is less. */

import type { QueuedUser } from "../../checkpoint/queued-users.js";
import { pagesOf } from "../pages.js";
import type { CoreUser, UserPage } from "../../core/user.js";
import type { RunContext } from "../run-batch.js";
import { PAGE } from "./find-members.js";
import { broughtAs, answerOf, mayBeTheirs } from "./queue-rows.js";
import { type EndedUser, settleQueued } from "./settle-queued.js";

/** Users asked for at once; the calls wait for each other at the gate. */
const TOGETHER = 64;

const LOST = {
  kind: "rejected",
  code: "lost_in_queue",
  hint: "The core's queue took this user, has no row for them any more, and the core doesn't know them. Look into the core's log, then run the same command again: it looks the user up and sends them anew.",
  maybeThere: true,
} as const;

/**
 * Settles the users whom the core shows.
 *
 * @returns those it doesn't
 */
export async function readBack(run: RunContext): Promise<QueuedUser[]> {
  const { queued } = run.checkpoint;
  const { core, caller } = run.context;
  const atCore = answerOf(await caller.call("lookup", () => core.countUsers()));
  if (atCore / PAGE < queued.count()) await sweep(run);
  const missing: QueuedUser[] = [];
  let asked: QueuedUser[] = [];
  const ask = async (): Promise<void> => {
    const areThere = await Promise.all(asked.map((user) => askFor(run, user)));
    missing.push(...asked.filter((_, place) => !areThere[place]));
    asked = [];
  };
  for (const user of queued.all()) {
    run.signal.throwIfAborted();
    asked.push(user);
    if (asked.length === TOGETHER) await ask();
  }
  await ask();
  return missing;
}

/**
 * By the list, from its beginning: users may have joined at any time. While the users of a page are
 * written, the next page is on its way.
 */
async function sweep(run: RunContext): Promise<void> {
  const { core, caller } = run.context;
  const pages = pagesOf(async (token): Promise<UserPage> => {
    const request = token === undefined ? {} : { paginationToken: token };
    return answerOf(await caller.call("lookup", () => core.listUsers({ limit: PAGE, ...request })));
  }, run.signal);
  let settled = Promise.resolve();
  for (let asked = pages.next(); ; ) {
    // Nothing of either may be under way when it ends.
    await Promise.allSettled([asked, settled]);
    await settled;
    const { value } = await asked;
    if (value === undefined) return;
    asked = pages.next();
    settled = settleShown(run, value.users);
  }
}

async function settleShown(run: RunContext, users: readonly CoreUser[]): Promise<void> {
  const byId = new Map<string, CoreUser>();
  for (const user of users) {
    byId.set(user.userId, user);
    if (user.recipeUserId !== undefined) byId.set(user.recipeUserId, user);
  }
  const ends: EndedUser[] = [];
  for (const user of run.checkpoint.queued.find([...byId.keys()])) {
    const byKept = user.isMapped ? byId.get(user.sourceId ?? "") : undefined;
    // The id that is to be kept may be a stranger's.
    const isKept = byKept !== undefined && mayBeTheirs(run, user, byKept);
    const found = byId.get(user.coreId) ?? (isKept ? byKept : undefined);
    if (found !== undefined) ends.push([user, await broughtAs(run, user, found)]);
  }
  await settleQueued(run, ends);
}

/** @returns whether the core knows the user */
async function askFor(run: RunContext, user: QueuedUser): Promise<boolean> {
  const { core, caller } = run.context;
  const found = answerOf(await caller.call("lookup", () => core.getUser(user.coreId)));
  if (found === null) return false;
  await settleQueued(run, [[user, await broughtAs(run, user, found)]]);
  return true;
}

/** Tells users who are neither in the queue nor at the core; asked for once more, since a round may just have ended. */
export async function settleLost(run: RunContext, users: readonly QueuedUser[]): Promise<void> {
  for (const user of users) {
    if (!(await askFor(run, user))) await settleQueued(run, [[user, LOST]]);
  }
}
