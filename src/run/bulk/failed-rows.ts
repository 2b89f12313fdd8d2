/** Rows of the core's queue that failed: reading says what has become of their users, who are sent again where nobody stands in their way. */

import type { QueuedUser } from "../../checkpoint/queued-users.js";
import type { QueuedAccount } from "../../core/account-queue.js";
import type { CodeRequest } from "../../core/core.js";
import type { CoreUser } from "../../core/user.js";
import { MAPPED } from "../../plan/states.js";
import { queuedOf } from "../../plan/writes.js";
import { mayHaveContact } from "../answer-check.js";
import { endOfRun } from "../carry-out.js";
import { endOf } from "../import-user.js";
import type { RunContext } from "../run-batch.js";
import { findQueued } from "./find-members.js";
import { allOwn, answerOf, broughtAs, listed, type OwnRow } from "./queue-rows.js";
import { type EndedUser, type QueueEnd, settleQueued } from "./settle-queued.js";
import { removeRows, takeOff } from "./withdraw.js";

/** Rows looked into at once; the calls wait for each other at the gate. */
const TOGETHER = 64;
const A_MINUTE = 60_000;

/** A user who is sent again: once by the queue, then by calls of their own. */
interface Reopened {
  readonly kind: "open";
  readonly way: "queue" | "alone";
}

/** What was taken off the queue. */
interface TakenOff {
  readonly rows: number;
  /** Users who have ended so. */
  readonly ended: number;
  /** Those who are to be sent again. */
  readonly again: Readonly<Record<Reopened["way"], readonly QueuedUser[]>>;
}

/**
 * Takes this migration's rows that have failed off the queue, and writes what has become of their
 * users.
 *
 * @throws RunError `answer_mismatch`
 */
export async function takeFailures(run: RunContext): Promise<TakenOff> {
  const failed = await allOwn(run, "FAILED");
  const twins = await findTwins(run, failed);
  await Promise.all([...twins].map(([{ user }, coreId]) => waitForTwin(run, user, coreId)));
  if (twins.size > 0) run.checkpoint.queued.note();
  const again = { queue: [] as QueuedUser[], alone: [] as QueuedUser[] };
  let ended = 0;
  for (let start = 0; start < failed.length; start += TOGETHER) {
    const some = failed.slice(start, start + TOGETHER);
    const rows = some.filter((row) => !twins.has(row));
    const verdicts = await Promise.all(rows.map((row) => verdictOn(run, row)));
    const ends: EndedUser[] = [];
    const open: OwnRow[] = [];
    for (const [place, row] of rows.entries()) {
      const verdict = verdicts[place];
      if (verdict?.kind === "open") {
        open.push(row);
        again[verdict.way].push(row.user);
      } else if (verdict !== undefined) ends.push([row.user, verdict]);
    }
    // The queue shows hashes for as long as rows stand there.
    await removeRows(
      run,
      some.filter((row) => !open.includes(row)),
    );
    await settleQueued(run, ends);
    await takeOff(run, open);
    ended += ends.length;
  }
  return { rows: failed.length, ended, again };
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
  return checkpoint.ledger.settle([queuedOf(user, { coreId, mapped, isAgain: true })]);
}

/** What reading says of a row that failed. */
type Verdict = QueueEnd | Reopened;

/**
 * What has become of a row that failed. Its reason isn't believed: SuperTokens' job fails
 * rows that have shared a chunk with a flawed one, and may name the wrong row of a chunk.
 */
async function verdictOn(run: RunContext, { user, queued }: OwnRow): Promise<Verdict> {
  const { core, caller, policy } = run.context;
  const own = answerOf(await caller.call("lookup", () => core.getUser(user.coreId)));
  if (own !== null) return broughtAs(run, user, own);
  const other = await findOther(run, queued);
  if (other === null) {
    // Whom the id leads to: by single calls the user is there under another one.
    const id = queued.account?.externalUserId;
    const holder =
      id === undefined ? null : answerOf(await caller.call("lookup", () => core.getUser(id)));
    const isTaken = holder !== null || !run.awaited.mayQueueAgain(user.id);
    return { kind: "open", way: isTaken ? "alone" : "queue" };
  }
  const { user: there, isSplit } = other;
  // The account was sent twice, and is there since the other time, with all contacts.
  const isMapped = user.isMapped && there.userId === user.sourceId;
  const mayBeTwin = user.isAgain && !user.isMapped && !isSplit;
  if (isMapped || (mayBeTwin && !isOlderThan(there, queued))) {
    const { userId, recipeUserId = userId } = there;
    const coreId = recipeUserId === "" ? user.coreId : recipeUserId;
    return { kind: "brought", coreId, isMapped, isTaken: true };
  }
  if (endOf(policy).endsRun) run.stop.fail(endOfRun(user.row));
  return { kind: "existed", coreId: there.userId, isSplit };
}

/** Whether the account has another day of joining than the user. A row that says none has its own time. */
function isOlderThan({ timeJoined }: CoreUser, { account, createdAt }: QueuedAccount): boolean {
  const given = account?.timeJoined ?? createdAt;
  const isGiven = createdAt - given > A_MINUTE;
  return isGiven && timeJoined !== undefined && timeJoined !== given;
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
