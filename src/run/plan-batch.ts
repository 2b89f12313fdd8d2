/** Plans a batch of rows: each becomes a refusal, or a user with an action. An import and a dry run share it, so that their numbers can't differ. */

import type { Entries } from "../checkpoint/entries.js";
import { optionName } from "../errors/option-name.js";
import { sentence } from "../errors/run-error.js";
import type { RowEvent, RowRef } from "../events/events.js";
import { rowOf } from "../errors/place.js";
import { countExample } from "../events/findings.js";
import type { Tally } from "../events/tally.js";
import type { Action, MatchedUser, PlannedUser, Rules, Task } from "../plan/action.js";
import {
  type Among,
  beaten,
  NOTHING_SAID,
  reservedHint,
  withoutClaims,
  yieldedHint,
  yieldsTo,
} from "../plan/contests.js";
import { decide, NOTHING_SEEN } from "../plan/decide.js";
import { type Duplicate, isFinishedEntry, type UserKeys } from "../plan/entry.js";
import { keepsUnshown, partWork } from "../plan/parts.js";
import { carriedBits } from "../plan/carried-users.js";
import { holds, isToReseal, noticesBefore } from "../plan/notices.js";
import { isRefusal, passwordOf, type Plan, type RefusalPlan } from "../plan/plan.js";
import { MAPPED } from "../plan/states.js";
import type { KeyContext } from "../plan/user-keys.js";
import type { StagedRow } from "../stage/staged-row.js";
import { type MissingUsers, noteLeftOut } from "./run-end.js";

/** What becomes of one batch of rows. */
export interface PlannedBatch {
  readonly file: string;
  readonly tasks: readonly Task[];
  /** How many of them take calls, as far as is known. */
  readonly users: number;
  /** Rejects and skips. They are emitted and counted once their entries are durable. */
  readonly refusals: readonly RowEvent[];
  /** Rows that are refused for another user's contact, with what they would be without that. */
  readonly contested: ReadonlyMap<RowRef, Pick<UserKeys, "identity" | "plan">>;
  /** The file was cut off after this batch. */
  readonly truncated: boolean;
}

/** What deciding about a batch needs of the run. */
interface DecidingContext extends KeyContext, Omit<Rules, "digester"> {
  readonly ledger: Entries;
  readonly tally: Tally;
  readonly missingUsers: MissingUsers;
}

/**
 * Decides about a batch of an input's rows, in their order. Batches must come one after the other.
 *
 * @throws RunError `disk`
 */
export function decideBatch(
  rows: readonly StagedRow[],
  file: string,
  context: DecidingContext,
): PlannedBatch {
  const { ledger, tally, missingUsers } = context;
  const refusals: RowEvent[] = [];
  const contested = new Map<RowRef, UserKeys>();
  const tasks: Task[] = [];
  let users = 0;
  let truncated = false;
  ledger.expect(rows.flatMap(({ among }) => among?.user ?? []));
  const refuseAlone = (event: RowEvent): void => {
    refusals.push(event);
    tally.beside(event);
  };
  for (const item of rows) {
    const { kind, user, code, hint, among = NOTHING_SAID } = item;
    if (kind === "truncated") {
      truncated = true;
      continue;
    }
    const row = user?.keys.row ?? rowOf(file, item);
    tally.read();
    if (row.origin !== undefined) missingUsers.isPartial = true;
    if (user === null) {
      if (kind === "reject") missingUsers.unreadable += 1;
      if (kind !== "record") refuseAlone({ type: kind, row, sourceId: null, code, hint });
      continue;
    }
    const matched = match(user, among, context);
    const refused = "hint" in matched ? matched : matched.plan;
    const isOthers = isRefusal(refused) && refused.code === OTHERS && !refused.mended;
    if (isOthers) contested.set(row, user.keys);
    if ("hint" in matched) {
      refuseAlone(refusal(matched, user.keys));
      continue;
    }
    const { plan, keys, entry, coreId } = matched;
    const action = decide(matched, NOTHING_SEEN, context);
    note(matched, action, context);
    if (action.kind === "refuse") refusals.push(refusal(action.refusal, keys));
    else if ("plan" in action || action.kind === "map_id") users += 1;
    tasks.push({ plan, keys, entry, coreId, action });
  }
  return { file, tasks, users, refusals, contested, truncated };
}

