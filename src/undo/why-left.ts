/** Why a user whom this migration made stays at the core: they may be in use. Pure. */

import { sentForms } from "../core/same-contact.js";
import type { CoreUser } from "../core/user.js";
import { optionName } from "../errors/option-name.js";
import { contactKey, contactsOf, type Sought } from "../plan/core-contacts.js";
import { RECIPES } from "../plan/decide-change.js";
import type { Digester, Key } from "../plan/digests.js";
import type { PlanKind } from "../plan/entry.js";

/** By their codes, what the operator is told of users who stay. */
export const LEFT = {
  not_certainly_ours:
    "A run was stopped before the core had answered, and a later lookup found this user; somebody may have signed up between. They are left. Look at them at the core, and remove them there if they came by this migration.",
  outcome_unknown:
    "A run was stopped before the core had answered, so it isn't known whether this user is there, or there twice. Run the same import again, which finds out, and then undo.",
  signed_in_since: "This user has signed in at the core since they were brought, so they are left.",
  sign_in_unknown: `The core doesn't say whether this user has signed in since they were brought, so they are left. Where no application lets people in there yet, vouch for it with ${optionName("--assume-never-signed-in")}.`,
  changed_since:
    "At the core this user has another contact than was brought, signs in another way, or is linked to another account, so they are left.",
  earlier_contact_open:
    "A run that was stopped may have brought this user under an earlier contact as well. Look for it at the core, and remove it there.",
  existing_password_replaced:
    "This user was at the core before, and an import replaced their password. They stay, and so does that password: the one before isn't known.",
} as const satisfies Record<string, string>;

export type LeftCode = keyof typeof LEFT;

/** How this migration brought a user. */
interface Brought {
  readonly kind: PlanKind | null;
  /** The keys of the contacts that it gave them, or may have. */
  readonly held: readonly Key[];
}

/** @returns null for a user who is as this migration made them, and not known to be in use */
export function whyLeft(
  user: CoreUser,
  { kind, held }: Brought,
  digester: Pick<Digester, "contact">,
  assumeNeverSignedIn: boolean,
): LeftCode | null {
  const { isLinked, recipeUserId, hasSignedIn, otherContacts = [] } = user;
  const isJoined = isLinked === true || recipeUserId !== undefined || otherContacts.length > 0;
  const isOurs = contactsOf(user).every((contact) =>
    formsOf(contact, digester).some((key) => held.includes(key)),
  );
  if (isJoined || !isOurs || !signsInBy(user, kind)) return "changed_since";
  if (hasSignedIn === true) return "signed_in_since";
  return hasSignedIn === undefined && !assumeNeverSignedIn ? "sign_in_unknown" : null;
}

function signsInBy({ recipe, thirdParty }: CoreUser, kind: PlanKind | null): boolean {
  if (kind === "thirdparty") return thirdParty !== undefined;
  return kind !== null && thirdParty === undefined && (recipe === null || recipe === RECIPES[kind]);
}

/** The keys that a contact may have which a core shows in any writing. */
function formsOf(contact: Sought, digester: Pick<Digester, "contact">): readonly Key[] {
  if ("thirdPartyId" in contact) return [contactKey({ digester }, contact)];
  const shown = contact.email ?? contact.phoneNumber ?? "";
  return sentForms(shown).map(({ kind, value }) => digester.contact(kind, value));
}
