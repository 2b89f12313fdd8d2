/** Reads the core's queue beside what others have put there: which rows are this migration's, and what has become of those that failed. Rows of others are never touched. */

import type { CallResult } from "../../calls/caller.js";
import type { QueuedUser } from "../../checkpoint/queued-users.js";
import type { QueuedAccount, QueuePage, QueuePageRequest } from "../../core/account-queue.js";
import type { QueuedStatus } from "../../core/account-parts.js";
import type { CodeRequest } from "../../core/core.js";
import type { CoreUser } from "../../core/user.js";
import { RunError } from "../../errors/run-error.js";
import { MAPPED } from "../../plan/states.js";
import { queuedOf } from "../../plan/writes.js";
import { mayHaveContact } from "../answer-check.js";
import { endOfRun } from "../carry-out.js";
import type { RunContext } from "../run-batch.js";
import { findQueued, PAGE, queuePages } from "./find-members.js";
import { type EndedUser, type QueueEnd, settleQueued } from "./settle-queued.js";

/** One row of the queue, and its user. */
export interface OwnRow {
  readonly user: QueuedUser;
  readonly queued: QueuedAccount;
}

/**
 * The value of a call about users in the queue, of whom nothing can be said without it.
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
  { context: { core, caller } }: RunContext,
  status?: QueuedStatus,
): Promise<number> {
  const ask = () => core.part("countQueued", status === undefined ? {} : { status });
  return answerOf(await caller.call("lookup", ask)).count;
}

/** This migration's rows, of a state or all, page by page. */
export async function* ownRows(run: RunContext, status?: QueuedStatus): AsyncGenerator<OwnRow[]> {
  for await (const rows of queuePages(listed(run), status)) yield ownOf(run, rows);
}

/** Each page is a call of its own, which is repeated as others are. */
function listed({
  context: { core, caller },
}: RunContext): (request: QueuePageRequest) => Promise<QueuePage> {
  return async (request) => answerOf(await caller.call("lookup", () => core.listQueued(request)));
}

function ownOf(run: RunContext, rows: readonly QueuedAccount[]): OwnRow[] {
  const ids = rows.flatMap(({ userId }) => userId ?? []);
  const users = new Map(run.checkpoint.queued.find(ids).map((user) => [user.coreId, user]));
  return rows.flatMap((queued) => {
    const user = users.get(queued.userId ?? "");
    return user === undefined ? [] : [{ user, queued }];
  });
}

/**
 * Takes this migration's rows that have failed off the queue, and writes why.
 *
 * @returns how many rows were taken off, and how many users have ended so
 */
export async function takeFailures(
  run: RunContext,
): Promise<{ readonly rows: number; readonly users: number }> {
  const { core, caller } = run.context;
  const failed: OwnRow[] = [];
  // First all of them: rows that are taken off move those behind them.
  for await (const rows of ownRows(run, "FAILED")) failed.push(...rows);
  const twins = await findTwins(run, failed);
  await Promise.all([...twins].map(([{ user }, coreId]) => waitForTwin(run, user, coreId)));
  if (twins.size > 0) run.checkpoint.queued.note();
  for (let start = 0; start < failed.length; start += PAGE) {
    const rows = failed.slice(start, start + PAGE);
    const ends: EndedUser[] = [];
    for (const row of rows) if (!twins.has(row)) ends.push([row.user, await endOf(run, row)]);
    const ids = rows.map(({ queued }) => queued.id);
    // The queue shows their hashes for as long as they stand there.
    answerOf(await caller.call("part", () => core.part("removeQueued", { ids })));
    await settleQueued(run, ends);
  }
  return { rows: failed.length, users: failed.length - twins.size };
}

/**
 * Of accounts that may have been queued twice, those whose other row is still to be written: the two
 * were in one transaction, which made nothing of both and told one of them that the other exists.
 *
 * @returns the core's own id of the other one
 */
