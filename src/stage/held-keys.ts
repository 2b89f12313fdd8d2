/** What the rows before one hold, in the file of the keys: nothing in memory grows with them. */

import { KEY_BYTES, type Key, keyBlob } from "../plan/digests.js";
import type { KnownUser, UserKeys } from "../plan/entry.js";
import type { Rank } from "../plan/rank.js";
import type { Database, Statement } from "../sqlite/database.js";
import { BATCH } from "./questions.js";

/** A row that is the first to name its user. */
export interface FirstRow {
  /** Of the run's rows. */
  readonly number: number;
  /** Known by the vendor's id. */
  readonly keyed: boolean;
  /** By what right it has the contact; the best one where the key is none. */
  readonly rank: Rank;
  /** Nothing is sent of it. */
  readonly isRefused: boolean;
}

/** A user of an earlier run, as a row of this one has found them. */
export interface MetUser extends KnownUser {
  /** Of the run's rows. */
  readonly number: number;
}

/** What a key is, to whom it belongs. */
export interface Holding {
  /** New users: their identity, a contact, or one that a refused row reserves. */
  identity?: FirstRow;
  contact?: FirstRow;
  reserved?: FirstRow;
  /** The identity of a user whom earlier runs know. */
  named?: number;
  /** Who of them has the contact from here on; null where it is free. */
  claimed?: number | null;
}

const SPACES = ["identity", "contact", "reserved", "named", "claimed"] as const;

/** In one number a row's, its rank and two bits; or a user's, 0 for nobody. */
export const HELD_TABLES = `
  CREATE TEMP TABLE held (
    key BLOB, space INTEGER, value INTEGER, PRIMARY KEY (key, space)) WITHOUT ROWID;
  CREATE TEMP TABLE met (user INTEGER PRIMARY KEY, value TEXT);`;

const RANKS = 4;
const BITS = 16;

export class HeldKeys {
  readonly #select: Statement<[number, number, number]>;
  readonly #insert: Statement;
  readonly #met: Statement<[string]>;
  readonly #meet: Statement;
  /** Of the rows that are looked at. */
  readonly #known = new Map<Key, Holding>();
  /** What they hold beside what is written. */
  #keys = "";
  #values: [space: number, value: number][] = [];

  /** @param database with the stage's tables */
  constructor(database: Database) {
    const keyAt = (at: string): string => `substr(?1, 1 + ${KEY_BYTES} * ${at}, ${KEY_BYTES})`;
    this.#select = database.prepare(
      `SELECT i, space, value FROM numbers CROSS JOIN held ON key = ${keyAt("i")} WHERE i < ?2`,
    );
    this.#insert = database.prepare(
      `INSERT OR REPLACE INTO held
       SELECT ${keyAt("each.key")}, each.value->>0, each.value->>1 FROM json_each(?2) each`,
    );
    this.#met = database.prepare("SELECT value FROM met WHERE user = ?");
    this.#meet = database.prepare("INSERT OR REPLACE INTO met VALUES (?, ?)");
  }

  /** Looks for the keys of some rows at once, which takes a tenth of the time of one by one. */
  begin(users: readonly Pick<UserKeys, "identity" | "contacts" | "reserved">[]): void {
    const keys = users.flatMap(({ identity, contacts, reserved }) => [
      identity,
      ...[...contacts, ...reserved].map(({ key }) => key),
    ]);
    for (let at = 0; at < keys.length; at += BATCH) this.#lookUp(keys.slice(at, at + BATCH));
  }

  /** Writes what they hold. */
  end(): void {
    if (this.#values.length > 0) {
      this.#insert.run(keyBlob(this.#keys), JSON.stringify(this.#values));
    }
    this.#keys = "";
    this.#values = [];
    this.#known.clear();
  }

  of(key: Key): Holding {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#lookUp([key]);
    return this.of(key);
  }

  /** Notes that a row has a key that none before it has. */
  hold(key: Key, space: "identity" | "contact" | "reserved", first: FirstRow): void {
    const { number, keyed, rank, isRefused } = first;
    const bits = (keyed ? RANKS : 0) + (isRefused ? 2 * RANKS : 0);
    this.#put(key, space, number * BITS + bits + rank);
  }

  /** Notes that a user of earlier runs has the identity from here on. */
  name(identity: Key, user: number): void {
    this.#put(identity, "named", user);
  }

  /** Notes who has a contact from here on; null where it is free. */
  claim(contact: Key, user: number | null): void {
    this.#put(contact, "claimed", user ?? 0);
  }

  /** The user as the row of this run has them that was the first to find them. */
  met(user: number): MetUser | undefined {
    const text = this.#met.get(user)?.[0];
    return text === undefined ? undefined : JSON.parse(text);
  }

  meet(user: MetUser): void {
    this.#meet.run(user.id, JSON.stringify(user));
  }

  #lookUp(keys: readonly Key[]): void {
    const unknown = keys.filter((key) => !this.#known.has(key));
    for (const key of unknown) this.#known.set(key, {});
    for (const [at, space, value] of this.#select.all(keyBlob(unknown.join("")), unknown.length)) {
      note(this.#known.get(unknown[at] ?? "") ?? {}, space, value);
    }
  }

  #put(key: Key, name: keyof Holding, value: number): void {
    const space = SPACES.indexOf(name);
    this.#keys += key;
    this.#values.push([space, value]);
    note(this.of(key), space, value);
  }
}

function note(holding: Holding, at: number, value: number): void {
  const space = SPACES[at];
  if (space === "named") holding.named = value;
  else if (space === "claimed") holding.claimed = value === 0 ? null : value;
  else if (space !== undefined) holding[space] = firstRow(value);
}

function firstRow(value: number): FirstRow {
  const number = Math.floor(value / BITS);
  const rank = (value % RANKS) as Rank;
  return { number, keyed: (value & RANKS) > 0, isRefused: (value & (2 * RANKS)) > 0, rank };
}
