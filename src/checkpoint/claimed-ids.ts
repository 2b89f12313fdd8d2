/** Which user of this migration has which id at the core, so that no answer gives one id to two. */

import type { RowRef } from "../events/events.js";
import { type FirstRow, ROLE, type SeenKeys } from "../keys/seen-keys.js";
import { RANK } from "../plan/rank.js";
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
  claim(coreId: string, user: number, row: RowRef): RowRef | null;
}

/**
 * @param seenKeys holds the ids of this run, and nothing else in this role
 * @param earlier users of earlier runs; gone through when the first user is brought
 * @param count how many there are at most
 */
export function createClaimedIds(
  seenKeys: SeenKeys,
  earlier: () => Iterable<BroughtUser>,
  count: number,
): ClaimedIds {
  let isComplete = count === 0 || count > MOST_EARLIER;
  let greatest = "";

  const complete = (): void => {
    isComplete = true;
    for (const { id, coreId, row } of earlier()) {
      if (coreId > greatest) greatest = coreId;
      seenKeys.add(coreIdKey(coreId), ROLE.coreId, firstRow(id, row));
    }
  };
  return {
    claim(coreId, user, row) {
      if (!isComplete) complete();
      const key = coreIdKey(coreId);
      // Our own core's ids grow, and none that is greater than all before needs to be looked for.
      const known = coreId > greatest ? undefined : seenKeys.find(key, ROLE.coreId);
      if (known !== undefined) return known.id === user ? null : known.row;
      if (coreId > greatest) greatest = coreId;
      seenKeys.add(key, ROLE.coreId, firstRow(user, row));
      return null;
    },
  };
}

/** Written out: a spread that adds names took as long as all the rest of a claim. */
function firstRow(id: number, row: RowRef): FirstRow {
  return { id, keyed: false, rank: RANK.verified, row };
}
