/** Looks up who is at the core already, so that a user whom this migration didn't bring is left untouched. */

import type { CodeRequest, Core, CoreUser, Recipe } from "../core/core.js";
import type { CallResult, Caller } from "./caller.js";
import type { PlanKind } from "./checkpoint/entry.js";
import type { ImportPlan, PasswordlessPlan } from "./plan.js";

/**
 * Finds the user whom a plan would touch: by email among email-password users before an import, by
 * both contacts among passwordless users before a code.
 *
 * @param kind looks among the users of another kind than the plan's
 * @returns the user, or null; of two users found by the two contacts the one of the first contact
 */
export async function findExisting(
  core: Core,
  caller: Caller,
  plan: ImportPlan | PasswordlessPlan,
  kind: PlanKind = plan.kind,
): Promise<CallResult<CoreUser | null>> {
  const recipe = RECIPES[kind];
  let last: CallResult<CoreUser | null> = { ok: true, value: null };
  for (const contact of contactsOf(plan)) {
    const result = await caller.call("lookup", () => core.findUsers(contact));
    if (!result.ok) return result;
    const user = ofRecipe(result.value, recipe);
    last = { ...result, value: user };
    if (user !== null) break;
  }
  return last;
}

/** The user with a password who has an email, or null; rejects as the core does. */
export async function findByEmail(core: Core, email: string): Promise<CoreUser | null> {
  return ofRecipe(await core.findUsers({ email }), RECIPES.import);
}

/** At a core that doesn't say how somebody signs in, whoever has the contact counts. */
function ofRecipe(users: readonly CoreUser[], recipe: Recipe): CoreUser | null {
  return users.find((found) => found.recipe === null || found.recipe === recipe) ?? null;
}

/** The way in of each kind of plan. */
export const RECIPES = {
  import: "emailpassword",
  passwordless: "passwordless",
} as const satisfies Record<PlanKind, Recipe>;

/** The contacts under which the user is to be found, the first one first. */
function contactsOf(plan: ImportPlan | PasswordlessPlan): CodeRequest[] {
  if (plan.kind === "import") return [{ email: plan.email }];
  const email: CodeRequest[] = plan.email === null ? [] : [{ email: plan.email }];
  const phone: CodeRequest[] = plan.phone === null ? [] : [{ phoneNumber: plan.phone }];
  return plan.first === "email" ? [...email, ...phone] : [...phone, ...email];
}
