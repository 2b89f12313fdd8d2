/** Finds the contests of a run's inputs: the claims of all rows, compared one by one in constant memory. */

import type { RowRef } from "../events/events.js";
import { createSeenKeys, type FirstRow } from "../keys/seen-keys.js";
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

/**
 * Of an uncontested contact the newest claim is the first one with the best right, which is the
 * note's number. A contact stands for the user without an id who has it, by a better right than a
 * row that yields.
 */
const NOTE = { claim: 1, standsFor: 2, yields: 4 } as const;

/**
 * @param digester the run's own
 * @param directory for a scratch file with the claims so far
 */
export function createContestTaker(digester: Digester, directory: string): ContestTaker {
  const winners = new Map<Key, Winner>();
  const stayers = new Map<Key, Winner>();
  const notes = createSeenKeys(directory);
  let hasYielding = false;

  const takeClaim = ({ kind, value, rank }: OneClaim, right: Right, claim: Claim): void => {
    const { record, row } = claim;
    const contact = digester.contact(kind, value);
    const keyed = record.sourceId !== null;
    const stands = !keyed && right < RIGHT.unverified && kind === identityKind(claim);
    const note = { id: right, keyed, rank, row };
    const winner = winners.get(contact);
    const first = winner === undefined ? notes.find(contact, NOTE.claim) : undefined;
    const best = winner?.right ?? (first?.id as Right | undefined);
    if (best === undefined || (first !== undefined && right < best && !beats(right, best))) {
      notes.add(contact, NOTE.claim | (stands ? NOTE.standsFor : 0), note);
    } else {
      if (right < best) winners.set(contact, { row, right, keyed, identity: claim.identity() });
      else if (first !== undefined && beats(best, right)) winners.set(contact, winnerOf(first));
      if (stands && notes.find(contact, NOTE.standsFor) === undefined) {
        notes.add(contact, NOTE.standsFor, note);
      }
    }
    if (!stands || !hasYielding || stayers.has(contact)) return;
    if (notes.find(contact, NOTE.yields) !== undefined) stayers.set(contact, winnerOf(note));
  };
  const takeYielding = ({ kind, value, rank }: OneClaim, { row }: Claim): void => {
    const contact = digester.contact(kind, value);
    const other = notes.find(contact, NOTE.standsFor);
    if (other !== undefined && !stayers.has(contact)) stayers.set(contact, winnerOf(other));
    if (other !== undefined) return;
    hasYielding = true;
    notes.add(contact, NOTE.yields, { id: RIGHT.unverified, keyed: false, rank, row });
  };
  return {
    take(claim) {
      for (const one of claimsOf(claim)) takeClaim(one, RIGHT_OF[one.rank], claim);
      for (const one of reservedBy(claim)) takeClaim(one, RIGHT.reserved, claim);
      for (const one of yieldedBy(claim)) takeYielding(one, claim);
    },
    end() {
      notes.close();
      return contestsOf(winners, stayers);
    },
  };
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

/** The kind of contact that stands for a user without an id, as in `identityKey`. */
function identityKind({ record }: Planned): OneClaim["kind"] {
  return record.email === null ? "phone" : "email";
}

/** @param first its number is the right */
function winnerOf({ id, row, keyed }: Pick<FirstRow, "id" | "row" | "keyed">): Winner {
  return { row, keyed, right: id as Right, identity: null };
}