/** The user's entry in the checkpoint, or why the row has none. */
function match(
  user: PlannedUser,
  { loss, duplicate: other, holder, user: known }: Among,
  context: DecidingContext,
): MatchedUser | RefusalPlan {
  const { ledger, tally, policy, digester } = context;
  const { row } = user.keys;
  if (loss !== null && isRefusal(user.plan) && yieldsTo(user.plan, user.keys) === "any") {
    const { kind, code, hint } = user.plan;
    return { kind, code, hint: `${sentence(hint)} ${yieldedHint(loss.to)}` };
  }
  const own = loss === null ? user : beaten(user, loss, digester);
  // Without an id this row and the better one are the same user.
  if (loss !== null && isRefusal(own.plan) && !own.keys.keyed) return own.plan;
  const contest = other === null ? own.plan : duplicate(other, own.plan, own.keys);
  const isOthers = isRefusal(contest) && contest.code === OTHERS;
  const isMended = isOthers && known !== null && ledger.isMended(known, user.keys.plan);
  if (other?.outranks) tally.claimed(row, other.first);
  if (other !== null && !isMended && isRefusal(contest)) {
    if (known !== null) ledger.meet(known);
    return contest;
  }
  if (holder !== null) tally.claimed(row, holder);
  const { plan, keys } = isMended
    ? withoutClaims(user.keys, { ...contest, mended: true }, digester)
    : own;
  const entry = ledger.entryOf(keys, known, context);
  const isOpen =
    entry.state !== null &&
    (entry.tried ||
      isToReseal({ plan, entry }) ||
      (isFinishedEntry(entry) &&
        (entry.previous !== null ||
          (policy.keepIds && entry.mapped === MAPPED.no) ||
          partWork({ keys, entry }, context).length > 0)));
  const coreId = isOpen ? ledger.coreIdOf(entry.id) : null;
  return { plan, keys, entry, coreId };
}

/** Counts what is known of a user before any call. */
function note(user: MatchedUser, action: Action, context: DecidingContext): void {
  const { plan, keys, entry } = user;
  const { tally, missingUsers } = context;
  const { row } = keys;
  const isFinished = isFinishedEntry(entry);
  tally.noticed(noticesBefore(user, action), row);
  if (isRefusal(plan)) {
    if (isFinished && plan.kind === "skip") noteLeftOut(user, missingUsers);
  } else if (isFinished && keepsUnshown(user, context)) {
    countExample(missingUsers.unshown, row);
  }
  if (!isRefusal(plan) && holds(action)) {
    tally.planned(plan.kind, passwordOf(plan), carriedBits({ plan, action }));
  }
}

/** Why a row is refused whose contact another user has. */
const OTHERS = "duplicate_contact";
const NEWER =
  "By this row the vendor keeps the user out: where it is the newer one, take the first out of the export.";
const APART = "If they are two people, give this one an id of its own.";
const KEPT_OUT: ReadonlySet<string> = new Set(["disabled", "deleted"]);

/** @param own what becomes of the row, were it the user's only one */
function duplicate(
  { kind, first, isReserved, isRefused }: Duplicate,
  own: Plan,
  { keyed }: Pick<UserKeys, "keyed">,
): RefusalPlan {
  if (isReserved) return { kind: "reject", code: kind, hint: reservedHint(first) };
  // As a later run says it, which knows the row from the checkpoint.
  const where = `${first.file}, row ${first.number}`;
  if (kind === "same_user") {
    const hint = `The same user as in ${where}; the roles and social accounts of this row go with that one.`;
    return { kind: "skip", code: kind, hint };
  }
  if (kind === "duplicate_contact") {
    const hint = `Another user, in ${where}, has the same contact; decide whose it is and import the other without it.`;
    return { kind: "reject", code: kind, hint };
  }
  const same = `${keyed ? "By its id the" : "The"} same user as in ${where}; the first one counts.`;
  if (isRefused) {
    return { kind: "reject", code: kind, hint: `${same} ${firstIsRefused(own, keyed)}` };
  }
  const isKeptOut = isRefusal(own) && KEPT_OUT.has(own.code);
  const other = isKeptOut ? NEWER : keyed && APART;
  return { kind: "reject", code: kind, hint: other ? `${same} ${other}` : same };
}

/** What helps a row whose user's first one isn't migrated. */
function firstIsRefused(own: Plan, keyed: boolean): string {
  const alone = isRefusal(own) ? ` Alone this row would be refused as well: ${own.hint}` : "";
  const other = keyed
    ? "Mend that row or take it out of the export."
    : `Neither has an id to tell them apart: where they are two users, ${optionName("--map")} id=NAME names the column of ids; else take that row out of the export.`;
  return `That row isn't migrated in this run, so that it keeps this one out.${alone} ${other}`;
}

function refusal(
  { kind: type, ...why }: RefusalPlan,
  { row, sourceId }: Pick<UserKeys, "row" | "sourceId">,
): RowEvent {
  return { type, row, sourceId, ...why };
}
