/** Looks up who is at the core already, so that a user whom this migration didn't bring is left untouched. */

import type { CodeRequest, Core, CoreUser, Recipe } from "../core/core.js";
import { mayHaveContact, requireContact } from "./answer-check.js";
import type { CallResult, Caller } from "../calls/caller.js";
import type { PlanKind } from "../plan/entry.js";
import type { RowRef } from "../events/events.js";
import type { ImportPlan, PasswordlessPlan } from "../plan/plan.js";

/** The notice on a user a contact of whom another one has at the core. */
export const CONTACT_CONFLICT = "contact_conflict";

/** The notice on a user who is at the core by another way in, too. */
export const OTHER_WAY_IN = "other_way_in";

/** Who is at the core with a plan's contacts. */
export interface Existing {
  /** Who signs in as the plan has it, by the first contact that leads to one; null for none. */
  readonly user: CoreUser | null;
  /** Whether the contact under which the plan brings a user leads to them. */
  readonly byFirst: boolean;
  /** The contacts don't all lead to that user. */
  readonly isSplit: boolean;
  /** Some other user has one of the contacts, and signs in in another way. */
  readonly hasOtherWay: boolean;
}

/** Whom to look for, and on whose behalf. */
interface Sought {
  readonly plan: ImportPlan | PasswordlessPlan;
  readonly row: RowRef;
  /** Looks among the users of another kind than the plan's. */
  readonly kind?: PlanKind;
}

/**
 * Finds the users whom a plan would touch or stand beside, by each of its contacts.
 *
 * @throws RunError `answer_mismatch`, and what ends the run
 */
export async function findExisting(
  { core, caller }: { readonly core: Core; readonly caller: Caller },
  { plan, row, kind = plan.kind }: Sought,
): Promise<CallResult<Existing>> {
  const found: (readonly CoreUser[])[] = [];
  for (const contact of contactsOf(plan)) {
    const result = await caller.call("lookup", () => core.findUsers(contact));
    if (!result.ok) return result;
    found.push(havingContact(result.value, contact, row));
  }
  return { ok: true, value: existingOf(found, RECIPES[kind]) };
}

/**
 * The user with a password who has an email, or null; rejects as the core does.
 *
 * @throws RunError `answer_mismatch`
 */
export async function findByEmail(
  core: Core,
  email: string,
  row: RowRef,
): Promise<CoreUser | null> {
  const users = havingContact(await core.findUsers({ email }), { email }, row);
  return users.find((user) => isBy(user, RECIPES.import)) ?? null;
}

/** Of linked accounts the core shows every way in, also those with another contact. */
function havingContact(
  users: readonly CoreUser[],
  contact: CodeRequest,
  row: RowRef,
): readonly CoreUser[] {
  const having = users.filter((user) => mayHaveContact(user, contact));
  if (having.length === 0) for (const user of users) requireContact(user, contact, row);
  return having;
}

/** @param found the users with each contact, the first one's first */
function existingOf(found: readonly (readonly CoreUser[])[], recipe: Recipe): Existing {
  const led = found.map((users) => users.find((user) => isBy(user, recipe)) ?? null);
  const user = led.find((one) => one !== null) ?? null;
  return {
    user,
    byFirst: user !== null && user === led[0],
    isSplit: user !== null && led.some((one) => one?.userId !== user.userId),
    hasOtherWay: found
      .flat()
      .some((other) => !isBy(other, recipe) && other.userId !== user?.userId),
  };
}

/** At a core that doesn't say how a user signs in, every user with the contact counts. */
function isBy(user: CoreUser, recipe: Recipe): boolean {
  return user.recipe === null || user.recipe === recipe;
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
