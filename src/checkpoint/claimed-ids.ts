/** Which user of this migration has which id at the core, so that no answer gives one id to two. */

import type { RowRef } from "../events/events.js";
import type { KeyMap } from "../sqlite/key-map.js";
import { coreIdKey } from "./core-ids.js";
import type { BroughtUser } from "./finished-users.js";

/** The most earlier users whose ids are read. In a larger checkpoint that would delay a small newer export. */
const MOST_EARLIER = 200_000;

export interface ClaimedIds {
  /**
   * Gives an id to a user whom the core says to be new.
   *
   * @param user the number in the checkpoint
   * @returns the row of another user who has it, or null
   * @throws RunError `disk`
   */
  claim(coreId: string, user: number): RowRef | null;
}

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
): ClaimedIds {
  let isComplete = count === 0 || count > MOST_EARLIER;
  return {
    claim(coreId, user) {
      if (!isComplete) for (const { id, coreId: own } of earlier()) ids.set(coreIdKey(own), id);
      isComplete = true;
      const key = coreIdKey(coreId);
      const known = ids.get(key);
      if (known !== undefined) return known === user ? null : rowOf(known);
      ids.set(key, user);
      return null;
    },
  };
}
