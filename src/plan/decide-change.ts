/** What is done for a finished user whose row has changed: is the user at the core still the one whom an earlier run brought, and may the change be sent? Pure. */

import type { CoreUser, Recipe } from "../core/core.js";
import type {
  Action,
  CallOutcome,
  MatchedUser,
  Question,
  Rules,
  Seen,
  SentPlan,
} from "./action.js";
import { type Change, hasBegun, type KindChange } from "./change.js";
import type { Previous } from "./entry.js";
import { NO_NOTICES, rejected, unfinished } from "./outcomes.js";
import { type KindRefusal, refuseChange, refuseKind } from "./refusals.js";
import { type PartWork, partWork } from "./parts.js";
import type { ImportPlan, RefusalPlan } from "./plan.js";
import { MAPPED, MARK } from "./states.js";

/** The way in of each kind of plan. */
export const RECIPES = {
  import: "emailpassword",
  passwordless: "passwordless",
} as const satisfies Record<SentPlan["kind"], Recipe>;

/** What a lookup has shown already, and no call is made for. */
export function settle(plan: SentPlan, outcome: CallOutcome): Action {
  return { kind: "settle", plan, notices: NO_NOTICES, outcome };
}

/**
 * Asks the core; a user of whom it couldn't be asked is tried again by the next run.
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
  if (change.kind === "change_kind" && plan.kind === "import") {
    return decideKind(user, plan, change, seen, rules);
  }
  if (rules.looksUp || hasBegun(user.entry)) {
    const first = lookAtUser(user, plan, seen);
    if (first !== null) return first;
  }
  const parts = partWork(user, rules);
  if (plan.kind === "import") {
    return { kind: "change_hash", updated: null, plan, notices: NO_NOTICES, parts };
  }
  // A user can't be updated without the id at the core.
  return change.kind === "change_contacts" && user.coreId !== null
    ? { ...change, plan, notices: NO_NOTICES, parts }
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
  return { kind: "change_parts", updated: null, plan, notices: NO_NOTICES, parts, found };
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
  const isOther = user.recipe !== null && user.recipe !== RECIPES[plan.kind];
  const hasMoved = plan.kind === "import" && user.email !== plan.email;
  return isOther || hasMoved ? stays(plan, refuseChange("changed_at_core")) : null;
}

/** Looks at both users: the one whom an earlier run brought without a password, and who has the email with one. */
function decideKind(
  user: MatchedUser,
  plan: ImportPlan,
  change: KindChange,
  seen: Seen,
  rules: Rules,
): Action {
  const { entry, coreId } = user;
  if (coreId === null) return stays(plan, refuseChange("removed_at_core"));
  if (seen.brought === undefined) return lookUp("brought", plan, seen, false);
  if (seen.own === undefined) return lookUp("own", plan, seen, false);
  const withPassword = seen.own.user;
  const why = whyNot(user, { without: seen.brought, withPassword }, plan, rules);
  if (why !== null) return stays(plan, why);
  // The user is a new one, who has no part yet.
  const parts = partWork({ ...user, entry: { ...entry, parts: null } }, rules);
  const action = { ...change, plan, notices: NO_NOTICES, parts };
  // Since the cut-over what was begun is finished, and no password is set.
  if (rules.cutOver) return { ...action, found: withPassword, lookedAt: null };
  if (seen.removes === undefined) return lookUp("removes", plan, seen, false);
  if (!seen.removes) return stays(plan, refuseKind("noRemoval"));
  return { ...action, found: null, lookedAt: hasBegun(entry) ? null : seen.at };
}

/** Who is at the core of the two. */
interface Both {
  readonly without: CoreUser | null;
  readonly withPassword: CoreUser | null;
}

/** Why nothing is sent; null where it may be. */
function whyNot(
  { entry }: MatchedUser,
  { without, withPassword }: Both,
  plan: ImportPlan,
  rules: Rules,
): RefusalPlan | null {
  const { cutOver, policy } = rules;
  const begun = hasBegun(entry);
  if (without === null) {
    // Who was begun loses this one last of all.
    if (!begun || withPassword === null) return refuseChange("removed_at_core");
  } else {
    if (!begun && withPassword !== null) return refuseKind("otherUser");
    if (cutOver && withPassword === null) return refuseKind("cutOver");
    const why = whyKept(without, entry.previous, rules);
    // What was begun was vouched for then; since the cut-over no operator can.
    const isVouched = why === "notSaid" && !cutOver && (begun || policy.assumeNeverSignedIn);
    if (why !== null && !isVouched) return refuseKind(begun && withPassword ? "twoUsers" : why);
  }
  const losesId = entry.mapped === MAPPED.yes && plan.keepId === null;
  return losesId ? refuseKind("idKept") : null;
}

/** Why the user without a password may be in use; null where an earlier run made all that there is of them. */
function whyKept(
  { email, phoneNumber, recipe, recipeUserId, isLinked, hasSignedIn }: CoreUser,
  previous: Previous | null,
  { digester }: Rules,
): KindRefusal | null {
  const shown = [
    ...(email === undefined ? [] : [digester.contact("email", email)]),
    ...(phoneNumber === undefined ? [] : [digester.contact("phone", phoneNumber)]),
  ];
  const made = previous?.contacts.filter(({ mark }) => mark === MARK.held) ?? [];
  const isSame = shown.length === made.length && made.every(({ key }) => shown.includes(key));
  const isJoined = isLinked === true || recipeUserId !== undefined;
  if (recipe !== "passwordless" || isJoined || !isSame) return "notAsBrought";
  if (hasSignedIn === undefined) return "notSaid";
  return hasSignedIn ? "signedIn" : null;
}

/** Nothing is sent, and the user stays as they are at the core. */
function stays(plan: SentPlan, refusal: RefusalPlan): Action {
  return settle(plan, rejected(refusal));
}
