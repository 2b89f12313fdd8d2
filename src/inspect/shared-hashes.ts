/** Finds hashes, or salts, that several users share. It keeps numeric digests, never a hash or a contact, and at most 100 000 of them however many rows come. */

import type { Finding, RowRef } from "../events/events.js";
import { finding } from "../events/findings.js";
import { digest, type UserDigests } from "./digest.js";
import { HashPlaces } from "./hash-places.js";

/** From when on not all hashes are counted exactly, and which ones are told then. */
export interface SharingSizes {
  /** Different hashes that are counted exactly. */
  readonly hashes: number;
  /** Beyond that, a hash is told where this share of all has it: far above what the sketch loses. */
  readonly share: number;
}

const SIZES: SharingSizes = { hashes: 100_000, share: 1 / 1000 };

interface SharedHashes {
  /** One more user with a hash, as it would be sent, or its salt. */
  add(hash: string, user: UserDigests, row: RowRef): void;
  /** One finding for all of them that at least two users have, or none. */
  findings(): Finding[];
}

/**
 * Counts by Misra and Gries (1982): when all places are taken, every count goes down by one and
 * those at zero leave. What has more than one in 100 000 stays, and loses at most that much.
 *
 * @param what is shared: hashes, or salts that stand apart from them
 * @param sizes smaller in tests
 */
export function createSharedHashes(
  what: "hash" | "salt",
  { hashes: capacity, share }: SharingSizes = SIZES,
): SharedHashes {
  const places = new HashPlaces(capacity);
  let users = 0;
  let exact = true;

  const addDigest = (key: number, id: number, email: number, row: RowRef): void => {
    users += 1;
    if (places.find(key)) {
      // A second row of the first user is a duplicate, and no sharing.
      if (places.isFirst(id, email)) places.same();
      else places.again(row);
      return;
    }
    if (places.taken >= capacity) {
      exact = false;
      places.decay();
    }
    if (places.taken < capacity) places.put(key, id, email, row);
  };
  return {
    add: (hash, { id, email }, row) => addDigest(digest(hash), id, email, row),
    findings() {
      const least = exact ? 2 : Math.max(2, users * share);
      const shared = places
        .shared()
        .filter(({ count }) => count >= least)
        .sort((a, b) => b.count - a.count || a.first.number - b.first.number);
      const [top] = shared;
      if (top === undefined) return [];
      const rows = [top.first, top.second];
      const count = shared.reduce((sum, hash) => sum + hash.count, 0);
      const most = `${exact ? "" : "at least "}${top.count.toLocaleString("en-US")} users`;
      const says = detail(what, shared.length, most);
      return what === "hash"
        ? [finding("hash_shared", { count, rows }, says)]
        : [finding("proof_needed", { count, rows }, `${says} ${SALTS_ARE_RANDOM}`)];
    },
  };
}

const SALTS_ARE_RANDOM =
  "Salts are random, so two users never have one by chance: the column of salts was filled with the wrong values, or hash and salt were copied together.";

function detail(what: string, shared: number, most: string): string {
  return shared === 1
    ? `One ${what} is shared by ${most}.`
    : `${shared.toLocaleString("en-US")} ${what}${what.endsWith("sh") ? "es" : "s"} are each shared by several users, one of them by ${most}.`;
}
