/** Brings a user by one call: an import with the hash (interface.md 4.4), or a sign-up by a social account. The import replaces the hash of a user who has the email by then, so a late attempt looks the user up again first. */

import type { ImportOutcome } from "../core/core.js";
import type { CoreUser } from "../core/user.js";
import { CoreFailure } from "../core/core-failure.js";
import { mayHaveWorked } from "../calls/retry-table.js";
import type { CallOutcome, Done, OneCallPlan } from "../plan/action.js";
import { joiningOf } from "../plan/joining.js";
import { brought, existed, PASSWORD_REPLACED, unfinished } from "../plan/outcomes.js";
import type { ImportPlan, ThirdPartyPlan } from "../plan/plan.js";
import type { Policy } from "../plan/policy.js";
import { requirePlanned, requireOwnId } from "./answer-check.js";
import type { CallContext, ImportStart } from "./call-context.js";
import { findPlanned } from "./look-up.js";
import { passwordWay, type PasswordWay } from "./account-request.js";

/** How long a lookup that found no user holds: people may sign up later, and a shorter time costs more calls. */
const FRESH_MS = 10_000;

/** A user has the email, or the social account, since the lookup; ours, where an earlier attempt may have worked. */
interface FoundSince {
  readonly found: CoreUser;
  readonly ours: boolean;
}

export async function importUser(
  context: CallContext,
  plan: OneCallPlan,
  start: ImportStart,
): Promise<CallOutcome> {
  const { core, caller, policy } = context;
  const { row, theirs, lookedAt } = start;
  let { maybeOurs } = start;
  let freshUntil = lookedAt === null ? Number.POSITIVE_INFINITY : lookedAt + FRESH_MS;
  const attempt = async (): Promise<ImportOutcome | FoundSince> => {
    if (lookedAt !== null && context.now() > freshUntil) {
      caller.count("lookup");
      const found = await findPlanned(core, plan, row);
      if (found !== null) return { found, ours: maybeOurs };
    }
    try {
      return await (plan.kind === "import" ? sendHash(context, plan) : signUp(context, plan));
    } catch (failure) {
      maybeOurs ||= failure instanceof CoreFailure && mayHaveWorked(failure);
      // However short the wait was: there may be such a user by now.
      freshUntil = Number.NEGATIVE_INFINITY;
      throw failure;
    }
  };
  const result = await caller.call("import", attempt);
  // A lookup that was lost has changed nothing.
  if (!result.ok) return unfinished({ ...result, maybeApplied: maybeOurs });
  const there = (user: CoreUser): Done => ({
    ...existed(user, plan, policy),
    ...endOf(policy),
  });
  if ("found" in result.value) {
    const { found, ours } = result.value;
    return ours ? brought(found, plan.kind) : there(found);
  }
  const { user, didUserAlreadyExist } = result.value;
  requirePlanned(user, plan, row);
  if (!didUserAlreadyExist) requireOwnId(context, user, start);
  if (!didUserAlreadyExist) return { ...brought(user, plan.kind), isMade: true };
  if (maybeOurs && !theirs) return brought(user, plan.kind);
  if (plan.kind === "thirdparty") return there(user);
  return { ...there(user), outcome: "imported", notices: PASSWORD_REPLACED };
}

/** What it means for the run that a user was there. */
export function endOf({ assumeEmpty, onExisting }: Policy): Pick<Done, "endsRun"> {
  return assumeEmpty || onExisting === "fail" ? { endsRun: true } : {};
}

/** interface.md 4.4. At once, but where a hash is kept first: a stop by the call of another user is heard. */
function sendHash(context: CallContext, plan: ImportPlan): Promise<ImportOutcome> {
  const send = ({ recipe: _, ...hash }: PasswordWay): Promise<ImportOutcome> =>
    context.core.importUser({ ...hash, ...joiningOf(plan.account, context) });
  const way = passwordWay(context, plan);
  return way instanceof Promise ? way.then(send) : send(way);
}

/** The email counts as unverified until the core has said that the user is new: one who signed in meanwhile gets nothing from here. */
function signUp(
  context: CallContext,
  { identity, email, account }: ThirdPartyPlan,
): Promise<ImportOutcome> {
  const request = { ...identity, email, isEmailVerified: false, ...joiningOf(account, context) };
  return context.core.signInUp(request).then(({ status, createdNewUser, user }) => ({
    status,
    user,
    didUserAlreadyExist: !createdNewUser,
  }));
}
