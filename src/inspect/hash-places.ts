/** Places of hashes that are counted, in constant memory: numeric digests of a hash and of its first user, its count, and the first two rows. */

import type { RowRef } from "../events/events.js";

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
/** More rows of the first user. */
const SAME = 7;
const COUNTS = 8;

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
export class HashPlaces {
  readonly #files: string[] = [];
  readonly #capacity: number;
  #table: Table;
  #found = 0;
  #decays = 0;
  #mostSame = 0;
  /** How many hashes have a place. */
  taken = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#table = emptyTable(Math.min(FIRST_ROOM, capacity));
  }

  /** Whether a hash has a place; if so, `isFirst`, `again` and `same` are about it. */
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

  /** Notes one more row of the user who had the found hash first. */
  same(): void {
    const { counts } = this.#table;
    const at = this.#found * COUNTS + SAME;
    counts[at] = (counts[at] ?? 0) + 1;
    this.#mostSame = Math.max(this.#mostSame, counts[at] ?? 0);
  }

  /** Takes one from every count; what comes to nothing leaves its place. */
  decay(): void {
    const table = this.#table;
    const { digests, counts } = table;
    let left = 0;
    this.#decays += 1;
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
