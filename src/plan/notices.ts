/** What a checkpoint keeps of what is told of a user, so that a report tells it of users and not of runs. Pure. */

import { ID_NOT_KEPT } from "../events/tally.js";
import type { Action, Done, MatchedUser, Task } from "./action.js";
import { type Entry, isFinishedEntry, NO_NOTICES_YET, type Notices } from "./entry.js";
import { CONTACT_CONFLICT, NO_NOTICES } from "./outcomes.js";
import { lettingIn } from "./left-out.js";
import type { Included } from "./policy.js";
import { isRefusal, passwordOf, type SentPlan } from "./plan.js";
import { isFinished, MAPPED } from "./states.js";

/** The notice on a user who may be at the core under an earlier contact, too. */
const EARLIER_CONTACT_OPEN = "earlier_contact_open";

/** The notice on a user who is at the core, and whose row would be rejected now. */
export const FINISHED_OTHERWISE = "finished_otherwise";

/** The notice on a user who is at the core without the time of joining that their row has. */
export const JOINED_LEFT = "joined_not_migrated";

/** The notice on a user whose old hash was in a vault that is lost. */
export const BRIDGE_LOST = "bridge_lost";

/** The notice on a user who is at the core, and whose row would be left out for lack of an option. */
export const STILL_THERE = "still_there";

/**
 * Whether what a checkpoint keeps among the notices is told to nobody as one: an option by which the
 * user came in (`+`), and why the latest row would leave them out (`-`).
 */
export function isMark(notice: string): boolean {
  return notice.startsWith("+") || notice.startsWith("-");
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

/** What is told of a user before any call, in this run. */
export function noticesBefore(user: MatchedUser, action: Action): readonly string[] {
  const { plan, entry } = user;
  const told = isKept(action) ? action.notices : NO_NOTICES;
  const own = staysLost(entry, action) ? together(told, LOST) : told;
  if (isRefusal(plan) || !holds(action)) return own;
  const open = isOpenElsewhere(entry) ? [EARLIER_CONTACT_OPEN] : NO_NOTICES;
  return together(together(rowNotices(plan, entry), open), own);
}

/**
 * What a plan tells of its row. A time of joining arrives with the user or never, so that of a user
 * who is at the core the run that brought them has said whether it did, however this one sends users.
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
  const own = "notices" in action ? action.notices : NO_NOTICES;
  if (isRefusal(plan) || !(holds(action) || action.kind === "postpone")) {
    if (!isFinishedEntry(entry))
      return isLost(entry) ? { row: NO_NOTICES, calls: LOST } : NO_NOTICES_YET;
    const mark = plan.kind === "skip" ? [`-${lackedOption(task) ?? "since"}`] : NO_NOTICES;
    return { row: together(together(row.filter(isLasting), own), mark), calls };
  }
  const letIn = plan.letIn?.map((option) => `+${option}`) ?? NO_NOTICES;
  const told = together(rowNotices(plan, entry), letIn);
  if (isKept(action)) return { row: together(told, own), calls };
  const open = isOpenElsewhere(entry) ? [EARLIER_CONTACT_OPEN] : NO_NOTICES;
  const since = together(together(calls, open), own);
  return told.length + since.length === 0 ? NO_NOTICES_YET : { row: told, calls: since };
}

/** Whether what is kept of a finished user's row holds whatever their next row says. */
function isLasting(notice: string): boolean {
  return notice !== FINISHED_OTHERWISE && notice !== STILL_THERE && !notice.startsWith("-");
}

/** What is true of a user whose calls have ended; null where they have told nothing. */
export function noticesAfter(task: Task, { notices, mapped }: Done): Notices | null {
  const { row, calls: before } = noticesOf(task);
  const isSealed = SEALS.has(task.action.kind) && isLost(task.entry);
  const calls = isSealed ? without(before, BRIDGE_LOST) : before;
  const isMapped = mapped === MAPPED.yes && calls.includes(ID_NOT_KEPT);
  if (notices.length === 0 && !isMapped && !isSealed && !calls.includes(CONTACT_CONFLICT))
    return null;
  const left = isMapped ? without(calls, ID_NOT_KEPT) : calls;
  return { row, calls: together(without(left, CONTACT_CONFLICT), notices) };
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

type KeptAction = Extract<Action, { readonly kind: "keep" | "refuse" }>;

function isKept(action: Action): action is KeptAction {
  return action.kind === "keep" || action.kind === "refuse";
}

/** Whether the row's plan is what the user is at the core by, or is to be. */
export function holds(action: Action): boolean {
  if (action.kind === "keep") return action.outcome === "unchanged";
  if (action.kind === "map_id") return action.refusal === null;
  return "plan" in action;
}

/** A run that was killed may have brought the user under a contact that the row no longer has. */
function isOpenElsewhere(entry: Entry): boolean {
  return entry.previous !== null && entry.tried && !entry.sawNobody && !isFinishedEntry(entry);
}

function together(one: readonly string[], other: readonly string[]): readonly string[] {
  if (other.length === 0) return one;
  return one.length === 0 ? other : [...new Set([...one, ...other])];
}

function without(codes: readonly string[], code: string): readonly string[] {
  return codes.includes(code) ? codes.filter((one) => one !== code) : codes;
}
