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

const COLUMNS = [
  "keys",
  "counts",
  "ids",
  "emails",
  "firstFiles",
  "firstRows",
  "firstLines",
  "secondFiles",
  "secondRows",
  "secondLines",
] as const;

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

interface Table {
  /** Digests; what is empty is told by its count. */
  readonly keys: Float64Array;
  readonly counts: Uint32Array;
  readonly ids: Float64Array;
  readonly emails: Float64Array;
  readonly firstFiles: Uint32Array;
  readonly firstRows: Float64Array;
  /** 0 where rows aren't lines. */
  readonly firstLines: Float64Array;
  readonly secondFiles: Uint32Array;
  /** 0 where there is no second user. */
  readonly secondRows: Float64Array;
  readonly secondLines: Float64Array;
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
    return this.#table.counts[this.#found] !== 0;
  }

  /** Whether the user is the first one that the found hash had. */
  isFirst({ id, email }: Pick<FirstUser, "id" | "email">): boolean {
    const { ids, emails } = this.#table;
    return (id !== 0 && id === ids[this.#found]) || (email !== 0 && email === emails[this.#found]);
  }

  /** Gives a hash that has none a place, with the count 1. */
  put(key: number, { id, email, row }: FirstUser): void {
    if (this.taken * 2 >= this.#table.keys.length) this.#moveTo(this.#table.keys.length * 2);
    const table = this.#table;
    const place = placeOf(table, key);
    table.keys[place] = key;
    table.counts[place] = 1;
    table.ids[place] = id;
    table.emails[place] = email;
    table.firstFiles[place] = this.#fileOf(row.file);
    table.firstRows[place] = row.number;
    table.firstLines[place] = row.line ?? 0;
    table.secondRows[place] = 0;
    this.taken += 1;
  }

  /** Counts the found hash once more. */
  again(row: RowRef): void {
    const { counts, secondFiles, secondRows, secondLines } = this.#table;
    counts[this.#found] = (counts[this.#found] ?? 0) + 1;
    if (secondRows[this.#found] !== 0) return;
    secondFiles[this.#found] = this.#fileOf(row.file);
    secondRows[this.#found] = row.number;
    secondLines[this.#found] = row.line ?? 0;
  }

  /** Takes one from every count; what comes to nothing leaves its place. */
  decay(): void {
    const { counts } = this.#table;
    for (let place = 0; place < counts.length; place += 1) {
      const count = counts[place] ?? 0;
      if (count > 0) counts[place] = count - 1;
    }
    this.#moveTo(this.#table.keys.length);
  }

  shared(): SharedHash[] {
    const table = this.#table;
    const { counts, secondRows } = table;
    const shared: SharedHash[] = [];
    for (let place = 0; place < counts.length; place += 1) {
      const count = counts[place] ?? 0;
      if (count === 0 || secondRows[place] === 0) continue;
      const first = [table.firstFiles, table.firstRows, table.firstLines] as const;
      const second = [table.secondFiles, secondRows, table.secondLines] as const;
      shared.push({ count, first: this.#rowOf(place, first), second: this.#rowOf(place, second) });
    }
    return shared;
  }

  #fileOf(path: string): number {
    const known = this.#files.lastIndexOf(path);
    return known === -1 ? this.#files.push(path) - 1 : known;
  }

  #rowOf(
    place: number,
    [files, numbers, lines]: readonly [Uint32Array, ...Float64Array[]],
  ): RowRef {
    const file = this.#files[files[place] ?? 0] ?? "";
    return { file, number: numbers?.[place] ?? 0, line: lines?.[place] || undefined };
  }

  /** Moves what still has a count into a table of this size. */
  #moveTo(places: number): void {
    const before = this.#table;
    this.#table = emptyTable(places);
    this.taken = 0;
    // By index: an iterator would make an object a place, and some million of them an import.
    for (let from = 0; from < before.counts.length; from += 1) {
      if (before.counts[from] === 0) continue;
      const to = placeOf(this.#table, before.keys[from] ?? 0);
      for (const name of COLUMNS) this.#table[name][to] = before[name][from] ?? 0;
      this.taken += 1;
    }
  }
}

function emptyTable(places: number): Table {
  return {
    keys: new Float64Array(places),
    counts: new Uint32Array(places),
    ids: new Float64Array(places),
    emails: new Float64Array(places),
    firstFiles: new Uint32Array(places),
    firstRows: new Float64Array(places),
    firstLines: new Float64Array(places),
    secondFiles: new Uint32Array(places),
    secondRows: new Float64Array(places),
    secondLines: new Float64Array(places),
  };
}

/** The place of a key, or the empty one where it belongs. */
function placeOf({ keys, counts }: Table, key: number): number {
  const last = keys.length - 1;
  let place = (key >>> 0) & last;
  while (counts[place] !== 0 && keys[place] !== key) place = (place + 1) & last;
  return place;
}
