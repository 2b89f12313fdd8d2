/** Finds users by their ids at a core: those of checkpoints that are read, and those of a run, so that no id is given to two. No index leads from there, so one is made in a scratch file. */

import { hash } from "node:crypto";
import { tmpdir } from "node:os";
import type { RowRef } from "../events/events.js";
import { Bitset } from "../plan/bitset.js";
import { KEY_BYTES, type Key } from "../plan/digests.js";
import { KeyMap } from "../sqlite/key-map.js";
import type { BroughtUser, FinishedUser } from "./finished-users.js";

/** A finished user whom an id leads to. */
export interface ListedUser {
  /** The number of the checkpoint, as they were given. */
  readonly place: number;
  /** The entry's number in it. */
  readonly entryId: number;
  readonly kind: FinishedUser["kind"];
  /** By the vendor's id, which a core shows in place of its own. */
  readonly byVendorId: boolean;
}

export type CoreIds = ReturnType<typeof createCoreIds>;

const KINDS = ["import", "passwordless", "thirdparty", null] as const;

/** Places of checkpoints, beside which a number has room for each user's. */
const PLACES = 4096;

export function createCoreIds() {
  const ids = new KeyMap(tmpdir());
  return {
    /** Adds a user by the core's id or, where the core is to show that, by the vendor's. @throws RunError `disk` */
    add({ id: entryId, kind, coreId, sourceId, idKept }: FinishedUser, place: number): void {
      const byVendorId = idKept && sourceId !== null && sourceId !== coreId;
      const shownId = byVendorId ? sourceId : coreId;
      if (shownId === null) return;
      const bits = KINDS.indexOf(kind) * 2 + (byVendorId ? 1 : 0);
      ids.set(coreIdKey(shownId), (entryId * PLACES + place) * 8 + bits);
    },
    /** The user whom a core shows by this id; undefined for a stranger. @throws RunError `disk` */
    find(shownId: string): ListedUser | undefined {
      const number = ids.get(coreIdKey(shownId));
      if (number === undefined) return undefined;
      const user = Math.floor(number / 8);
      const kind = KINDS[Math.floor((number % 8) / 2)] ?? null;
      const entryId = Math.floor(user / PLACES);
      return { place: user % PLACES, entryId, kind, byVendorId: number % 2 === 1 };
    },
    close: () => ids.close(),
  };
}

/** A key of random-looking bits, as {@link Key}s of other roles are, whatever a core's ids look like. */
function coreIdKey(coreId: string): Key {
  return hash("sha256", coreId, "binary").slice(0, KEY_BYTES);
}

/** The most earlier users whose ids are read. In a larger checkpoint that would delay a small newer export. */
const MOST_EARLIER = 200_000;

/** Which user of this migration has which id at the core, so that no answer gives one id to two. */
export type ClaimedIds = ReturnType<typeof createClaimedIds>;

/**
 * @param ids empty; the users of this run go there
 * @param earlier users of earlier runs; gone through when the first user is brought
 * @param count how many there are at most
 * @param rowOf the row of a user
 */
export function createClaimedIds(
  ids: KeyMap,
  earlier: () => Iterable<BroughtUser>,
  count: number,
  rowOf: (user: number) => RowRef,
) {
  let isComplete = count === 0 || count > MOST_EARLIER;
  /**
   * How the claimed ids' keys begin, by 24 bits. Next to no new id is looked for in the file then: that
   * took a tenth of a remote import's processor time. With four million users one in five is, in vain.
   */
  const beginnings = new Bitset();
  const claimed = (key: Key, user: number): void => {
    beginnings.add(beginningOf(key));
    ids.set(key, user);
  };
  return {
    /**
     * Gives an id to a user whom the core says to be new.
     *
     * @param user the number in the checkpoint
     * @returns the row of another user who has it, or null
     * @throws RunError `disk`
     */
    claim(coreId: string, user: number): RowRef | null {
      if (!isComplete) for (const { id, coreId: own } of earlier()) claimed(coreIdKey(own), id);
      isComplete = true;
      const key = coreIdKey(coreId);
      const known = beginnings.has(beginningOf(key)) ? ids.get(key) : undefined;
      if (known !== undefined) return known === user ? null : rowOf(known);
      claimed(key, user);
      return null;
    },
  };
}

function beginningOf(key: Key): number {
  return (key.charCodeAt(0) << 16) | (key.charCodeAt(1) << 8) | key.charCodeAt(2);
}
