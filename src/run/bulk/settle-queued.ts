/** What has become of a user whose account was in the core's queue: it is written, and counted where a row of this run names the user. */

import type { QueuedUser } from "../../checkpoint/queued-users.js";
import type { OutcomeWrite } from "../../plan/entry.js";
import { toldOfRow } from "../../plan/notices.js";
import { CONTACT_CONFLICT, OTHER_WAY_IN, OUTCOME_OF } from "../../plan/outcomes.js";
import { MAPPED, PART, STATE } from "../../plan/states.js";
import { nothingKnown } from "../../plan/writes.js";
import type { RunContext } from "../run-batch.js";

/** How the queue's work on one account has ended. */
export type QueueEnd =
  /** The core shows the user. */
  | {
      readonly kind: "brought";
      readonly coreId: string;
      readonly isMapped: boolean;
      /** A contact alone leads to them, and not the id that the queue gave. */
      readonly isTaken?: boolean;
    }
  /** Another user has a contact since the lookup; `isSplit`: and not all of them. */
  | { readonly kind: "existed"; readonly coreId: string; readonly isSplit: boolean }
  | {
      readonly kind: "rejected";
      readonly code: string;
      readonly hint: string;
      /** The user may be there all the same. */
      readonly maybeThere: boolean;
    };

/** The row says something else than the account that was queued. */
const CHANGED = {
  type: "failure",
  code: "changed_while_queued",
  hint: "The row, or what is to be carried of it, has changed since its user was given to the core's queue. The user is at the core as they were given; running the same command again sends the change.",
} as const;

/** A user of the queue, and how that has ended. */
export type EndedUser = readonly [QueuedUser, QueueEnd];

/** Resolves when all of it is durable. */
export async function settleQueued(run: RunContext, ends: readonly EndedUser[]): Promise<void> {
  await run.checkpoint.ledger.settleAll(ends.map(([user, end]) => writeOf(run, user, end)));
  for (const [user, end] of ends) tell(run, user, end);
}

/** Counts and tells the end of a user whom a row of this run names. */
function tell(run: RunContext, user: QueuedUser, end: QueueEnd): void {
  const waiting = run.awaited.take(user.id);
  if (waiting === null) return;
  const { tally, progress } = run;
  const { row, sourceId } = user;
  if (end.kind === "rejected") {
    run.emitRow({ type: "reject", row, sourceId, code: end.code, hint: end.hint });
  } else if (waiting.isChanged) run.emitRow({ ...CHANGED, row, sourceId });
  else {
    if (end.kind === "brought" && end.isMapped) tally.mapped += 1;
    const told = run.checkpoint.queued.notices(user.id);
    if (end.kind === "brought") tally.noticed(toldOfRow(told), row);
    if (isSplit(end)) tally.noticed([CONTACT_CONFLICT], row);
    if (waiting.hasOtherWay) tally.noticed([OTHER_WAY_IN], row);
    run.ended?.(row, end.kind);
    const outcome = end.kind === "existed" ? "existed" : OUTCOME_OF[user.kind];
    tally.ended(outcome, waiting.algorithm, { bits: waiting.carried, row });
  }
  progress.tick();
}

function isSplit(end: QueueEnd): boolean {
  return end.kind === "existed" && end.isSplit;
}

/**
 * Of a user who may be there, or come yet: by the id that the queue gave, unless the account may
 * have been queued more than once.
 */
export function maybeThere({ id, isAgain, coreId }: QueuedUser): OutcomeWrite {
  const write = nothingKnown({ id, sawNobody: true, mapped: MAPPED.no });
  return { ...write, coreId: isAgain ? null : coreId };
}

/** Opens users again, as after a call without an answer: the next lookup says who is there. */
export function reopen(
  { checkpoint }: Pick<RunContext, "checkpoint">,
  users: readonly QueuedUser[],
): Promise<void> {
  const open = users.map((user) => ({ ...maybeThere(user), state: STATE.intent }));
  return checkpoint.ledger.settleAll(open);
}

function writeOf({ checkpoint }: RunContext, user: QueuedUser, end: QueueEnd): OutcomeWrite {
  const { id, kind } = user;
  if (end.kind === "rejected") {
    const known = nothingKnown({ id, sawNobody: false, mapped: MAPPED.no });
    const write = end.maybeThere ? maybeThere(user) : known;
    return { ...write, state: STATE.rejected, code: end.code };
  }
  const isBrought = end.kind === "brought";
  const mapped = isBrought && end.isMapped ? MAPPED.yes : MAPPED.no;
  const notices = isSplit(end) ? checkpoint.queued.notices(id) : null;
  return {
    entryId: id,
    state: isBrought ? STATE[OUTCOME_OF[kind]] : STATE.existed,
    sawNobody: false,
    mapped: isBrought ? mapped : MAPPED.never,
    coreId: end.coreId,
    code: null,
    parts: null,
    allParts: isBrought ? PART.done : PART.open,
    updated: null,
    notices: notices && { ...notices, calls: [...notices.calls, CONTACT_CONFLICT] },
    isTaken: isBrought && end.isTaken === true,
  };
}
