/** What a checkpoint keeps of what is told of a user, so that a report tells it of users and not of runs. Pure. */

import { ID_NOT_KEPT } from "../events/tally.js";
import type { Action, Done, MatchedUser, Task } from "./action.js";
import { type Entry, isFinishedEntry, NO_NOTICES_YET, type Notices } from "./entry.js";
import { joined, NONE, without } from "./codes.js";
import { CONTACT_CONFLICT, PASSWORD_REPLACED } from "./outcomes.js";
import { JOINED_LEFT } from "./joining.js";
import { lettingIn } from "./left-out.js";
import type { Included } from "./policy.js";
import { isRefusal, passwordOf, type SentPlan } from "./plan.js";
import { isFinished, MAPPED, STATE, type State } from "./states.js";

/** The notice on a user who may be at the core under an earlier contact, too. */
export const EARLIER_CONTACT_OPEN: readonly string[] = ["earlier_contact_open"];

/** The notice on a user who is at the core, and whose row would be rejected now. */
export const FINISHED_OTHERWISE = "finished_otherwise";

/** The notice on a user whose old hash was in a vault that is lost. */
export const BRIDGE_LOST = "bridge_lost";

/** The notice on a user who is at the core, and whose row would be left out for lack of an option. */
export const STILL_THERE = "still_there";

/** What is told of a row, without the marks for later runs: the option by which the user came in (`+`), or why the latest row would leave them out (`-`). */
export function toldOfRow({ row }: Notices): readonly string[] {
  return row.filter((notice) => !/^[+-]/.test(notice));
}

/** The option that let a user in whose row would be left out now; null where the vendor keeps them out since. */
export function lackedOption({ plan, entry }: Pick<Task, "plan" | "entry">): Included | null {
  const option = plan.kind === "skip" ? lettingIn(plan.code) : null;
  return option !== null && entry.notices.row.includes(`+${option}`) ? option : null;
}

/**
 * Why a user whose row would be left out still has access, by what is kept of them: for lack of an
 * option, or `since` the vendor keeps them out; null for others.
 */
export function stillThereFor({ row }: Notices): string | null {
  return row.find((notice) => notice.startsWith("-"))?.slice(1) ?? null;
}

/** What is told of a user before any call, in this run: what their row says only where they are at the core by it. */
export function noticesBefore(user: MatchedUser, action: Action): readonly string[] {
  const { plan, entry } = user;
  const isKept = action.kind === "keep" || action.kind === "refuse";
  const own = joined(
    isKept ? action.notices : NONE,
    entry.state !== null && staysLost(entry, action) ? LOST : NONE,
  );
  if (isRefusal(plan) || !holds(action)) return own;
  const told = isThereBy(entry) ? rowNotices(plan, entry) : NONE;
  return joined(told, openElsewhere(entry), own);
}

/** What a row says, of a user who is brought by it; nothing of others, and of whom {@link noticesBefore} has told it. */
export function noticesOnceBrought(
  { plan, entry, action }: Task,
  { outcome, notices }: { readonly outcome: string; readonly notices: readonly string[] },
): readonly string[] {
  if (isRefusal(plan) || isThereBy(entry) || !(holds(action) || action.kind === "wait"))
    return NONE;
  const state: State | undefined = STATE[outcome as keyof typeof STATE];
  return isBrought(state, notices) ? rowNotices(plan, entry) : NONE;
}

/** Whether a user is at the core by the row that they have now. */
function isThereBy({ state, previous, notices }: Entry): boolean {
  return state !== null && previous === null && isBrought(state, notices.calls);
}

/**
 * Whether what is told of a user's row is true at the core: not of one who isn't there, and of one who
 * was there before this migration only where their password was replaced.
 *
 * @param calls what calls have told of the user
 */
export function isBrought(state: State | undefined, calls: readonly string[]): boolean {
  if (state === undefined || !isFinished(state)) return false;
  return state !== STATE.existed || PASSWORD_REPLACED.every((notice) => calls.includes(notice));
}

/** What is told of a user in a state: what calls have told, and what is told of the row where that is true. */
export function toldOfUser(state: State, notices: Notices): ReadonlySet<string> {
  const { calls } = notices;
  return new Set([...(isBrought(state, calls) ? toldOfRow(notices) : []), ...calls]);
}

/**
 * What a plan tells of its row. A time of joining arrives with the user or never: for a user who is
 * at the core, the run that brought them has said whether it did.
 */
