/** The verified contacts of users who are left out of a run: a row with a lesser right doesn't get one, also where nothing is known of the rows in advance. */

import type { Key } from "../plan/digests.js";
import type { RowRef } from "../events/events.js";
import { RANK } from "../plan/rank.js";
import type { Candidate, ClaimedContact } from "../plan/entry.js";
import type { Known } from "./known-user.js";
import { type FirstRow, ROLE, type RunKeys } from "../keys/run-keys.js";

interface Reservations {
  /** The row before that reserves a contact against this candidate's lesser right. */
  against(candidate: Candidate, contact: ClaimedContact): FirstRow | undefined;
  /**
   * Reserves a candidate's contacts from here on.
   *
   * @param own whom an earlier run knows as the candidate's user
   * @returns the row of another user who has one of them by a lesser right, or null
   */
  add(candidate: Candidate, own: Known | undefined): RowRef | null;
}

/** What the standings know. */
interface ReservationsParts {
  readonly runKeys: RunKeys;
  /** The user of an earlier run who is, or may be, at the core with a contact. */
  readonly holderOf: (contact: Key) => Known | undefined;
  /** Whether the candidate's user is that one. */
  readonly keeps: (candidate: Candidate, contact: Key) => boolean;
}

export function createReservations({ runKeys, holderOf, keeps }: ReservationsParts): Reservations {
  let hasAny = false;

  const lesserHolder = (
    { key, kind }: Candidate["reserved"][number],
    own: Known | undefined,
  ): RowRef | null => {
    const first = runKeys.find(key, ROLE.contact);
    if (first !== undefined) return first.rank === RANK.verified ? null : first.row;
    const holder = holderOf(key);
    if (holder === undefined || holder.id === own?.id) return null;
    return (holder.ranks[kind] ?? RANK.verified) === RANK.verified ? null : holder.row;
  };

  return {
    against(candidate, { key, rank }) {
      if (!hasAny || rank === RANK.verified) return undefined;
      const first = runKeys.find(key, ROLE.reserved);
      return first === undefined || keeps(candidate, key) ? undefined : first;
    },
    add({ reserved, keyed, row }, own) {
      let holder: RowRef | null = null;
      for (const contact of reserved) {
        holder ??= lesserHolder(contact, own);
        if (runKeys.find(contact.key, ROLE.reserved) !== undefined) continue;
        runKeys.add(contact.key, ROLE.reserved, { id: 0, keyed, rank: RANK.verified, row });
        hasAny = true;
      }
      return holder;
    },
  };
}
