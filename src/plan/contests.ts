/** Contests: a contact to which a row has a better right than one before it. The order of rows must not decide: a user who has typed in another user's address would keep it from them. */

import type { PlannedUser } from "./action.js";
import type { Duplicate, UserKeys } from "./entry.js";
import type { Digester, Key } from "./digests.js";
import type { RowRef } from "../events/events.js";
import { NO_PARTS } from "./parts.js";
import { isRefusal, type Plan, type RefusalPlan } from "./plan.js";
import { RANK } from "./rank.js";

/**
 * How good a row's right to a contact is, the lower the better. A user who is left out reserves
 * the contacts that the vendor has verified: another run may bring them.
 */
export const RIGHT = { verified: 0, reserved: 1, notSaid: 2, unverified: 3 } as const;

export type Right = (typeof RIGHT)[keyof typeof RIGHT];

/** The right of a row that is planned. */
export const RIGHT_OF = {
  [RANK.verified]: RIGHT.verified,
  [RANK.notSaid]: RIGHT.notSaid,
  [RANK.unverified]: RIGHT.unverified,
} as const;

/** A contact that a row doesn't get, and the row that gets it, or reserves it. */
export interface Loss {
  /** Of a row that yields the one that it stands for. */
  readonly contact: Key;
  readonly to: RowRef;
  /** By which right that row has it. */
  readonly right: Right;
  /** Whether that row has an id. */
  readonly keyed: boolean;
}

/** What the other rows of all inputs, and earlier runs, make of one. */
export interface Among {
  /** The contact that another row gets. */
  readonly loss: Loss | null;
  readonly duplicate: Duplicate | null;
  /** The row of another user who has a contact that this one reserves, by a lesser right. */
  readonly holder: RowRef | null;
  /** The number of the row's user, where an earlier run knows them. */
  readonly user: number | null;
}

/** Of a row that shares no key with another one. */
export const NOTHING_SAID: Among = { loss: null, duplicate: null, holder: null, user: null };

/** Knows the users of earlier runs. */
interface Keeper {
  /** Whether a row's user has a contact at the core since an earlier run. */
  keeps(keys: UserKeys, contact: Key): boolean;
}

/**
 * The first contact that another row gets; null for none.
 *
 * @param lost of the row, in the order of its contacts
 * @param known users of earlier runs, who keep the contacts that they have at the core
 */
export function lossOf(
  { plan, keys }: PlannedUser,
  lost: readonly Loss[],
  known: Keeper,
): Loss | null {
  if (yieldsTo(plan, keys) !== null) return lost[0] ?? null;
  return lost.find(({ contact }) => !known.keeps(keys, contact)) ?? null;
}

/** Which row a yielding one makes room for: one of a better right, or any that claims its contact. */
type Yielding = "better" | "any";

/**
 * To which row a refused one without an id yields the contact that it stands for; null where it
 * doesn't. If it didn't, it would be the first of its user, and a better row its duplicate. A row yields
 * that is rejected only because the vendor has never verified the contact. So does a row that the
 * vendor keeps out and that reserves nothing: an address that signs up again after its account was
 * closed has two rows. Other refusals keep their rank: they may say that the user is to stay out.
 */
export function yieldsTo(
  plan: Plan,
  { keyed, reserved }: Pick<UserKeys, "keyed" | "reserved">,
): Yielding | null {
  if (keyed || !isRefusal(plan)) return null;
  if (plan.code === "contact_unverified") return "better";
  return plan.kind === "skip" && reserved.length === 0 ? "any" : null;
}

/** What becomes of the row that loses: it counts as another user with the same contact if both rows have ids, else as the same user. */
function refusalOf({ to: first, right, keyed }: Loss, own: Pick<UserKeys, "keyed">): RefusalPlan {
  const code = own.keyed && keyed ? "duplicate_contact" : "duplicate";
  const hint =
    right === RIGHT.reserved
      ? reservedHint(first)
      : `${first.file}, row ${first.number} has the same contact with a better right: the vendor has verified it there, or at least doesn't say that it's unverified. That row gets it; decide whose it is, and import this one without it.`;
  return { kind: "reject", code, hint };
}

/** The user of a row that loses a contact. The user is rejected and claims no contact. */
export function beaten(
  { keys }: PlannedUser,
  loss: Loss,
  digester: Pick<Digester, "plan">,
): PlannedUser {
  return withoutClaims(keys, refusalOf(loss, keys), digester);
}

/** The user of a row that is refused for another user's, and claims no contact. */
export function withoutClaims(
  keys: UserKeys,
  plan: RefusalPlan,
  digester: Pick<Digester, "plan">,
): PlannedUser {
  const claimless = { kind: null, contacts: [], reserved: [], parts: NO_PARTS };
  return { plan, keys: { ...keys, ...claimless, plan: digester.plan(plan) } };
}

/** Whether a row is refused for a contact that another one gets, and not for itself. */
export function isContested({ code }: Pick<RefusalPlan, "code">): boolean {
  return code === "duplicate" || code === "duplicate_contact";
}

/** What a row that is kept out is told with, where it {@link yieldsTo} another one. */
export function yieldedHint({ file, number }: RowRef): string {
  return `${file}, row ${number} has the same contact and counts in place of this row: neither has an id. Where this row is the newer one, take the other out of the export.`;
}

/** What the loser to a row that is left out is told. */
export function reservedHint({ file, number }: RowRef): string {
  return `${file}, row ${number} has the same contact, and the vendor has verified it there. That row isn't migrated in this run and keeps its contact, so that it can be in another one; what brings it, its own message says. Decide whose it is: import this row without it, or take that one out of the export.`;
}