function rowNotices({ notices, account }: SentPlan, entry: Entry): readonly string[] {
  const isLost = notices.includes(JOINED_LEFT);
  if (entry.state === null || !isFinished(entry.state)) return notices;
  if (!isLost && (account?.joined ?? null) === null) return notices;
  const { row, calls } = entry.notices;
  if (!row.includes(JOINED_LEFT) && !calls.includes(JOINED_LEFT)) {
    return without(notices, JOINED_LEFT);
  }
  return isLost ? notices : [...notices, JOINED_LEFT];
}

/** What is true of a user from now on, before any call. */
export function noticesOf(task: Task): Notices {
  const { plan, entry, action } = task;
  const { row, calls } = entry.notices;
  const own = "notices" in action ? action.notices : NONE;
  // The plan that an earlier run carried out stays, and so does what is told of it.
  if (action.kind === "settle" && action.outcome.kind === "refused") {
    return { row, calls: joined(calls, own) };
  }
  if (isRefusal(plan) || !(holds(action) || action.kind === "postpone")) {
    if (!isFinishedEntry(entry)) return isLost(entry) ? { row: NONE, calls: LOST } : NO_NOTICES_YET;
    const mark = plan.kind === "skip" ? [`-${lackedOption(task) ?? "since"}`] : NONE;
    return { row: joined(row.filter(isLasting), own, mark), calls };
  }
  const letIn = plan.letIn?.map((option) => `+${option}`) ?? NONE;
  const told = rowNotices(plan, entry);
  if (action.kind === "keep") return { row: joined(told, letIn, own), calls };
  const since = joined(calls, openElsewhere(entry), own);
  return { row: joined(told, letIn), calls: since };
}

/** Whether what is kept of a finished user's row holds whatever their next row says. */
function isLasting(notice: string): boolean {
  return notice !== FINISHED_OTHERWISE && notice !== STILL_THERE && !notice.startsWith("-");
}

/** What is true of a user whose calls have ended; null where they have told nothing. */
export function noticesAfter(task: Task, { notices, mapped }: Done): Notices | null {
  const { entry, action } = task;
  const own = "notices" in action ? action.notices : NONE;
  if (entry.notices.calls.length + own.length + notices.length === 0) return null;
  const { row, calls: before } = noticesOf(task);
  const isSealed = SEALS.has(action.kind) && isLost(entry);
  const isMapped = mapped === MAPPED.yes && before.includes(ID_NOT_KEPT);
  const isSettled = !isMapped && !isSealed && !before.includes(CONTACT_CONFLICT);
  if (notices.length === 0 && isSettled) return null;
  const left = isSealed ? without(before, BRIDGE_LOST) : before;
  const calls = without(isMapped ? without(left, ID_NOT_KEPT) : left, CONTACT_CONFLICT);
  return { row, calls: joined(calls, notices) };
}

const LOST: readonly string[] = [BRIDGE_LOST];
/** What puts a hash at the core whose password is known, or a stand-in that is in the vault. */
const SEALS: ReadonlySet<string> = new Set(["import", "change_hash", "change_kind", "reseal"]);

/** Whether the vault is lost that had the user's old hash. */
function isLost({ notices }: Entry): boolean {
  return notices.calls.includes(BRIDGE_LOST);
}

/** Whether that is so, and the row's hash is still to be kept for the bridge. */
export function isToReseal({ plan, entry }: Pick<MatchedUser, "plan" | "entry">): boolean {
  return isLost(entry) && passwordOf(plan) === "bridged";
}

/** Whether nothing seals a user's hash again, and no row says so. */
function staysLost(entry: Entry, action: Action): boolean {
  if (!isLost(entry) || !isFinishedEntry(entry)) return false;
  const isChanged = entry.previous !== null && "plan" in action;
  return !isChanged && action.kind !== "refuse" && action.kind !== "reseal";
}

/** Whether two say the same. */
export function isSameNotices(one: Notices, other: Notices): boolean {
  return areSame(one.row, other.row) && areSame(one.calls, other.calls);
}

/** Whether two lists have the same codes. */
function areSame(one: readonly string[], other: readonly string[]): boolean {
  if (one === other) return true;
  return one.length === other.length && one.every((code, at) => code === other[at]);
}

/** Whether the row's plan is what the user is at the core by, or is to be. */
export function holds(action: Action): boolean {
  if (action.kind === "keep") return action.outcome === "unchanged";
  if (action.kind === "map_id") return action.refusal === null;
  return "plan" in action;
}

/** A run that was killed may have brought the user under a contact that the row no longer has. */
function openElsewhere({ previous, tried, sawNobody, state }: Entry): readonly string[] {
  const isOpen = previous !== null && tried && !sawNobody && !isFinishedEntry({ state });
  return isOpen ? EARLIER_CONTACT_OPEN : NONE;
}