async function findTwins(run: RunContext, failed: readonly OwnRow[]): Promise<Map<OwnRow, string>> {
  const sent = failed.flatMap((row) => {
    if (!row.user.isAgain || row.queued.account === null) return [];
    // Where the export has no time of joining, each row has that of its own request.
    const { timeJoined: _, ...account } = row.queued.account;
    return [{ row, account }];
  });
  const found = new Map<OwnRow, string>();
  for (const status of ["NEW", "PROCESSING"] as const) {
    if (sent.length === 0) break;
    const ids = await findQueued(listed(run), sent, status);
    for (const [{ row }, id] of ids) found.set(row, id);
  }
  return found;
}

/** The user is to come by the other row. */
function waitForTwin({ checkpoint }: RunContext, user: QueuedUser, coreId: string): Promise<void> {
  const mapped = user.isMapped ? MAPPED.yes : MAPPED.no;
  return checkpoint.ledger.settle(queuedOf(user, { coreId, mapped, isAgain: true }));
}

/** Words of the public counterpart for contacts, and for a row of its database, that some user has already. */
const EXISTS = /^E00[3567]\b|^translated\b|duplicate key/;

async function endOf(run: RunContext, { user, queued }: OwnRow): Promise<QueueEnd> {
  const { core, caller } = run.context;
  const own = answerOf(await caller.call("lookup", () => core.getUser(user.coreId)));
  if (own !== null) return broughtAs(user, own);
  const reason = queued.errorMessage ?? "no reason";
  const other = EXISTS.test(reason) ? await findOther(run, queued) : null;
  if (other === null) {
    const hint = `The core refused this user: ${reason}`;
    return { kind: "rejected", code: "core_refused", hint, maybeThere: false };
  }
  const { user: there, isSplit } = other;
  // The account was sent twice, and is there since the other time, with all contacts.
  const isOurs = user.isMapped && there.userId === user.sourceId;
  if (isOurs || (user.isAgain && !isSplit)) {
    return { kind: "brought", coreId: ownIdOf(user, there), isMapped: isOurs };
  }
  const { policy } = run.context;
  if (policy.assumeEmpty) run.stop.fail(endOfRun("core_not_empty", user.row));
  else if (policy.onExisting === "fail") run.stop.fail(endOfRun("user_exists", user.row));
  return { kind: "existed", coreId: there.userId, isSplit };
}

/** As the core shows them, who may show the vendor's id in place of its own. */
export function broughtAs(user: QueuedUser, shown: CoreUser): QueueEnd {
  const isMapped = user.isMapped && shown.userId === user.sourceId;
  return { kind: "brought", coreId: user.coreId, isMapped };
}

function ownIdOf({ coreId }: QueuedUser, { userId, recipeUserId = userId }: CoreUser): string {
  return recipeUserId === "" ? coreId : recipeUserId;
}

/** Who has a contact of an account and signs in as it says; `isSplit`: they don't have all of them. */
async function findOther(
  run: RunContext,
  { account }: QueuedAccount,
): Promise<{ readonly user: CoreUser; readonly isSplit: boolean } | null> {
  const { core, caller } = run.context;
  if (account === null || account.wayIn.recipe === "thirdparty") return null;
  const { recipe, email } = account.wayIn;
  const phone = account.wayIn.recipe === "passwordless" ? account.wayIn.phoneNumber : undefined;
  const contacts: CodeRequest[] = [
    ...(email === undefined ? [] : [{ email }]),
    ...(phone === undefined ? [] : [{ phoneNumber: phone }]),
  ];
  for (const contact of contacts) {
    const found = answerOf(await caller.call("lookup", () => core.findUsers(contact)));
    const user = found.find((one) => one.recipe === null || one.recipe === recipe);
    if (user === undefined) continue;
    return { user, isSplit: !contacts.every((one) => mayHaveContact(user, one)) };
  }
  return null;
}
