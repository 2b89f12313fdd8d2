/** Finds hashes that several users share. It keeps numeric digests, never a hash or a contact, and at most 100 000 of them however many rows come. */

import type { UserRecord } from "../../record/user-record.js";
import type { Finding, RowRef } from "../events.js";
import { finding } from "./findings.js";

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

interface Entry {
  count: number;
  /** Of the first user: a second row of theirs is a duplicate, and no sharing. */
  readonly id: number;
  readonly email: number;
  readonly first: RowRef;
  second: RowRef | null;
}

/**
 * Counts by Misra and Gries (1982): when all places are taken, every count goes down by one and
 * those at zero leave. What has more than one in 100 000 stays, and loses at most that much.
 *
 * @param capacity places; smaller in tests
 */
export function createSharedHashes(capacity: number = CAPACITY): SharedHashes {
  const entries = new Map<number, Entry>();
  let users = 0;
  let exact = true;

  const makeRoom = (): void => {
    exact = false;
    for (const [key, entry] of entries) {
      entry.count -= 1;
      if (entry.count === 0) entries.delete(key);
    }
  };
  return {
    add(hash, { sourceId, email }, row) {
      users += 1;
      const key = digest(hash);
      const known = entries.get(key);
      const id = sourceId === null ? 0 : digest(sourceId);
      const address = email === null ? 0 : digest(email.value);
      if (known === undefined) {
        if (entries.size >= capacity) makeRoom();
        if (entries.size >= capacity) return;
        entries.set(key, { count: 1, id, email: address, first: row, second: null });
        return;
      }
      const same = (id !== 0 && id === known.id) || (address !== 0 && address === known.email);
      if (same) return;
      known.count += 1;
      known.second ??= row;
    },
    findings() {
      const least = exact ? 2 : Math.max(2, users * MIN_SHARE);
      const shared = [...entries.values()]
        .filter((entry) => entry.second !== null && entry.count >= least)
        .sort((a, b) => b.count - a.count);
      const [top] = shared;
      if (top === undefined) return [];
      const rows = top.second === null ? [top.first] : [top.first, top.second];
      const count = shared.reduce((sum, entry) => sum + entry.count, 0);
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

/**
 * 53 bits of a text, mixed as by cyrb53. Not for secrets or against forgers: it never leaves this
 * process, and two hashes that meet by chance (one pair in a million files) make a false finding.
 */
function digest(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2_654_435_761);
    low = Math.imul(low ^ unit, 1_597_334_677);
  }
  high =
    Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low =
    Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & low) + (high >>> 0);
}
