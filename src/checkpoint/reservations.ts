/** The verified contacts of users who are left out of a run: a row with a lesser right doesn't get one, also where nothing is known of the rows in advance. */

import type { Key } from "../plan/digests.js";
import type { RowRef } from "../events/events.js";
import { RANK, rankIn } from "../plan/rank.js";
import type { UserKeys, ClaimedContact } from "../plan/entry.js";
import type { StoredUser } from "./stored-user.js";
import { type FirstRow, ROLE, type SeenKeys } from "../keys/seen-keys.js";

export interface Reservations {
  /** The row before that reserves a contact against this row's lesser right. */
  against(keys: UserKeys, contact: ClaimedContact): FirstRow | undefined;
  /**
   * Reserves a row's contacts from here on.
   *
   * @param own whom an earlier run knows as the row's user
   * @returns the row of another user who has one of them by a lesser right, or null
   */
  add(keys: UserKeys, own: StoredUser | undefined): RowRef | null;
}

/** What the standings know. */
interface ReservationsParts {
  readonly seenKeys: SeenKeys;
  /** The user of an earlier run who is, or may be, at the core with a contact. */
  readonly holderOf: (contact: Key) => StoredUser | undefined;
  /** Whether the row's user is that one. */
  readonly keeps: (keys: UserKeys, contact: Key) => boolean;
}

export function createReservations({ seenKeys, holderOf, keeps }: ReservationsParts): Reservations {
  let hasAny = false;

  const lesserHolder = (
    { key, kind }: UserKeys["reserved"][number],
    own: StoredUser | undefined,
  ): RowRef | null => {
    const first = seenKeys.find(key, ROLE.contact);
    if (first !== undefined) return first.rank === RANK.verified ? null : first.row;
    const holder = holderOf(key);
    if (holder === undefined || holder.id === own?.id) return null;
    return rankIn(holder.ranks, kind) === RANK.verified ? null : holder.row;
  };

  return {
    against(keys, { key, rank }) {
      if (!hasAny || rank === RANK.verified) return undefined;
      const first = seenKeys.find(key, ROLE.reserved);
      return first === undefined || keeps(keys, key) ? undefined : first;
    },
    add({ reserved, keyed, row }, own) {
      let holder: RowRef | null = null;
      for (const contact of reserved) {
        holder ??= lesserHolder(contact, own);
        if (seenKeys.find(contact.key, ROLE.reserved) !== undefined) continue;
        seenKeys.add(contact.key, ROLE.reserved, { id: 0, keyed, rank: RANK.verified, row });
        hasAny = true;
      }
      return holder;
    },
  };
}
