/** Looks for accounts whose sending was never answered: in the core's queue, and among its users. Nothing is changed. */

import type { AccountRequest } from "../../core/account-import.js";
import type { QueuedStatus } from "../../core/account-parts.js";
import type { QueuePage, QueuePageRequest } from "../../core/account-queue.js";
import type { Core } from "../../core/core.js";
import type { CoreUser } from "../../core/user.js";
import type { SentPlan } from "../../plan/plan.js";
import { isBy } from "../../plan/decide-change.js";
import { pagesOf } from "../pages.js";
import type { RowRef } from "../../events/events.js";
import { firstContact, requireContact } from "../answer-check.js";
import { contactOf, isSameAccount } from "./queued-account.js";

/** The most that a core lists at once. */
export const PAGE = 500;
/** Users asked for at each end of a batch, to see whether any of it is there: all of a batch is queued, or nothing. */
const SAMPLE = 3;

/** What was sent of one user. */
export interface Sent {
  readonly plan: SentPlan;
  readonly row: RowRef;
  readonly account: AccountRequest;
}

/** Where accounts are that may have been sent. */
export interface Located<S extends Sent> {
  /** In the queue, with the core's own id. */
  readonly queued: readonly (readonly [S, string])[];
  /** Written already. */
  readonly written: readonly (readonly [S, CoreUser])[];
  /** Neither: they weren't sent, as far as can be seen. */
  readonly absent: readonly S[];
}

/**
 * @param how `count` counts a call
 * @throws CoreFailure as the core's calls; RunError `answer_mismatch`, and as {@link pagesOf}
 */
export async function locate<S extends Sent>(
  core: Pick<Core, "listQueued" | "findUsers">,
  sent: readonly S[],
  { count, signal }: { readonly count: () => void; readonly signal: AbortSignal },
): Promise<Located<S>> {
  const ask = (request: QueuePageRequest): Promise<QueuePage> => {
    count();
    return core.listQueued(request);
  };
  const queued = await findQueued({ ask, signal }, sent);
  const rest = sent.filter((one) => !queued.has(one));
  const sample = new Set([...rest.slice(0, SAMPLE), ...rest.slice(-SAMPLE)]);
  const written: (readonly [S, CoreUser])[] = [];
  const look = async (one: S): Promise<void> => {
    signal.throwIfAborted();
    count();
    const user = await findUser(core, one);
    if (user !== null) written.push([one, user]);
  };
  for (const one of sample) await look(one);
  // One that is there, in either place, shows that the whole batch has arrived.
  if (queued.size > 0 || written.length > 0) {
    for (const one of rest) if (!sample.has(one)) await look(one);
  }
  const there = new Set(written.map(([one]) => one));
  return { queued: [...queued], written, absent: rest.filter((one) => !there.has(one)) };
}

interface QueueReading {
  readonly ask: (request: QueuePageRequest) => Promise<QueuePage>;
  readonly signal: AbortSignal;
}

/** The queue, of a state or all, page by page; as {@link pagesOf}. */
export function queuePages(
  { ask, signal }: QueueReading,
  status?: QueuedStatus,
): AsyncGenerator<QueuePage> {
  return pagesOf((paginationToken) => ask({ status, limit: PAGE, paginationToken }), signal);
}

/**
 * @param status of rows that count; all by default
 * @returns the core's own ids of those whose accounts are in the queue
 */
export async function findQueued<S extends Pick<Sent, "account">>(
  reading: QueueReading,
  sent: readonly S[],
  status?: QueuedStatus,
): Promise<Map<S, string>> {
  const byContact = new Map(sent.map((one) => [contactOf(one.account), one]));
  const found = new Map<S, string>();
  for await (const { users } of queuePages(reading, status)) {
    for (const { account, userId } of users) {
      const one = account === null ? undefined : byContact.get(contactOf(account));
      if (one === undefined || account === null || userId === undefined) continue;
      if (isSameAccount(account, one.account)) found.set(one, userId);
    }
  }
  return found;
}

async function findUser(
  core: Pick<Core, "findUsers">,
  { plan, row }: Sent,
): Promise<CoreUser | null> {
  const contact = firstContact(plan);
  const users = await core.findUsers(contact);
  const user = users.find((one) => isBy(one, plan));
  if (user === undefined) return null;
  requireContact(user, contact, row);
  return user;
}
