/** Divides the rows of an export among parts: every row falls to exactly one, and the rows of one user to the same one. */

import { inMemoryMatcher } from "../checkpoint/ledger.js";
import type { SeenKeys } from "../keys/seen-keys.js";
import type { RowRef } from "../events/events.js";
import { type Among, lossOf } from "../plan/contests.js";
import { createDryDigester, type Key } from "../plan/digests.js";
import type { PlannedUser } from "../plan/action.js";

/** One row, as it is planned by {@link DIVIDING}. */
export interface DividedRow {
  readonly row: RowRef;
  /** Null for a row that no user can be told from. */
  readonly user: PlannedUser | null;
  /** What the other rows make of it. */
  readonly among?: Among;
}

/** The rows of one reading of an export, in its order. */
interface Division {
  /** The number, from 1, of the shard that a row falls to. @throws RunError `disk` */
  shardOf(row: DividedRow): number;
}

/** Nothing random: a newer export of the same users comes to the same parts. */
export const DIVIDING = createDryDigester("");

/** What rows are divided by. */
export interface DivisionParts {
  /** Shards in all. */
  readonly count: number;
  /** Empty; it holds the keys of the whole export. */
  readonly seenKeys: SeenKeys;
}

/** A shard's number, or the key of the row that wins a contest and that this one goes with. */
type Place = string;

/** The shards of the rows that win contests. */
export type WinnerShards = ReadonlyMap<Key, number>;

/** The rows of a reading before: a row may lose a contact to one that comes later. */
interface WinnerSearch {
  /** @throws RunError `disk` */
  take(row: DividedRow): void;
  /** After the last row. */
  end(): WinnerShards;
}

/** Finds where the rows that win contests come to, which may themselves lose another contact. */
export function searchWinners(parts: DivisionParts, winners: readonly RowRef[]): WinnerSearch {
  const placeOf = placing(parts, keyOf);
  const places = new Map<Key, Place | null>();
  for (const row of winners) places.set(keyOf(row), null);
  const settled = (key: Key): number => {
    const passed = [key];
    for (;;) {
      const place = places.get(passed.at(-1) ?? key) ?? null;
      if (place !== null && !places.has(place)) return Number(place);
      const from = place === null ? -1 : passed.indexOf(place);
      // Two rows that take a contact from each other stay together.
      if (from >= 0 || place === null)
        return shardOfKey(passed.slice(from).sort()[0] ?? key, parts);
      passed.push(place);
    }
  };
  return {
    take(row) {
      const place = placeOf(row);
      const key = keyOf(row.row);
      if (places.has(key)) places.set(key, place);
    },
    end: () => new Map([...places.keys()].map((key) => [key, settled(key)])),
  };
}

/**
 * A user falls to a shard by the vendor's id, and by the first contact only where there is no id:
 * a newer export in which a contact has changed must come to the shard whose checkpoint knows the
 * user, or that user would be brought a second time. A second row of one user, and a row whose
 * contact another user's has taken, follow that row, so that the part's import finds the same.
 */
export function createDivision(parts: DivisionParts, winners: WinnerShards): Division {
  const placeOf = placing(parts, (row) => String(winners.get(keyOf(row))));
  return { shardOf: (row) => Number(placeOf(row)) };
}

/** Finds each row's shard, by the same matching that an import uses. */
function placing(
  parts: DivisionParts,
  withWinner: (winner: RowRef) => Place,
): (row: DividedRow) => Place {
  const book = inMemoryMatcher(parts.seenKeys);
  return ({ row, user, among }) => {
    if (user === null) return String(shardOfKey(keyOf(row), parts));
    const { keys } = user;
    const loss = among === undefined ? null : lossOf(user, among.lost, null);
    const own = loss === null ? String(shardOfKey(keys.identity, parts)) : withWinner(loss.to);
    if (loss !== null && !keys.keyed) return own;
    const claims = loss === null ? {} : { contacts: [], reserved: [] };
    // The book names the row that came first. Of that only the place is asked for, so it goes for the file.
    const standing = book.match({ ...keys, ...claims, row: { ...row, file: own } }, SCOPE);
    return standing.kind === "entry" ? own : standing.first.file;
  };
}

/** A dry book knows no earlier exports, which scopes are for. */
const SCOPE = { source: "", namespace: "" };

function keyOf({ file, number }: RowRef): Key {
  return DIVIDING.row(file, number);
}

/** By the key's first 48 bits. */
function shardOfKey(key: Key, { count }: Pick<DivisionParts, "count">): number {
  let number = 0;
  for (let at = 0; at < 6; at += 1) number = 256 * number + key.charCodeAt(at);
  return 1 + (number % count);
}
