/** Reads the core's queue beside what others have put there: which rows are this migration's. Rows of others are never touched. */

import type { CallResult } from "../../calls/caller.js";
import type { QueuedUser } from "../../checkpoint/queued-users.js";
import type { QueuedAccount, QueuePage, QueuePageRequest } from "../../core/account-queue.js";
import type { QueuedStatus } from "../../core/account-parts.js";
import type { CoreUser } from "../../core/user.js";
import { sentForms } from "../../core/same-contact.js";
import { RunError } from "../../errors/run-error.js";
import { answerMismatch } from "../answer-check.js";
import type { RunContext } from "../run-batch.js";
import { PAGE, queuePages } from "./find-members.js";
import { type QueueEnd, reopen } from "./settle-queued.js";

/** Waits between two looks at the queue, in milliseconds: short at first, since some cores write at once. */
export const FIRST_WAIT_MS = 250;
export const LONGEST_WAIT_MS = 20_000;

/** What reading the queue takes of a run. */
export type QueueReader = Pick<RunContext, "checkpoint" | "signal"> & {
  readonly context: Pick<RunContext["context"], "core" | "caller">;
};

/** One row of the queue, and its user. */
export interface OwnRow {
  readonly user: QueuedUser;
  readonly queued: QueuedAccount;
}

/**
 * The value of a call about users in the queue; without it nothing is known of them.
 *
 * @throws RunError `outage`
 */
export function answerOf<T>(result: CallResult<T>): T {
  if (result.ok) return result.value;
  const { failure: cause } = result;
  throw new RunError("outage", `The core can't say what became of its queue: ${cause.message}`, {
    hint: "Look into the core's log, then run the same command again: it goes on where it stopped.",
    cause,
  });
}

/** How many rows the queue has, of a state or in all, also those of other clients. */
export async function countRows(
  { context: { core, caller } }: QueueReader,
  status?: QueuedStatus,
): Promise<number> {
  const ask = () => core.part("countQueued", status === undefined ? {} : { status });
  return answerOf(await caller.call("lookup", ask)).count;
}

/** This migration's rows, of a state or all, page by page. */
export async function* ownRows(run: QueueReader, status?: QueuedStatus): AsyncGenerator<OwnRow[]> {
  for await (const { users } of queuePages(listed(run), status)) yield await ownOf(run, users);
}

/** All of them at once, for who compares them, and takes none off before the last page is read. */
export async function allOwn(run: QueueReader, status?: QueuedStatus): Promise<OwnRow[]> {
  const all: OwnRow[] = [];
  for await (const rows of ownRows(run, status)) all.push(...rows);
  return all;
}

/** Each page is a call of its own, which is repeated as others are. */
export function listed({ context: { core, caller }, signal }: QueueReader) {
  const ask = async (request: QueuePageRequest): Promise<QueuePage> =>
    answerOf(await caller.call("lookup", () => core.listQueued(request)));
  return { ask, signal };
}

async function ownOf(run: QueueReader, rows: readonly QueuedAccount[]): Promise<OwnRow[]> {
  const ids = rows.flatMap(({ userId }) => userId ?? []);
  const users = new Map(run.checkpoint.queued.find(ids).map((user) => [user.coreId, user]));
  const own: OwnRow[] = [];
  for (const queued of rows) {
    const user = users.get(queued.userId ?? "");
    if (user === undefined) continue;
    const { wayIn } = queued.account ?? {};
    if (wayIn !== undefined) await requireTheirs(run, user, wayIn);
    own.push({ user, queued });
  }
  return own;
}

/** Contacts as the core shows them. */
interface Shown {
  readonly email?: string | undefined;
  readonly phoneNumber?: string | undefined;
  readonly otherContacts?: readonly string[];
}

/** Whether contacts that the core shows may be a user's: one of them is, or there are none. */
export function mayBeTheirs(
  { checkpoint: { digester } }: Pick<RunContext, "checkpoint">,
  { contacts }: QueuedUser,
  { email, phoneNumber, otherContacts = [] }: Shown,
): boolean {
  const shown = [email, phoneNumber, ...otherContacts].filter((one) => one !== undefined);
  if (shown.length === 0 || contacts.length === 0) return true;
  return shown
    .flatMap(sentForms)
    .some(({ kind, value }) => contacts.includes(digester.contact(kind, value)));
}

/**
 * Makes sure that the id which the queue gave for a user leads to them. Where it doesn't, no id of the
 * queue's is believed any more: all its users are opened again, to be found by their contacts.
 *
 * @throws RunError `answer_mismatch`
 */
async function requireTheirs(run: QueueReader, user: QueuedUser, shown: Shown): Promise<void> {
  if (mayBeTheirs(run, user, shown)) return;
  // In pieces: there may be millions.
  let some: QueuedUser[] = [];
  for (const one of run.checkpoint.queued.all()) {
    some.push({ ...one, isAgain: true });
    if (some.length < PAGE) continue;
    await reopen(run, some);
    some = [];
  }
  await reopen(run, some);
  throw answerMismatch(user.row, "with a user who has another contact than was sent");
}

/**
 * As the core shows them, who may show the vendor's id in place of its own.
 *
 * @throws RunError `answer_mismatch`
 */
export async function broughtAs(
  run: RunContext,
  user: QueuedUser,
  shown: CoreUser,
): Promise<QueueEnd> {
  await requireTheirs(run, user, shown);
  const isMapped = user.isMapped && shown.userId === user.sourceId;
  return { kind: "brought", coreId: user.coreId, isMapped };
}
