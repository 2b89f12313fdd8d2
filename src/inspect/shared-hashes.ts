/** Finds hashes, or salts, that several users share. It keeps numeric digests, never a hash or a contact, and at most 100 000 of them however many rows come. */

import type { UserRecord } from "../account/user-record.js";
import type { Finding, RowRef } from "../events/events.js";
import { finding } from "../events/findings.js";
import { digest } from "./digest.js";

/** Different hashes that are counted exactly. */
const CAPACITY = 100_000;

/** Beyond that, a hash is told where this share of all has it: far above what the sketch loses. */
const MIN_SHARE = 1 / 1000;

interface SharedHashes {
  /** One more user with a hash, as it would be sent, or its salt. */
  add(hash: string, record: UserRecord, row: RowRef): void;
  /** One finding for all of them that at least two users have, or none. */
  findings(): Finding[];
}

/**
 * Counts by Misra and Gries (1982): when all places are taken, every count goes down by one and
 * those at zero leave. What has more than one in 100 000 stays, and loses at most that much.
 *
 * @param code what is told of what is shared: hashes, or salts that stand apart from them
 * @param capacity places; smaller in tests
 */
export function createSharedHashes(
  code: "hash_shared" | "scrypt_salt_shared",
  capacity: number = CAPACITY,
): SharedHashes {
  const what = code === "hash_shared" ? "hash" : "salt";
  const places = new HashPlaces();
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
      const most = `${exact ? "" : "at least "}${top.count.toLocaleString("en-US")} users`;
      return [finding(code, { count, rows }, detail(what, shared.length, most))];
    },
  };
}

function detail(what: string, shared: number, most: string): string {
  return shared === 1
    ? `One ${what} is shared by ${most}.`
    : `${shared.toLocaleString("en-US")} ${what}${what.endsWith("sh") ? "es" : "s"} are each shared by several users, one of them by ${most}.`;
}

const FIRST_PLACES = 1 << 10;

/**
 * What is kept of a hash, by its number within a place. They stand side by side, since most hashes
 * are new and take a place: a column for each would be eight misses of the processor's cache.
 */
const KEY = 0;
/** 0 for an empty place. */
const COUNT = 1;
/** Digests of the first user's id and email; 0 for none. */
const ID = 2;
const EMAIL = 3;
/** File, row and line behind each other, the line 0 where rows aren't lines. */
const FIRST = 4;
/** The same; of a hash without a second user all are 0. */
const SECOND = 7;
const NUMBERS = 10;

/** What is known of a hash beside its count. */
interface FirstUser {
  /** Digests of the first user's id and email; 0 for none. */
  readonly id: number;
  readonly email: number;
  readonly row: RowRef;
}

/** A hash that at least two users have. */
interface SharedHash {
  readonly count: number;
  readonly first: RowRef;
  readonly second: RowRef;
}

/** No places at first. They grow with what is put in, up to twice as many as hashes are put. */
class HashPlaces {
  readonly #files: string[] = [];
  #table = emptyTable(FIRST_PLACES);
  #found = 0;
  /** How many hashes have a place. */
  taken = 0;

  /** Whether a hash has a place; if so, `isFirst` and `again` are about it. */
  find(key: number): boolean {
    this.#found = placeOf(this.#table, key);
    return this.#table[this.#found + COUNT] !== 0;
  }

  /** Whether the user is the first one that the found hash had. */
  isFirst({ id, email }: Pick<FirstUser, "id" | "email">): boolean {
    const table = this.#table;
    const place = this.#found;
    return (
      (id !== 0 && id === table[place + ID]) || (email !== 0 && email === table[place + EMAIL])
    );
  }

  /** Gives a hash that has none a place, with the count 1. */
  put(key: number, { id, email, row }: FirstUser): void {
    const places = this.#table.length / NUMBERS;
    if (this.taken * 2 >= places) {
      const before = this.#table;
      this.#table = emptyTable(places * 2);
      this.#takeIn(before);
    }
    const table = this.#table;
    const place = placeOf(table, key);
    table[place + KEY] = key;
    table[place + COUNT] = 1;
    table[place + ID] = id;
    table[place + EMAIL] = email;
    this.#note(place + FIRST, row);
    this.taken += 1;
  }

  /** Counts the found hash once more. */
  again(row: RowRef): void {
    const table = this.#table;
    const place = this.#found;
    table[place + COUNT] = (table[place + COUNT] ?? 0) + 1;
    if (!this.#hasSecond(place)) this.#note(place + SECOND, row);
  }

  /**
   * Takes one from every count; what comes to nothing leaves its place. The table stays: when one of
   * 20 MB is given back and the next one taken, the system's allocator keeps room for both.
   */
  decay(): void {
    const table = this.#table;
    let end = 0;
    for (let from = 0; from < table.length; from += NUMBERS) {
      const count = table[from + COUNT] ?? 0;
      if (count < 2) continue;
      table.copyWithin(end, from, from + NUMBERS);
      table[end + COUNT] = count - 1;
      end += NUMBERS;
    }
    const left = table.slice(0, end);
    table.fill(0);
    this.#takeIn(left);
  }

  shared(): SharedHash[] {
    const table = this.#table;
    const shared: SharedHash[] = [];
    for (let place = 0; place < table.length; place += NUMBERS) {
      const count = table[place + COUNT] ?? 0;
      if (count === 0 || !this.#hasSecond(place)) continue;
      const [first, second] = [this.#rowAt(place + FIRST), this.#rowAt(place + SECOND)];
      shared.push({ count, first, second });
    }
    return shared;
  }

  #hasSecond(place: number): boolean {
    return this.#table[place + SECOND + 1] !== 0;
  }

  #note(at: number, { file, number, line = 0 }: RowRef): void {
    const known = this.#files.lastIndexOf(file);
    this.#table[at] = known === -1 ? this.#files.push(file) - 1 : known;
    this.#table[at + 1] = number;
    this.#table[at + 2] = line;
  }

  #rowAt(at: number): RowRef {
    const [file = 0, number = 0, line = 0] = this.#table.subarray(at, at + 3);
    return { file: this.#files[file] ?? "", number, line: line || undefined };
  }

  /** Puts what has a count in another table into this one, which is empty. */
  #takeIn(before: Float64Array): void {
    this.taken = 0;
    // By index: an iterator would make an object a place, and some million of them an import.
    for (let from = 0; from < before.length; from += NUMBERS) {
      if (before[from + COUNT] === 0) continue;
      const to = placeOf(this.#table, before[from + KEY] ?? 0);
      for (let at = 0; at < NUMBERS; at += 1) this.#table[to + at] = before[from + at] ?? 0;
      this.taken += 1;
    }
  }
}

function emptyTable(places: number): Float64Array {
  return new Float64Array(places * NUMBERS);
}

/** The place of a key, or the empty one where it belongs. */
function placeOf(table: Float64Array, key: number): number {
  const last = table.length / NUMBERS - 1;
  let place = (key >>> 0) & last;
  while (table[place * NUMBERS + COUNT] !== 0 && table[place * NUMBERS + KEY] !== key) {
    place = (place + 1) & last;
  }
  return place * NUMBERS;
}
