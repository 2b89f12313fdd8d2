/** Finds the contests of a run's inputs: the claims of all rows, compared one by one in constant memory. */

import type { RowRef } from "../events/events.js";
import { createSeenKeys, type FirstRow, type SeenKeys } from "../keys/seen-keys.js";
import {
  type Contests,
  createLossOf,
  NO_CONTESTS,
  RIGHT,
  RIGHT_OF,
  type Right,
  type Winner,
  type Yielding,
  yieldsTo,
} from "../plan/contests.js";
import type { Key } from "../plan/digests.js";
import type { Plan } from "../plan/plan.js";
import { RANK, type Rank } from "../plan/rank.js";
import type { UserKeys } from "../plan/entry.js";

/**
 * Of an uncontested contact the newest claim is the first one with the best right, which is the
 * note's number. A contact stands for the user without an id who has it, by a better right than a
 * row that yields to such a one; another yields to any claim.
 */
const NOTE = { claim: 1, standsFor: 2, yieldsToBetter: 4, yieldsToAny: 8 } as const;

const YIELDS = { better: NOTE.yieldsToBetter, any: NOTE.yieldsToAny } as const;

/** Takes the claims of all inputs, row by row, in memory for the contests alone. */
export class ContestTaker {
  readonly #winners = new Map<Key, Winner>();
  readonly #takers = { better: new Map<Key, Winner>(), any: new Map<Key, Winner>() };
  readonly #hasYielding = { better: false, any: false };
  readonly #notes: SeenKeys;

  /**
   * @param directory for a scratch file with the claims so far
   * @param few as {@link createSeenKeys}
   */
  constructor(directory: string, few = false) {
    this.#notes = createSeenKeys(directory, { few });
  }

  /** @throws RunError `disk` */
  take(plan: Plan, claims: UserKeys): void {
    for (const { key: contact, rank } of claims.contacts) {
      this.#takeClaim({ contact, right: RIGHT_OF[rank], rank }, claims);
    }
    for (const { key: contact } of claims.reserved) {
      this.#takeClaim({ contact, right: RIGHT.reserved, rank: RANK.verified }, claims);
    }
    const yielding = yieldsTo(plan, claims);
    // The contact that it stands for is its identity.
    if (yielding !== null) this.#takeYielding(yielding, claims.identity, claims.row);
  }

  /** What was found out; the taker takes nothing more. */
  end(): Contests {
    this.#notes.close();
    const winners = this.#winners;
    const takers = this.#takers;
    for (const contact of takers.any.keys()) {
      const winner = winners.get(contact);
      if (winner !== undefined) takers.any.set(contact, winner);
    }
    const all = [winners, takers.better, takers.any].flatMap((found) => [...found.values()]);
    if (all.length === 0) return NO_CONTESTS;
    return { lossOf: createLossOf({ winners, takers }), winners: all };
  }

  #takeClaim({ contact, right, rank }: Claim, { row, keyed, identity }: UserKeys): void {
    const notes = this.#notes;
    const winners = this.#winners;
    const stands = !keyed && right < RIGHT.unverified && contact === identity;
    const note = { id: right, keyed, rank, row };
    const winner = winners.get(contact);
    const first = winner === undefined ? notes.find(contact, NOTE.claim) : undefined;
    const best = winner?.right ?? (first?.id as Right | undefined);
    if (best === undefined || (first !== undefined && right < best && !beats(right, best))) {
      notes.add(contact, NOTE.claim | (stands ? NOTE.standsFor : 0), note);
    } else {
      if (right < best) winners.set(contact, { row, right, keyed, identity });
      else if (first !== undefined && beats(best, right)) winners.set(contact, winnerOf(first));
      if (stands && notes.find(contact, NOTE.standsFor) === undefined) {
        notes.add(contact, NOTE.standsFor, note);
      }
    }
    if (stands) this.#makeRoom("better", contact, note);
    if (right !== RIGHT.reserved) this.#makeRoom("any", contact, note);
  }

  /** A row before may yield the contact to this claim. */
  #makeRoom(yielding: Yielding, contact: Key, note: ClaimNote): void {
    const takers = this.#takers[yielding];
    if (!this.#hasYielding[yielding] || takers.has(contact)) return;
    const yields = this.#notes.find(contact, YIELDS[yielding]) !== undefined;
    if (yields) takers.set(contact, winnerOf(note));
  }

  #takeYielding(yielding: Yielding, contact: Key, row: RowRef): void {
    const takers = this.#takers[yielding];
    if (takers.has(contact)) return;
    const taker = this.#takerOf(yielding, contact);
    if (taker !== null) takers.set(contact, taker);
    else if (this.#notes.find(contact, YIELDS[yielding]) === undefined) {
      this.#hasYielding[yielding] = true;
      const note = { id: RIGHT.unverified, keyed: false, rank: RANK.unverified, row };
      this.#notes.add(contact, YIELDS[yielding], note);
    }
  }

  /** To whom a contact is yielded, by the rows so far. */
  #takerOf(yielding: Yielding, contact: Key): Winner | null {
    if (yielding === "better") return winnerOrNull(this.#notes.find(contact, NOTE.standsFor));
    // A contact that is contested is claimed, whoever gets it.
    const winner = this.#winners.get(contact);
    const first = winner ?? winnerOrNull(this.#notes.find(contact, NOTE.claim));
    return winner === undefined && first?.right === RIGHT.reserved ? null : first;
  }
}

/** A contact that a row claims, or reserves. */
interface Claim {
  readonly contact: Key;
  readonly right: Right;
  readonly rank: Rank;
}

/** A contact is contested where one right beats another. A user who is left out keeps it from no row that is verified as well. */
function beats(right: Right, other: Right): boolean {
  return right < other && other > RIGHT.reserved;
}

/** Its number is the right. */
type ClaimNote = Pick<FirstRow, "id" | "row" | "keyed">;

function winnerOf({ id, row, keyed }: ClaimNote): Winner {
  return { row, keyed, right: id as Right, identity: null };
}

function winnerOrNull(note: ClaimNote | undefined): Winner | null {
  return note === undefined ? null : winnerOf(note);
}
