/** The decision: what becomes of a user, from the plan, what the checkpoint has of them, what the core has answered and the operator's rules. Pure. Asked with nothing seen it says what has to be looked up first. */

import { FACTOR_NOTICES } from "../account/factor-notices.js";
import { optionName } from "../errors/option-name.js";
import type { Action, Existing, MatchedUser, Rules, Seen } from "./action.js";
import type { CoreUser } from "../core/user.js";
import { judgeChange } from "./change.js";
import { decideChange, decideParts, lookUp, settle } from "./decide-change.js";
import { type Entry, isFinishedEntry, mayBeThere, type PlanKind, type Previous } from "./entry.js";
import { NONE } from "./codes.js";
import {
  brought,
  CONTACT_CONFLICT,
  existed,
  OTHER_WAY_IN,
  OUTCOME_OF,
  UNVERIFIED_NOT_REPLACED,
  withOwnId,
} from "./outcomes.js";
import { asksForOthers, hasChangedParts, NO_WORK, type PartWork, partWork } from "./parts.js";
import { leftAt } from "./joining.js";
import { FACTOR_LOST } from "./left-out.js";
import { NOT_RESEALED, refuseChange, refuseKind, refuseNoPassword } from "./refusals.js";
import { FINISHED_OTHERWISE, isToReseal, lackedOption, STILL_THERE } from "./notices.js";
import { isContested } from "./contests.js";
import { isRefusal, passwordOf, type RefusalPlan, type SentPlan } from "./plan.js";
import { MAPPED, STATE } from "./states.js";
import { ID_NOT_KEPT } from "../events/tally.js";

/** Before the core is asked. */
export const NOTHING_SEEN: Seen = { at: 0 };

/** A user whose email is unverified, at a core that can't say whether the hash would replace another's. */
const UNVERIFIED_UNSEEN = {
  kind: "rejected",
  code: "email_unverified",
  hint: `The vendor never verified this email, and the core offers no look-ups: it can't be told whether its hash would replace the password of a user who is there. Have it verified at the vendor, or, if the core has no users, say so with ${optionName("--assume-empty")}.`,
} as const;

/** What becomes of a user. Of every two lines the first that holds decides. */
export function decide(user: MatchedUser, seen: Seen, rules: Rules): Action {
  const { plan, entry } = user;
  if (entry.state === STATE.queued) return decideQueued(user, rules);
  if (isRefusal(plan)) return isFinishedEntry(entry) ? leaveFinished(plan, entry) : refuse(plan);
  if (isFinishedEntry(entry)) return decideFinished(user, plan, seen, rules);
  if (entry.previous !== null) {
    if (rollsBack(user, entry.previous)) return refuse(refuseChange("older_export"));
    if (isBegunOtherwise(plan, entry, entry.previous)) return refuse(refuseKind("begun"));
  }
  const parts = partWork(user, rules);
  if (rules.wasEmpty) return send(plan, { parts, sawNobody: true }, mayBeWhole(user, rules));
  // A core that takes social accounts also looks users up by them, and no option replaces one who is there.
  if (!rules.looksUp && plan.kind !== "thirdparty") return decideUnseen(plan, entry, parts);
  return decideNew(user, plan, seen, rules);
}

/** A user whose account is in the core's queue is there or will be, whatever the row says now. */
function decideQueued(user: MatchedUser, rules: Rules): Action {
  const { plan, entry } = user;
  if (isRefusal(plan) && isToldAlways(plan)) return refuse(plan);
  const outcome = OUTCOME_OF[entry.previous?.kind ?? plan.kind];
  return { kind: "wait", outcome, isChanged: isQueuedOtherwise(user, rules) };
}

/** Whether the queue has another plan or other parts than the row has now, or not the id that is to be kept. */
function isQueuedOtherwise(user: MatchedUser, rules: Rules): boolean {
  const { plan, entry } = user;
  if (isRefusal(plan)) return false;
  const isWithoutId = plan.keepId !== null && entry.mapped === MAPPED.no;
  return entry.previous !== null || isWithoutId || asksForOthers(user, rules);
}

/** A user at the core stays there, whatever their row says now: it isn't rejected, and no lacking option leaves it out. */
function leaveFinished(plan: RefusalPlan, entry: Entry): Action {
  if (lackedOption({ plan, entry }) !== null) return keep(THERE);
  const isToTell = isToldAlways(plan) || losesFactor(plan, entry);
  return isToTell ? refuse(plan) : keep(OTHERWISE);
}

function keep(notices: readonly string[]): Action {
  return { kind: "keep", outcome: "unchanged", notices };
}

/** A row that loses a contact, or whose user the vendor keeps out. */
function isToldAlways(plan: RefusalPlan): boolean {
  return plan.kind === "skip" || (isContested(plan) && plan.mended !== true);
}

