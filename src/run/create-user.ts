/** Creates a passwordless user by a code, and adds the second contact: interface.md 4.1, 4.2 and 4.3, in order, and what their answers mean. */

import type { CoreUser } from "../core/user.js";
import type { CallOutcome } from "../plan/action.js";
import { joiningOf } from "../plan/joining.js";
import { brought, CONTACT_CONFLICT, existed, unfinished } from "../plan/outcomes.js";
import type { PasswordlessPlan } from "../plan/plan.js";
import { MAPPED } from "../plan/states.js";
import { firstContact, requireContact, requireOwnId } from "./answer-check.js";
import type { CallContext, CallStart } from "./call-context.js";
import { endOf } from "./import-user.js";

/** Times that a passwordless user is started again at a new code; a busy core is no fault of the user's. */
const MOST_RESTARTS = { busy: 100, other: 3 } as const;

/** interface.md 4.1 and 4.2, then 4.3 for the other contact. */
export async function createUser(
  context: CallContext,
  plan: PasswordlessPlan,
  start: CallStart,
): Promise<CallOutcome> {
  const { core, caller } = context;
  const contact = firstContact(plan);
  const joining = joiningOf(plan.account, context);
  let maybeOurs = start.maybeOurs;
  const restarts = { busy: 0, other: 0 };
  for (;;) {
    const code = await caller.call("code", () => core.createCode(contact));
    if (!code.ok) return unfinished({ ...code, maybeApplied: maybeOurs });
    const { preAuthSessionId, linkCode } = code.value;
    const consumed = await caller.call("consume", () =>
      core.consumeCode({ preAuthSessionId, linkCode, ...joining }),
    );
    if (consumed.ok && consumed.value.status === "OK") {
      const { user, createdNewUser } = consumed.value;
      requireContact(user, contact, start.row);
      if (createdNewUser) requireOwnId(context, user, start);
      return createdNewUser || maybeOurs
        ? addSecondContact(context, plan, user, createdNewUser ? "made" : "ours")
        : leaveStranger(context, plan, user);
    }
    if (!consumed.ok) maybeOurs ||= consumed.maybeApplied;
    const why = !consumed.ok && consumed.failure.kind === "busy" ? "busy" : "other";
    restarts[why] += 1;
    // A refusal would be the same with every code.
    const isRefused = !consumed.ok && consumed.failure.kind === "refused";
    if (restarts[why] > MOST_RESTARTS[why] || isRefused) {
      return consumed.ok
        ? codeLost(maybeOurs)
        : unfinished({ ...consumed, maybeApplied: maybeOurs });
    }
  }
}

/** A user signed up between the lookup and the call. They are left as they are, unless the policy says update. */
export async function leaveStranger(
  context: CallContext,
  plan: PasswordlessPlan,
  user: CoreUser,
): Promise<CallOutcome> {
  const { policy } = context;
  if (policy.onExisting === "update" && !policy.assumeEmpty) {
    return addSecondContact(context, plan, user, "theirs");
  }
  return { ...existed(user, plan, policy), ...endOf(policy) };
}

/**
 * Sets absolute values, so it may be repeated. It is also how a user whom an earlier run created
 * without reaching this call gets the rest.
 *
 * @param whose `made`: the core said just now that the user is new; `theirs`: they were there before
 *   this migration
 */
export async function addSecondContact(
  { core, caller, cutOver }: CallContext,
  plan: PasswordlessPlan,
  user: CoreUser,
  whose: "made" | "ours" | "theirs",
): Promise<CallOutcome> {
  const { userId } = user;
  const second = plan.first === "email" ? plan.phone : plan.email;
  const ours = brought(user, "passwordless");
  const end = {
    made: { isMade: true },
    ours: {},
    theirs: { outcome: "existed", mapped: MAPPED.never },
  } as const;
  const done = (notices: readonly string[]): CallOutcome => ({ ...ours, ...end[whose], notices });
  const there = plan.first === "email" ? user.phoneNumber : user.email;
  if (second === null || second === there) return done([]);
  // Since the cut-over it is what the user has chosen.
  if (cutOver && there !== undefined) return done([]);
  const change = plan.first === "email" ? { phoneNumber: second } : { email: second };
  const result = await caller.call("update", () => core.updateUser({ userId, ...change }));
  if (!result.ok) return unfinished({ ...result, maybeApplied: true });
  switch (result.value.status) {
    case "OK":
      return done([]);
    case "EMAIL_ALREADY_EXISTS_ERROR":
    case "PHONE_NUMBER_ALREADY_EXISTS_ERROR":
      return done([CONTACT_CONFLICT]);
    case "UNKNOWN_USER_ID_ERROR":
      return USER_VANISHED;
  }
}

/** What becomes of a user whom the core has lost again. */
export const USER_VANISHED: CallOutcome = {
  kind: "failed",
  code: "user_vanished",
  hint: "The core no longer knows the user that it had just created; run the same command again.",
  maybeApplied: true,
};

function codeLost(maybeApplied: boolean): CallOutcome {
  return {
    kind: "failed",
    code: "code_not_accepted",
    hint: "The core didn't accept its own codes for this user; run the same command again.",
    maybeApplied,
  };
}
