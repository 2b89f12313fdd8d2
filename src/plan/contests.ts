/** Contests: a contact to which a row has a better right than one before it. The order of rows must not decide: a user who has typed in another user's address would keep it from them. */

import type { PlannedUser } from "./action.js";
import type { UserKeys } from "./entry.js";
import type { Key } from "./digests.js";
import type { RowRef } from "../events/events.js";
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

/** The row that gets a contact, or reserves it. */
export interface Winner {
  readonly row: RowRef;
  readonly right: Right;
  /** As in {@link UserKeys}; null where the reading that found the contest didn't ask for it. */
  readonly identity: Key | null;
  readonly keyed: boolean;
}

/** A contact that a row doesn't get, and who gets it. */
export interface Loss {
  readonly contact: Key;
  readonly winner: Winner;
}

/** All contests of the inputs of a run. */
export interface Contests {
  /**
   * The first contact that another row gets, of whose user the row isn't; null for none. Of a
   * row that yields, see {@link yieldsTo}, the one that it stands for. Rows are asked for in their
   * order.
   *
   * @param known whose contacts at the core none of these takes
   */
  lossOf(user: PlannedUser, known?: Keeper): Loss | null;
  /** Who gets the contacts that rows have lost, or yield. */
  readonly winners: readonly Winner[];
}

/** Nothing is known in advance, so the first row gets a contact. */
export const NO_CONTESTS: Contests = { lossOf: () => null, winners: [] };

/** Knows the users of earlier runs. */
interface Keeper {
  /** Whether a row's user has a contact at the core since an earlier run. */
  keeps(keys: UserKeys, contact: Key): boolean;
}

/** What the readings of all rows have shown, by contact. */
interface Standings {
  /** Who gets a contact for which one row has a better right than another. */
  readonly winners: ReadonlyMap<Key, Winner>;
  /** To whom a row without an id yields the contact that it stands for; see {@link yieldsTo}. */
  readonly takers: Readonly<Record<Yielding, ReadonlyMap<Key, Winner>>>;
}

/** What {@link Contests.lossOf} answers, once all rows were read. */
export function createLossOf({ winners, takers }: Standings): Contests["lossOf"] {
  /** Of winners whose identity the reading didn't ask for: each stands before its user's other rows with the contact. */
  const identities = new Map<Winner, Key>();

  const isOwn = (winner: Winner, { row, identity, keyed }: UserKeys): boolean => {
    if (winner.row.number === row.number && winner.row.file === row.file) {
      if (winner.identity === null) identities.set(winner, identity);
      return true;
    }
    return winner.keyed && keyed && (winner.identity ?? identities.get(winner)) === identity;
  };
  return ({ plan, keys }, known) => {
    const taker = yieldsTo(plan, keys);
    if (taker !== null) {
      const winner = takers[taker].get(keys.identity);
      return winner === undefined ? null : { contact: keys.identity, winner };
    }
    let lost: Loss | null = null;
    for (const { key, rank } of keys.contacts) {
      const winner = winners.get(key);
      // Of equal rights the first one stands, which isn't the winner where that is a duplicate itself.
      if (winner === undefined || isOwn(winner, keys) || winner.right >= RIGHT_OF[rank]) continue;
      if (lost === null && !known?.keeps(keys, key)) lost = { contact: key, winner };
    }
    for (const { key } of keys.reserved) {
      const winner = winners.get(key);
      if (winner !== undefined) isOwn(winner, keys);
    }
    return lost;
  };
}

/** Which row a yielding one makes room for: one of a better right, or any that claims its contact. */
export type Yielding = "better" | "any";

/**
 * To which row one without an id yields the contact that it stands for; null where it doesn't. Else it
 * would be the first of its user, and a row that can be migrated, or that the vendor keeps out, a
 * duplicate of it. One yields that is rejected for that alone that the vendor has never verified the
 * contact. So does one that the vendor keeps out and that reserves nothing: an address that signs up
 * again after its account was closed has two rows. Other refusals keep their rank: they may say that
 * the user is to stay out.
 */
export function yieldsTo(
  plan: Plan,
  { keyed, reserved }: Pick<UserKeys, "keyed" | "reserved">,
): Yielding | null {
  if (keyed || !isRefusal(plan)) return null;
  if (plan.code === "contact_unverified") return "better";
  return plan.kind === "skip" && reserved.length === 0 ? "any" : null;
}

/** How the losing row counts: as another user with the same contact if both rows have ids, else as the same user. */
function lostTo(
  { winner }: Loss,
  { keyed }: Pick<UserKeys, "keyed">,
): { readonly kind: "duplicate" | "duplicate_contact"; readonly first: RowRef } {
  return { kind: keyed && winner.keyed ? "duplicate_contact" : "duplicate", first: winner.row };
}

/** What becomes of the row that loses. */
export function refusalOf(loss: Loss, keys: Pick<UserKeys, "keyed">): RefusalPlan {
  const { kind: code, first } = lostTo(loss, keys);
  const hint =
    loss.winner.right === RIGHT.reserved
      ? reservedHint(first)
      : `${first.file}, row ${first.number} has the same contact with a better right: the vendor has verified it there, or at least doesn't say that it's unverified. That row gets it; decide whose it is, and import this one without it.`;
  return { kind: "reject", code, hint };
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