/** A user who has a factor since, and none at the core. Who came without theirs was told by then. */
function losesFactor({ code }: RefusalPlan, { notices, parts }: Entry): boolean {
  const isKnown = notices.row.some((notice) => FACTOR_NOTICES.has(notice));
  return code === FACTOR_LOST && parts?.totp === undefined && !isKnown;
}

/** A user who is at the core by an earlier run. */
function decideFinished(user: MatchedUser, plan: SentPlan, seen: Seen, rules: Rules): Action {
  const { entry, keys } = user;
  const { previous } = entry;
  const isUnverified = plan.kind === "import" && plan.unverified;
  const row = { contacts: keys.contacts, kind: plan.kind, isUnverified };
  const change = previous && judgeChange(row, entry, previous, rules);
  if (change !== null && "updated" in change) return decideChange(user, plan, change, seen, rules);
  const refusal = change === null || change.kind === "existed" ? null : change;
  const { keepId } = plan;
  const work = change === null ? partWork(user, rules) : NO_WORK;
  // Since the cut-over what was begun is finished, and nothing else comes: they may have it at the core.
  const parts = rules.cutOver ? work.filter(({ part }) => entry.parts?.[part]) : work;
  const isKept = keepId === null || entry.mapped === MAPPED.yes;
  if (!isKept && entry.mapped === MAPPED.no && entry.state !== STATE.existed) {
    return { kind: "map_id", keepId, refusal, notices: NONE, parts };
  }
  if (parts.length > 0) return decideParts(user, plan, parts, seen, rules);
  if (isToReseal(user)) {
    return change === null && rules.policy.onUnusableHash === "reseal" && plan.kind === "import"
      ? { kind: "reseal", plan, notices: NONE, parts: NO_WORK }
      : refuse(NOT_RESEALED);
  }
  const notices = isKept ? NONE : ID_LOST;
  if (refusal !== null) return { kind: "refuse", refusal, notices };
  const hasChanged = work.length > 0 || (change === null && hasChangedParts(user, rules));
  if (rules.cutOver && hasChanged) {
    return { kind: "refuse", refusal: refuseChange("changed_after_cutover"), notices };
  }
  if (change === null) return { kind: "keep", outcome: "unchanged", notices };
  const isNotReplaced = isUnverified && rules.policy.onExisting === "update";
  return {
    kind: "keep",
    outcome: "existed",
    notices: isNotReplaced ? [...notices, UNVERIFIED_NOT_REPLACED] : notices,
  };
}

const ID_LOST: readonly string[] = [ID_NOT_KEPT];
const OTHERWISE: readonly string[] = [FINISHED_OTHERWISE];
const THERE: readonly string[] = [STILL_THERE];
const OTHER_WAY: readonly string[] = [OTHER_WAY_IN];

/** A user at a core without lookups: one who is there is to be replaced. */
function decideUnseen(plan: SentPlan, { sawNobody }: Entry, parts: readonly PartWork[]): Action {
  return plan.kind === "import" && plan.unverified
    ? settle(plan, { ...UNVERIFIED_UNSEEN, maybeApplied: sawNobody })
    : send(plan, { parts, sawNobody: false });
}

/** A user who isn't finished, by who is at the core. */
function decideNew(user: MatchedUser, plan: SentPlan, seen: Seen, rules: Rules): Action {
  const { entry } = user;
  const tried = kindTried(plan, entry);
  if (tried !== null) {
    if (seen.other === undefined) return lookUp("other", plan, seen, true);
    const { user: found } = seen.other;
    // The plan that was carried out stays, so that every run says so.
    if (found !== null) {
      const refusal = refuseTried(entry, tried, rules);
      return settle(plan, { kind: "refused", done: brought(found, tried), refusal });
    }
  }
  if (seen.own === undefined) return lookUp("own", plan, seen, entry.sawNobody);
  const action = decideSeen(user, plan, { own: seen.own, at: seen.at }, rules);
  return seen.own.hasOtherWay && "notices" in action ? { ...action, notices: OTHER_WAY } : action;
}

