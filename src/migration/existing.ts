/** Looks up who is at the core already, so that a user whom this migration didn't bring is left untouched. */

import type { CodeRequest, Core, CoreUser } from "../core/core.js";
import type { CallResult, Caller } from "./caller.js";
import type { ImportPlan, PasswordlessPlan } from "./plan.js";

/**
 * Finds the user whom a plan would touch: by email among email-password users before an import, by
 * both contacts among passwordless users before a code.
 *
 * @returns the user, or null; of two users found by the two contacts the one of the first contact
 */
export async function findExisting(
  core: Core,
  caller: Caller,
  plan: ImportPlan | PasswordlessPlan,
): Promise<CallResult<CoreUser | null>> {
  const recipe = plan.kind === "import" ? "emailpassword" : "passwordless";
  let last: CallResult<CoreUser | null> = { ok: true, value: null, maybeAppliedBefore: false };
  for (const contact of contactsOf(plan)) {
    const result = await caller.call("lookup", () => core.findUsers(contact));
    if (!result.ok) return result;
    // A core that doesn't say how somebody signs in: whoever has the contact counts.
    const user = result.value.find((found) => found.recipe === null || found.recipe === recipe);
    last = { ...result, value: user ?? null };
    if (user !== undefined) break;
  }
  return last;
}

/** The contacts under which the user is to be found, the first one first. */
function contactsOf(plan: ImportPlan | PasswordlessPlan): CodeRequest[] {
  if (plan.kind === "import") return [{ email: plan.email }];
  const email: CodeRequest[] = plan.email === null ? [] : [{ email: plan.email }];
  const phone: CodeRequest[] = plan.phone === null ? [] : [{ phoneNumber: plan.phone }];
  return plan.first === "email" ? [...email, ...phone] : [...phone, ...email];
}
