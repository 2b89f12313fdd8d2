/** What is done for a finished user whose row has changed: is the user at the core still the one whom an earlier run brought, and may the change be sent? Pure. */

import type { CoreUser, Recipe } from "../core/user.js";
import type {
  Action,
  CallOutcome,
  MatchedUser,
  OneCallPlan,
  Question,
  Rules,
  Seen,
} from "./action.js";
import { type Change, hasBegun, type KindChange } from "./change.js";
import { contactKey, contactsOf } from "./core-contacts.js";
import type { PlanKind, Previous } from "./entry.js";
import { NONE } from "./codes.js";
import { rejected, unfinished } from "./outcomes.js";
import { type KindRefusal, refuseChange, refuseKind } from "./refusals.js";
import { hasUnshownFactor, type PartWork, partWork } from "./parts.js";
import type { RefusalPlan, SentPlan } from "./plan.js";
import { MAPPED, MARK } from "./states.js";

export const RECIPES = {
  import: "emailpassword",
  passwordless: "passwordless",
} as const satisfies Record<Exclude<PlanKind, "thirdparty">, Recipe>;

/** Whether a user signs in as a kind of plan has it. At a core that doesn't say how, every user with the contact counts; a social account is always shown. */
export function isBy(
  { recipe, thirdParty }: CoreUser,
  plan: SentPlan,
  kind: PlanKind = plan.kind,
): boolean {
  if (kind !== "thirdparty") return recipe === null || recipe === RECIPES[kind];
  if (plan.kind !== kind || thirdParty === undefined) return false;
  const { thirdPartyId, thirdPartyUserId } = plan.identity;
  return thirdParty.id === thirdPartyId && thirdParty.userId === thirdPartyUserId;
}

/** What a lookup has shown already, and no call is made for. */
export function settle(plan: SentPlan, outcome: CallOutcome): Action {
  return { kind: "settle", plan, notices: NONE, outcome };
}

/**
 * Asks the core. If it gives no answer, the next run tries the user again.
 *
 * @param maybeApplied an earlier run may have sent the user
 */
export function lookUp(
  question: Question,
  plan: SentPlan,
  { failure }: Seen,
  maybeApplied: boolean,
): Action {
  if (failure === undefined) return { kind: "look_up", question, plan };
  return settle(plan, unfinished({ failure, maybeApplied }));
}

/** What is done about a change that may be sent as far as the checkpoint knows. */
export function decideChange(
  user: MatchedUser,
  plan: SentPlan,
  change: Change,
  seen: Seen,
  rules: Rules,
): Action {
  if (change.kind === "change_kind" && plan.kind !== "passwordless") {
    return decideKind(user, plan, change, seen, rules);
  }
  if (rules.looksUp || hasBegun(user.entry)) {
    const first = lookAtUser(user, plan, seen);
    if (first !== null) return first;
  }
  const parts = partWork(user, rules);
  if (plan.kind === "import") {
    return { kind: "change_hash", updated: null, plan, notices: NONE, parts };
  }
  // A user can't be updated without the id at the core.
  return plan.kind === "passwordless" && change.kind === "change_contacts" && user.coreId !== null
    ? { ...change, plan, notices: NONE, parts }
    : stays(plan, refuseChange("removed_at_core"));
}

/** A finished user of whose account something is to be sent, and nothing else. */
export function decideParts(
  user: MatchedUser,
  plan: SentPlan,
  parts: readonly PartWork[],
  seen: Seen,
  { looksUp }: Rules,
): Action {
  const first = looksUp ? lookAtUser(user, plan, seen) : null;
  if (first !== null) return first;
  const found = (user.coreId === null ? seen.own?.user : seen.brought) ?? null;
  return { kind: "change_parts", updated: null, plan, notices: NONE, parts, found };
}