function decideSeen(
  matched: MatchedUser,
  plan: SentPlan,
  { own: { user, byFirst, isSplit }, at }: Seen & { readonly own: Existing },
  rules: Rules,
): Action {
  const { entry } = matched;
  const { policy, cutOver } = rules;
  // A user who isn't at the core can have changed nothing there since the cut-over.
  const parts = partWork(matched, user === null ? { ...rules, cutOver: false } : rules);
  const isUnverified = plan.kind === "import" && plan.unverified;
  const mayReplace = plan.kind !== "thirdparty" && !isUnverified;
  const replaces = policy.onExisting === "update" && mayReplace;
  // A user who signs up from now on is not ours, unless the operator wants them replaced.
  if (user === null) {
    const lookedAt = replaces ? null : at;
    return send(plan, { parts, sawNobody: true, lookedAt }, mayBeWhole(matched, rules));
  }
  // A user with only the second contact is another one: ours got the first contact first.
  if (entry.sawNobody && byFirst && mayBeOurs(user, matched)) {
    const isOlder = plan.kind === "import" && !entry.samePlan;
    if (isOlder && cutOver) {
      const refusal = refuseChange("changed_after_cutover");
      return settle(plan, { kind: "refused", done: brought(user, "import"), refusal });
    }
    if (isOlder) return send(plan, { parts, sawNobody: true });
    if (isToReseal(matched)) {
      // The next run can seal it: the user is known to be there then.
      const done = brought(user, "import");
      return settle(plan, { kind: "refused", done, refusal: NOT_RESEALED });
    }
    const isWhole = plan.kind === "import" && plan.keepId === null && parts.length === 0;
    const done = { ...brought(user, "import"), notices: leftAt(plan, user) };
    return isWhole ? settle(plan, done) : adopt(plan, user, parts);
  }
  if (policy.onExisting === "fail") return { kind: "stop", code: "user_exists" };
  if (replaces && plan.kind === "import") {
    return send(plan, { parts: NO_WORK, sawNobody: false, theirs: true });
  }
  // No code is consumed for a user who was there: it would sign them in. Only their contacts are set.
  if (replaces) {
    return byFirst ? adopt(plan, user, null) : send(plan, { parts, sawNobody: true });
  }
  const outcome = existed(user, plan, policy);
  const notices = isSplit ? [...outcome.notices, CONTACT_CONFLICT] : outcome.notices;
  return settle(plan, withOwnId({ ...outcome, notices }, plan.keepId));
}

/** Whether a user at the core may be whom an earlier run has sent: whom the core's queue had has an id that is known. */
function mayBeOurs({ userId, recipeUserId }: CoreUser, { coreId, keys }: MatchedUser): boolean {
  return coreId === null || [userId, recipeUserId].includes(coreId) || userId === keys.sourceId;
}

function refuse(refusal: RefusalPlan): Action {
  return { kind: "refuse", refusal, notices: NONE };
}

/** What a lookup has shown of a user who is sent. */
interface Shown {
  readonly parts: readonly PartWork[];
  readonly sawNobody: boolean;
  readonly theirs?: boolean;
  readonly lookedAt?: number | null;
}

/** @param mayBeWhole nothing stands against one call for the whole account, where the user has more than a way in */
function send(plan: SentPlan, shown: Shown, mayBeWhole = false): Action {
  const { parts, sawNobody, theirs = false, lookedAt = null } = shown;
  const whole = mayBeWhole && (parts.length > 0 || passwordOf(plan) === "bridged");
  return plan.kind === "passwordless"
    ? { kind: "create", plan, notices: NONE, parts, sawNobody, theirs, whole }
    : { kind: "import", plan, notices: NONE, parts, sawNobody, theirs, lookedAt, whole };
}

/**
 * Whether one call may bring a user with all that is theirs: one whom no earlier run may have brought.
 * It replaces no user, so that a stand-in takes no password from a user who signs up meanwhile.
 */
function mayBeWhole({ entry }: MatchedUser, { carried }: Rules): boolean {
  return carried.whole && !entry.sawNobody && !entry.tried;
}

/** @param own what is sent beside, of a user of an earlier run; null for one who was there before */
function adopt(plan: SentPlan, found: CoreUser, own: readonly PartWork[] | null): Action {
  const theirs = own === null;
  const parts = own ?? NO_WORK;
  return { kind: "adopt", plan, notices: NONE, parts, sawNobody: !theirs, theirs, found };
}

/** The core may hold a newer hash of an unfinished user, because an earlier run has sent it. */
function rollsBack({ keys, entry }: MatchedUser, { isReplaced }: Previous): boolean {
  return keys.kind === "import" && isReplaced && mayBeThere(entry);
}

/**
 * An earlier run may have brought the user by a social account and this one would by a contact, or the
 * other way round: what finds one of the two doesn't find the other, so that there would be two.
 */
function isBegunOtherwise({ kind }: SentPlan, { tried }: Entry, previous: Previous): boolean {
  const before = previous.kind ?? kind;
  return tried && kind !== before && (kind === "thirdparty" || before === "thirdparty");
}

/** Another kind of plan that an earlier run may have carried out under this contact; null where there is none. */
function kindTried(plan: SentPlan, { sawNobody, previous }: Entry): PlanKind | null {
  const kind = previous?.kind ?? null;
  return sawNobody && kind !== plan.kind ? kind : null;
}

/** The next run can do what this one is asked for: it knows then that the user is there. */
function refuseTried(entry: Entry, tried: PlanKind, { cutOver }: Rules): RefusalPlan {
  if (tried === "import") return refuseNoPassword(entry);
  return refuseKind(cutOver ? "cutOver" : "offered");
}
