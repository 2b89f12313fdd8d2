/** Finds the contests of a run's inputs: the claims of all rows, compared one by one in constant memory. */

import type { RowRef } from "../events/events.js";
import { createSeenKeys } from "../keys/seen-keys.js";
import {
  claimsOf,
  type Contests,
  lossOf,
  NO_CONTESTS,
  type OneClaim,
  type Planned,
  reservedBy,
  RIGHT,
  RIGHT_OF,
  type Right,
  type Winner,
  yieldedBy,
} from "../plan/contests.js";
import type { Digester, Key } from "../plan/digests.js";

/** The claims of a row. */
interface Claim extends Planned {
  readonly row: RowRef;
  /** The key of the row's user, asked for where the row wins. */
  readonly identity: () => Key;
}

/** Takes the claims of all inputs, row by row, in memory for the contests alone. */
export interface ContestTaker {
  /** @throws RunError `disk` */
  take(claim: Claim): void;
  /** What was found out; the taker takes nothing more. */
  end(): Contests;
}

/** The role under which a claim is noted, by the claim's right. */
const ROLES = [1, 2, 4, 8] as const;

/** The roles of the claims that one of a right beats, and of those that keep it from winning. */
const BEATEN = [12, 12, 8, 0] as const;
const UNBEATEN = [1, 3, 7, 15] as const;

/**
 * @param digester the run's own
 * @param directory for a scratch file with the claims so far
 */
export function createContestTaker(digester: Digester, directory: string): ContestTaker {
  const winners = new Map<Key, Winner>();
  const claims = createSeenKeys(directory);

  const beats = (contact: Key, right: Right): boolean =>
    claims.find(contact, BEATEN[right]) !== undefined &&
    claims.find(contact, UNBEATEN[right]) === undefined;
  const take = ({ kind, value, rank }: OneClaim, right: Right, claim: Claim): void => {
    const contact = digester.contact(kind, value);
    const keyed = claim.record.sourceId !== null;
    const { row } = claim;
    const best = winners.get(contact);
    if (best === undefined ? beats(contact, right) : right < best.right) {
      winners.set(contact, { row, right, keyed, identity: claim.identity() });
    } else if (best === undefined) {
      claims.add(contact, ROLES[right], { id: 0, keyed, rank, row });
    }
  };
  return {
    take(claim) {
      for (const one of claimsOf(claim)) take(one, RIGHT_OF[one.rank], claim);
      for (const one of reservedBy(claim)) take(one, RIGHT.reserved, claim);
      for (const one of yieldedBy(claim)) take(one, RIGHT.unverified, claim);
    },
    end() {
      claims.close();
      return winners.size === 0
        ? NO_CONTESTS
        : {
            lossOf: (user) => lossOf(winners, user),
            winners: [...winners.values()],
          };
    },
  };
}