/** What has to be asked, or why nothing is sent; null where the user is as an earlier run brought them. */
function lookAtUser({ entry, coreId }: MatchedUser, plan: SentPlan, seen: Seen): Action | null {
  if (hasBegun(entry)) {
    // Another user who has the email since must keep their password.
    if (seen.other === undefined) return lookUp("other", plan, seen, false);
    if (seen.other.user !== null) return stays(plan, refuseKind("begun"));
  }
  const question = coreId === null ? "own" : "brought";
  const user = coreId === null ? seen.own?.user : seen.brought;
  if (user === undefined) return lookUp(question, plan, seen, false);
  if (user === null) return stays(plan, refuseChange("removed_at_core"));
  const hasMoved = plan.kind === "import" && user.email !== plan.email;
  return !isBy(user, plan) || hasMoved ? stays(plan, refuseChange("changed_at_core")) : null;
}

/** Looks at both users: the one whom an earlier run brought in another way, and who signs in as the plan has it. */
function decideKind(
  user: MatchedUser,
  plan: OneCallPlan,
  change: KindChange,
  seen: Seen,
  rules: Rules,
): Action {
  const { entry, coreId } = user;
  if (coreId === null) return stays(plan, refuseChange("removed_at_core"));
  if (hasUnshownFactor(user, rules)) return stays(plan, refuseKind("unshown"));
  if (seen.brought === undefined) return lookUp("brought", plan, seen, false);
  if (seen.own === undefined) return lookUp("own", plan, seen, false);
  const anew = seen.own.user;
  const why = whyNot(user, { before: seen.brought, anew }, plan, rules);
  if (why !== null) return stays(plan, why);
  // The user is a new one, who has no part yet.
  const parts = partWork({ ...user, entry: { ...entry, parts: null } }, rules);
  const action = { ...change, plan, notices: NONE, parts };
  // Since the cut-over what was begun is finished, and no password is set.
  if (rules.cutOver) return { ...action, found: anew, lookedAt: null };
  if (seen.removes === undefined) return lookUp("removes", plan, seen, false);
  if (!seen.removes) return stays(plan, refuseKind("noRemoval"));
  return { ...action, found: null, lookedAt: hasBegun(entry) ? null : seen.at };
}

/** Who is at the core of the two. */
interface Both {
  readonly before: CoreUser | null;
  readonly anew: CoreUser | null;
}

/** Why nothing is sent; null where it may be. */
function whyNot(
  { entry }: MatchedUser,
  { before, anew }: Both,
  plan: OneCallPlan,
  rules: Rules,
): RefusalPlan | null {
  const { cutOver, policy } = rules;
  const begun = hasBegun(entry);
  if (before === null) {
    // Who was begun loses this one last of all.
    if (!begun || anew === null) return refuseChange("removed_at_core");
  } else {
    if (!begun && anew !== null) return refuseKind("otherUser");
    if (cutOver && anew === null) return refuseKind("cutOver");
    const why = whyKept(before, entry.previous, rules);
    // What was begun was vouched for then; since the cut-over no operator can.
    const isVouched = why === "notSaid" && !cutOver && (begun || policy.assumeNeverSignedIn);
    if (why !== null && !isVouched) return refuseKind(begun && anew ? "twoUsers" : why);
  }
  const losesId = entry.mapped === MAPPED.yes && plan.keepId === null;
  return losesId ? refuseKind("idKept") : null;
}

/** Why the user of before may be in use; null where an earlier run made all that there is of them. */
function whyKept(user: CoreUser, previous: Previous | null, rules: Rules): KindRefusal | null {
  const { recipe, thirdParty, recipeUserId, isLinked, hasSignedIn } = user;
  const atCore = contactsOf(user).map((contact) => contactKey(rules, contact));
  const made = previous?.contacts.filter(({ mark }) => mark === MARK.held) ?? [];
  const isSame = atCore.length === made.length && made.every(({ key }) => atCore.includes(key));
  const isJoined = isLinked === true || recipeUserId !== undefined;
  const isWithout = recipe === "passwordless" || thirdParty !== undefined;
  if (!isWithout || isJoined || !isSame) return "notAsBrought";
  if (hasSignedIn === undefined) return "notSaid";
  return hasSignedIn ? "signedIn" : null;
}

/** Nothing is sent, and the user stays as they are at the core. */
function stays(plan: SentPlan, refusal: RefusalPlan): Action {
  return settle(plan, rejected(refusal));
}
