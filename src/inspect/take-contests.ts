/** Finds the contests of a run's inputs: the claims of all rows, compared one by one in constant memory. */

import type { RowRef } from "../events/events.js";
import { createSeenKeys, type FirstRow } from "../keys/seen-keys.js";
import {
  type Contests,
  lossOf,
  NO_CONTESTS,
  RIGHT,
  RIGHT_OF,
  type Right,
  type Winner,
  yields,
} from "../plan/contests.js";
import type { Key } from "../plan/digests.js";
import type { Plan } from "../plan/plan.js";
import { RANK, type Rank } from "../plan/rank.js";
import type { Claims } from "../plan/user-keys.js";

/** Takes the claims of all inputs, row by row, in memory for the contests alone. */
export interface ContestTaker {
  /**
   * @param identity the key of the row's user, asked for where something hangs on it
   * @throws RunError `disk`
   */
  take(plan: Plan, claims: Claims, identity: () => Key): void;
  /** Whether some contact is contested so far. */
  readonly hasFound: boolean;
  /** What was found out; the taker takes nothing more. */
  end(): Contests;
}

/**
 * Of an uncontested contact the newest claim is the first one with the best right, which is the
 * note's number. A contact stands for the user without an id who has it, by a better right than a
 * row that yields.
 */
const NOTE = { claim: 1, standsFor: 2, yields: 4 } as const;

/**
 * @param directory for a scratch file with the claims so far
 * @param few as {@link createSeenKeys}
 */
export function createContestTaker(directory: string, few = false): ContestTaker {
  const winners = new Map<Key, Winner>();
  const stayers = new Map<Key, Winner>();
  const notes = createSeenKeys(directory, { few });
  let hasYielding = false;

  const takeClaim = (
    { contact, right, rank }: Claim,
    { row, keyed }: Claims,
    identity: () => Key,
  ): void => {
    const stands = !keyed && right < RIGHT.unverified && contact === identity();
    const note = { id: right, keyed, rank, row };
    const winner = winners.get(contact);
    const first = winner === undefined ? notes.find(contact, NOTE.claim) : undefined;
    const best = winner?.right ?? (first?.id as Right | undefined);
    if (best === undefined || (first !== undefined && right < best && !beats(right, best))) {
      notes.add(contact, NOTE.claim | (stands ? NOTE.standsFor : 0), note);
    } else {
      if (right < best) winners.set(contact, { row, right, keyed, identity: identity() });
      else if (first !== undefined && beats(best, right)) winners.set(contact, winnerOf(first));
      if (stands && notes.find(contact, NOTE.standsFor) === undefined) {
        notes.add(contact, NOTE.standsFor, note);
      }
    }
    if (!stands || !hasYielding || stayers.has(contact)) return;
    if (notes.find(contact, NOTE.yields) !== undefined) stayers.set(contact, winnerOf(note));
  };
  const takeYielding = (contact: Key, row: RowRef): void => {
    const other = notes.find(contact, NOTE.standsFor);
    if (other !== undefined && !stayers.has(contact)) stayers.set(contact, winnerOf(other));
    if (other !== undefined) return;
    hasYielding = true;
    const note = { id: RIGHT.unverified, keyed: false, rank: RANK.unverified, row };
    notes.add(contact, NOTE.yields, note);
  };
  return {
    take(plan, claims, identity) {
      for (const { key: contact, rank } of claims.contacts) {
        takeClaim({ contact, right: RIGHT_OF[rank], rank }, claims, identity);
      }
      for (const { key: contact } of claims.reserved) {
        takeClaim({ contact, right: RIGHT.reserved, rank: RANK.verified }, claims, identity);
      }
      // The contact that it stands for is its identity.
      if (yields(plan, claims.keyed)) takeYielding(identity(), claims.row);
    },
    get hasFound() {
      return winners.size + stayers.size > 0;
    },
    end() {
      notes.close();
      return contestsOf(winners, stayers);
    },
  };
}

/** A contact that a row claims, or reserves. */
interface Claim {
  readonly contact: Key;
  readonly right: Right;
  readonly rank: Rank;
}

/** Apart from the taker, whose notes end with it. */
function contestsOf(winners: Map<Key, Winner>, stayers: Map<Key, Winner>): Contests {
  if (winners.size + stayers.size === 0) return NO_CONTESTS;
  return {
    lossOf: (user) => lossOf({ winners, stayers }, user),
    winners: [...winners.values(), ...stayers.values()],
  };
}

/** A contact is contested where one right beats another. A user who is left out keeps it from no row that is verified as well. */
function beats(right: Right, other: Right): boolean {
  return right < other && other > RIGHT.reserved;
}

/** @param first its number is the right */
function winnerOf({ id, row, keyed }: Pick<FirstRow, "id" | "row" | "keyed">): Winner {
  return { row, keyed, right: id as Right, identity: null };
}
