/** Finds hashes, or salts, that several users share. It keeps numeric digests, never a hash or a contact, and at most 100 000 of them however many rows come. */

import type { Finding, RowRef } from "../events/events.js";
import { finding } from "../events/findings.js";
import { digest, type UserDigests } from "./digest.js";
import { type ComparedRows, KEY as OF_ROW, KEYS_A_ROW } from "./compared-rows.js";

/** Different hashes that are counted exactly. */
const CAPACITY = 100_000;

/** Beyond that, a hash is told where this share of all has it: far above what the sketch loses. */
const MIN_SHARE = 1 / 1000;

interface SharedHashes {
  /** One more user with a hash, as it would be sent, or its salt. */
  add(hash: string, user: UserDigests, row: RowRef): void;
  /** The same of rows, by their digests. */
  addRows(rows: ComparedRows, rowAt: (index: number) => RowRef): void;
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
  const places = new HashPlaces(capacity);
  let users = 0;
  let exact = true;

  const addDigest = (key: number, id: number, email: number, row: RowRef): void => {
    users += 1;
    if (places.find(key)) {
      // A second row of the first user is a duplicate, and no sharing.
      if (!places.isFirst(id, email)) places.again(row);
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
    addRows({ rows, keys }, rowAt) {
      for (let index = 0; index < rows; index += 1) {
        const at = index * KEYS_A_ROW;
        const hash = keys[at + OF_ROW.hash] ?? 0;
        if (hash === 0) continue;
        addDigest(hash, keys[at + OF_ROW.id] ?? 0, keys[at + OF_ROW.email] ?? 0, rowAt(index));
      }
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

/** Hashes for which there is room at first. */
const FIRST_ROOM = 1000;

/** What is kept of a hash, by its number within its digests: the hash's own, and those of the first user's id and email, 0 for none. */
const KEY = 0;
const ID = 1;
const EMAIL = 2;
const DIGESTS = 3;

/** What is counted of it. File, row and line stand behind each other, the line 0 where rows aren't lines. */
const COUNT = 0;
const FIRST = 1;
/** The same; of a hash without a second user all are 0. */
const SECOND = 4;
const COUNTS = 7;

/** A hash that at least two users have. */
interface SharedHash {
  readonly count: number;
  readonly first: RowRef;
  readonly second: RowRef;
}

/**
 * Hashes in the order in which they came, without a gap, and an index of their numbers. There is room
 * for a few at first and then for all: what isn't filled yet takes no memory, and what grew by and by
 * would leave as much behind again.
 */
class HashPlaces {
  readonly #files: string[] = [];
  readonly #capacity: number;
  #table: Table;
  #found = 0;
  /** How many hashes have a place. */
  taken = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#table = emptyTable(Math.min(FIRST_ROOM, capacity));
  }

  /** Whether a hash has a place; if so, `isFirst` and `again` are about it. */
  find(key: number): boolean {
    const { index } = this.#table;
    this.#found = (index[placeOf(this.#table, key)] ?? 0) - 1;
    return this.#found !== -1;
  }

  /** Whether the user is the first one that the found hash had. */
  isFirst(id: number, email: number): boolean {
    const { digests } = this.#table;
    const at = this.#found * DIGESTS;
    return (id !== 0 && id === digests[at + ID]) || (email !== 0 && email === digests[at + EMAIL]);
  }

  /** Gives a hash that has none a place, with the count 1. */
  put(key: number, id: number, email: number, row: RowRef): void {
    if (this.taken === this.#table.room) this.#makeRoom();
    const { digests, counts } = this.#table;
    const at = this.taken * DIGESTS;
    digests[at + KEY] = key;
    digests[at + ID] = id;
    digests[at + EMAIL] = email;
    const from = this.taken * COUNTS;
    counts[from + COUNT] = 1;
    this.#note(from + FIRST, row);
    // Its place may be that of a hash that has left.
    counts.fill(0, from + SECOND, from + COUNTS);
    this.taken += 1;
    enter(this.#table, key, this.taken);
  }

  /** Counts the found hash once more. */
  again(row: RowRef): void {
    const { counts } = this.#table;
    const from = this.#found * COUNTS;
    counts[from + COUNT] = (counts[from + COUNT] ?? 0) + 1;
    if (!this.#hasSecond(from)) this.#note(from + SECOND, row);
  }

  /** Takes one from every count; what comes to nothing leaves its place. */
  decay(): void {
    const table = this.#table;
    const { digests, counts } = table;
    let left = 0;
    table.index.fill(0);
    for (let hash = 0; hash < this.taken; hash += 1) {
      const count = counts[hash * COUNTS + COUNT] ?? 0;
      if (count < 2) continue;
      digests.copyWithin(left * DIGESTS, hash * DIGESTS, (hash + 1) * DIGESTS);
      counts.copyWithin(left * COUNTS, hash * COUNTS, (hash + 1) * COUNTS);
      counts[left * COUNTS + COUNT] = count - 1;
      left += 1;
      enter(table, digests[(left - 1) * DIGESTS + KEY] ?? 0, left);
    }
    this.taken = left;
  }

  shared(): SharedHash[] {
    const { counts } = this.#table;
    const shared: SharedHash[] = [];
    for (let from = 0; from < this.taken * COUNTS; from += COUNTS) {
      if (!this.#hasSecond(from)) continue;
      const [first, second] = [this.#rowAt(from + FIRST), this.#rowAt(from + SECOND)];
      shared.push({ count: counts[from + COUNT] ?? 0, first, second });
    }
    return shared;
  }

  #hasSecond(from: number): boolean {
    return this.#table.counts[from + SECOND + 1] !== 0;
  }

  #note(at: number, { file, number, line = 0 }: RowRef): void {
    const { counts } = this.#table;
    const known = this.#files.lastIndexOf(file);
    counts[at] = known === -1 ? this.#files.push(file) - 1 : known;
    counts[at + 1] = number;
    counts[at + 2] = line;
  }

  #rowAt(at: number): RowRef {
    const [file = 0, number = 0, line = 0] = this.#table.counts.subarray(at, at + 3);
    return { file: this.#files[file] ?? "", number, line: line || undefined };
  }

  #makeRoom(): void {
    const { digests, counts } = this.#table;
    this.#table = emptyTable(this.#capacity);
    this.#table.digests.set(digests);
    this.#table.counts.set(counts);
    for (let hash = 0; hash < this.taken; hash += 1) {
      enter(this.#table, digests[hash * DIGESTS + KEY] ?? 0, hash + 1);
    }
  }
}

interface Table {
  /** How many hashes it can hold. */
  readonly room: number;
  readonly digests: Float64Array;
  readonly counts: Uint32Array;
  /** An open hash table of the hashes' numbers, counted from one; 0 is an empty place. */
  readonly index: Uint32Array;
}

function emptyTable(room: number): Table {
  return {
    room,
    digests: new Float64Array(room * DIGESTS),
    counts: new Uint32Array(room * COUNTS),
    index: new Uint32Array(2 ** Math.ceil(Math.log2(2 * room))),
  };
}

function enter(table: Table, key: number, number: number): void {
  table.index[placeOf(table, key)] = number;
}

/** The place of a key in the index, or the empty one where it belongs. */
function placeOf({ index, digests }: Table, key: number): number {
  const last = index.length - 1;
  let place = (key >>> 0) & last;
  for (;;) {
    const hash = index[place] ?? 0;
    if (hash === 0 || digests[(hash - 1) * DIGESTS + KEY] === key) return place;
    place = (place + 1) & last;
  }
}
