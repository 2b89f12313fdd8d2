/** The indexes by which a run finds the users of earlier ones. They are made at the first search for a user, in the order of their keys: a row of its own for each user costs no more with ten million users than with one, an index of keys in no order would. */

import type { Database } from "../sqlite/database.js";
import { getMeta, setMeta } from "./meta.js";
import { CONTACT, KIND, MARK } from "../plan/states.js";

/** Users whose keys are sorted at once, in some 30 MB of memory. Twice as many take as long and 60. */
const USERS_AT_ONCE = 500_000;

/** Only the first two bytes tell ranges apart. */
const PLACES = 65_536;

/** From which id on the users' keys are in no index yet. */
export function firstUnindexed(database: Database): number {
  return Number(getMeta(database, "indexed") ?? 0) + 1;
}

/** The indexes of a checkpoint that is written. */
export interface KeyIndex {
  /**
   * Sees to it that the users of earlier runs stand in the indexes, which takes a second or two a
   * million of them where they don't yet. Before that no contact of theirs may change.
   */
  complete(): void;
}

/** @param last the last user of earlier runs */
export function createKeyIndex(database: Database, last: number): KeyIndex {
  let isComplete = false;
  return {
    complete() {
      if (isComplete) return;
      indexKeys(database, last);
      isComplete = true;
    },
  };
}

/**
 * Indexes the keys of all users up to `last` who aren't yet. A run that is killed on the way begins
 * anew: that does no harm.
 *
 * @param usersAtOnce fewer in tests
 */
export function indexKeys(database: Database, last: number, usersAtOnce = USERS_AT_ONCE): void {
  const first = firstUnindexed(database);
  if (last < first) return;
  const inserts = [
    "INSERT OR REPLACE INTO identities SELECT identity, id",
    `INSERT OR REPLACE INTO contacts SELECT email, id,
       iif(kind = ${KIND.thirdparty}, ${CONTACT.social}, ${CONTACT.email}), ${MARK.held}, 0`,
    `INSERT OR REPLACE INTO contacts SELECT phone, id, ${CONTACT.phone}, ${MARK.held}, 0`,
  ];
  const ranges = Math.min(PLACES, Math.ceil((last - first + 1) / usersAtOnce));
  for (const [place, column] of ["identity", "email", "phone"].entries()) {
    const insert = database.prepare(
      `${inserts[place]} FROM users WHERE id BETWEEN ? AND ? AND ${column} >= ? AND ${column} < ?
       ORDER BY ${column}`,
    );
    for (let range = 0; range < ranges; range += 1) {
      insert.run(first, last, bound(range, ranges), bound(range + 1, ranges));
    }
  }
  setMeta(database, "indexed", String(last));
}

/** Where a range of keys begins: the key's first bytes, or more than any key. */
function bound(range: number, ranges: number): Buffer {
  if (range === ranges) return Buffer.alloc(32, 0xff);
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(Math.floor((range / ranges) * PLACES));
  return range === 0 ? Buffer.alloc(0) : bytes;
}
