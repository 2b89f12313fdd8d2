/** What becomes of a finished user whose row says another way in since: with a password instead of a code. Pure; what the core shows of the user is looked at later. */

import type { Previous, ContactKey, Entry, Updated } from "./entry.js";
import { MAPPED, MARK, STATE } from "./states.js";
import type { RefusalPlan } from "./plan.js";
import type { Policy } from "./policy.js";

/** The user is to be brought with the password, and the one without it to be removed. */
export interface KindChange {
  readonly kind: "kind";
  readonly updated: Updated;
}

const SET_IT = "Let them set a password at the core.";

/** Why a user keeps the way in that they have, and what is left to do. */
const HINTS = {
  offered:
    "An earlier run brought this user without a password, and the export has one now. Before the cut-over --change-kind brings them with it, if they have never signed in at the core.",
  cutOver: `An earlier run brought this user without a password, and the export has one now; but people sign in at the core since the cut-over, so that nothing of theirs is replaced. ${SET_IT}`,
  theirs: `This user was at the core before this migration, without the password that the export has now; --change-kind is for those whom this checkpoint brought. ${SET_IT}`,
  noPassword:
    "This user is at the core with a password, and the export has none any more; that password stays. Where it must not work, remove the user at the core.",
  signedIn: `This user has signed in at the core by a code since they were brought, so they aren't removed. ${SET_IT}`,
  notSaid: `The core doesn't say whether this user has signed in since they were brought. Where no application lets people in there yet, vouch for it with --assume-never-signed-in. Else: ${SET_IT}`,
  notAsBrought: `The core doesn't show this user as an earlier run brought them: they have other contacts or another way in, or are joined with another user. Nothing is removed. ${SET_IT}`,
  otherUser:
    "Another user has this email with a password at the core already. Nothing is sent; decide by hand whose it is, and remove one of the two there.",
  noRemoval: `This core doesn't remove users, and beside the one without a password this would be a second user. ${SET_IT}`,
  idKept:
    "The core knows this user by the vendor's id (--keep-ids), which the user with the password is to get: give --keep-ids again.",
  begun:
    "An earlier run began to bring this user with a password, and the export has none any more. Import the row once as it was then, by the same --map: that finishes it.",
  twoUsers:
    "An earlier run brought this user with their password and was stopped before it removed the one without, who may have signed in since. Both are at the core; remove one of the two there.",
} as const;

/** Why a user keeps the way in that they have. */
export type KindRefusal = keyof typeof HINTS;

/** The refusal in words. */
export function refuseKind(why: KindRefusal): RefusalPlan {
  return { kind: "reject", code: "plan_kind_changed", hint: HINTS[why] };
}

/** An earlier run was to bring a passwordless user with their password, and it isn't known how far it got. */
export function hasBegun({ state, previous }: Pick<Entry, "state" | "previous">): boolean {
  return state === STATE.created && previous?.kind === "import";
}

/** What decides beside the rows. */
interface KindRules {
  readonly policy: Pick<Policy, "changeKind">;
  /** People sign in at the core. */
  readonly cutOver: boolean;
}

/** Judges the row of a finished user for whom something else was planned than it says now. */
export function judgeKind(
  { contacts, kind }: { readonly contacts: readonly ContactKey[]; readonly kind: unknown },
  { state, mapped }: Pick<Entry, "state" | "mapped">,
  previous: Previous,
  { policy, cutOver }: KindRules,
): KindChange | RefusalPlan {
  if (state === STATE.existed || mapped === MAPPED.never) return refuseKind("theirs");
  if (kind !== "import") return refuseKind("noPassword");
  if (cutOver) return refuseKind("cutOver");
  return policy.changeKind ? kindChange(contacts, previous) : refuseKind("offered");
}

/** @param contacts of the row: an email alone, since another contact has no place beside a password */
export function kindChange(contacts: readonly ContactKey[], previous: Previous): KindChange {
  const came = contacts.map(({ key }) => key);
  const left = previous.contacts
    .filter(({ key, mark }) => mark !== MARK.tried && !came.includes(key))
    .map(({ key }) => key);
  return { kind: "kind", updated: { came, left } };
}

/** Whether whom an earlier run may have brought with a password would be found by this row. */
export function leadsToBegun(contacts: readonly ContactKey[], previous: Previous): boolean {
  const has = (key: string): boolean => contacts.some((contact) => contact.key === key);
  const isOther = previous.contacts.some(
    ({ key, kind, mark }) => kind !== "phone" && mark === MARK.coming && !has(key),
  );
  const email = contacts.find(({ kind }) => kind === "email");
  return !isOther && previous.contacts.some(({ key }) => key === email?.key);
}
