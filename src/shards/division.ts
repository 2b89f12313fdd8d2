/** Divides the rows of an export among parts: every row falls to exactly one, and the rows of one user to the same one. */

import { createDryBook, type RowBook } from "../checkpoint/ledger.js";
import type { RunKeys } from "../keys/run-keys.js";
import type { RowRef } from "../events/events.js";
import type { Loss } from "../plan/contests.js";
import { createDryDigester, type Key } from "../plan/digests.js";
import type { PlannedUser } from "../run/plan-row.js";

/** One row, as it is planned by {@link DIVIDING}. */
export interface DividedRow {
  readonly row: RowRef;
  /** Null for a row that no user can be told from. */
  readonly user: PlannedUser | null;
  /** The contact that a better row gets; null where there is none. */
  readonly loss: Loss | null;
}

/** The rows of one reading of an export, in its order. */
export interface Division {
  /** The number, from 1, of the shard that a row falls to. @throws RunError `disk` */
  shardOf(row: DividedRow): number;
}

/** Nothing random: a newer export of the same users comes to the same parts. */
export const DIVIDING = createDryDigester("");

/**
 * A user falls to a shard by the vendor's id, and by the first contact only where there is no id:
 * a newer export in which a contact has changed must come to the shard whose checkpoint knows the
 * user, or that user would be brought a second time. A second row of one user, and a row whose
 * contact another user's has taken, follow the row that came first.
 *
 * @param count shards in all
 * @param runKeys empty; it holds the keys of the whole export
 */
export function createDivision(count: number, runKeys: RunKeys): Division {
  const book = createDryBook(runKeys);
  const shard = (key: Key): number => 1 + (numberOf(key) % count);
  return {
    shardOf({ row, user, loss }) {
      if (user === null) return shard(DIVIDING.row(row.file, row.number));
      if (loss === null) {
        const own = shard(user.candidate.identity);
        return firstOf(user, own, book) ?? own;
      }
      // In one part with the better row, so that its import finds the same. That row's user may be
      // in a part already, or is to come to this one.
      const { identity, keyed } = loss.winner;
      const winner = { ...user.candidate, identity, keyed, contacts: [] };
      const own = shard(identity);
      const better = firstOf({ ...user, candidate: winner }, own, book) ?? own;
      return user.candidate.keyed ? (firstOf(withoutClaims(user), better, book) ?? better) : better;
    },
  };
}

/** Of the user whose row it is, the shard of the row that came first; null where this one does. */
function firstOf({ candidate }: PlannedUser, own: number, book: RowBook): number | null {
  // The book names the row that came first. Of that only the shard is asked for, so it goes for the file.
  const named = { ...candidate, row: { file: String(own), number: candidate.row.number } };
  const standing = book.meet(named, SCOPE);
  return standing.kind === "entry" ? null : Number(standing.first.file);
}

function withoutClaims({ plan, candidate }: PlannedUser): PlannedUser {
  return { plan, candidate: { ...candidate, contacts: [] } };
}

/** A dry book knows no earlier exports, which scopes are for. */
const SCOPE = { source: "", namespace: "" };

/** The key's first 48 bits. */
function numberOf(key: Key): number {
  let number = 0;
  for (let at = 0; at < 6; at += 1) number = 256 * number + key.charCodeAt(at);
  return number;
}
