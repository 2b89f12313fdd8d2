/** Finds hashes that several users share. It keeps numeric digests, never a hash or a contact, and at most 100 000 of them however many rows come. */

import type { UserRecord } from "../../record/user-record.js";
import type { Finding, RowRef } from "../events.js";
import { digest } from "./digest.js";
import { finding } from "./findings.js";
import { createHashPlaces } from "./hash-places.js";

/** Different hashes that are counted exactly. */
const CAPACITY = 100_000;

/** Beyond that, a hash is told where this share of all has it: far above what the sketch loses. */
const MIN_SHARE = 1 / 1000;

export interface SharedHashes {
  /** One more user with a hash, as it would be sent. */
  add(hash: string, record: UserRecord, row: RowRef): void;
  /** One finding for all hashes that at least two users have, or none. */
  findings(): Finding[];
}

/**
 * Counts by Misra and Gries (1982): when all places are taken, every count goes down by one and
 * those at zero leave. What has more than one in 100 000 stays, and loses at most that much.
 *
 * @param capacity places; smaller in tests
 */
export function createSharedHashes(capacity: number = CAPACITY): SharedHashes {
  const places = createHashPlaces();
  let users = 0;
  let exact = true;

  return {
    add(hash, { sourceId, email }, row) {
      users += 1;
      const key = digest(hash);
      const id = sourceId === null ? 0 : digest(sourceId);
      const address = email === null ? 0 : digest(email.value);
      const user = { id, email: address, row };
      if (places.find(key)) {
        // A second row of the first user is a duplicate, and no sharing.
        if (!places.isFirst(user)) places.again(row);
        return;
      }
      if (places.taken >= capacity) {
        exact = false;
        places.decay();
      }
      if (places.taken < capacity) places.put(key, user);
    },
    findings() {
      const least = exact ? 2 : Math.max(2, users * MIN_SHARE);
      const shared = places
        .shared()
        .filter(({ count }) => count >= least)
        .sort((a, b) => b.count - a.count || a.first.number - b.first.number);
      const [top] = shared;
      if (top === undefined) return [];
      const rows = [top.first, top.second];
      const count = shared.reduce((sum, hash) => sum + hash.count, 0);
      return [finding("hash_shared", { count, rows }, detail(shared.length, top.count, exact))];
    },
  };
}

function detail(hashes: number, most: number, exact: boolean): string {
  const users = `${exact ? "" : "at least "}${most.toLocaleString("en-US")} users`;
  return hashes === 1
    ? `One hash is shared by ${users}.`
    : `${hashes.toLocaleString("en-US")} hashes are each shared by several users, one of them by ${users}.`;
}
