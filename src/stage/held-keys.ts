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

/** What a key is, to whom it belongs; null for nobody. */
interface Holding {
  /** New users: their identity, a contact, or one that a refused row reserves. */
  identity: FirstRow | null;
  contact: FirstRow | null;
  reserved: FirstRow | null;
  /** The user of an earlier run whose identity it was before this one. */
  stored: number | null;
  /** And whose it is from here on. */
  named: number | null;
  /** Who of them has the contact from here on. */
  claimed: number | null;
}

/** A row's number, its rank and two bits as one number. */
const BITS = 16;
const RANKS = 4;

type Numbers = [
  identity: number | null,
  contact: number | null,
  reserved: number | null,
  stored: number | null,
  named: number | null,
  claimed: number | null,
];

const COLUMNS = "identity, contact, reserved, stored, named, claimed";

export class HeldKeys {
  readonly #select: Statement<[at: number, ...Numbers]>;
  readonly #insert: Statement;
  readonly #met: Statement<[string]>;
  readonly #meet: Statement;
  /** Of the rows that are looked at. */
  readonly #known = new Map<Key, Holding>();
  /** Those that aren't written yet. */
  readonly #changed = new Set<Key>();

  /** @param database with the stage's tables */
  constructor(database: Database) {
    const keyAt = (at: string): string =>
      `CAST(substr(?1, 1 + ${KEY_BYTES} * ${at}, ${KEY_BYTES}) AS TEXT)`;
    const value = Array.from({ length: 6 }, (_, at) => `each.value->>${at}`).join(", ");
    this.#select = database.prepare(
      `SELECT i, ${COLUMNS} FROM numbers CROSS JOIN held ON key = ${keyAt("i")} WHERE i < ?2`,
    );
    this.#insert = database.prepare(
      `INSERT OR REPLACE INTO held (key, ${COLUMNS})
       SELECT ${keyAt("each.key")}, ${value} FROM json_each(?2) each`,
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
    if (this.#changed.size > 0) {
      const keys = [...this.#changed];
      const numbers = keys.map((key): Numbers => {
        const { identity, contact, reserved, stored, named, claimed } = this.of(key);
        return [numberOf(identity), numberOf(contact), numberOf(reserved), stored, named, claimed];
      });
      this.#insert.run(keyBlob(keys.join("")), JSON.stringify(numbers));
    }
    this.#changed.clear();
    this.#known.clear();
  }

  of(key: Key): Readonly<Holding> {
    return this.#holding(key);
  }

  /** Notes that a row has a key that none before it has. */
  hold(key: Key, space: "identity" | "contact" | "reserved", first: FirstRow): void {
    this.#change(key)[space] = first;
  }

  /** Notes that a user of earlier runs has the identity from here on. */
  name(identity: Key, user: number): void {
    this.#change(identity).named = user;
  }

  /** Notes who has a contact from here on; null where it is free. */
  claim(contact: Key, user: number | null): void {
    this.#change(contact).claimed = user;
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
    for (const key of unknown)
      this.#known.set(key, holdingOf([null, null, null, null, null, null]));
    for (const [at, ...numbers] of this.#select.all(keyBlob(unknown.join("")), unknown.length)) {
      this.#known.set(unknown[at] ?? "", holdingOf(numbers));
    }
  }

  #holding(key: Key): Holding {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#lookUp([key]);
    return this.#holding(key);
  }

  #change(key: Key): Holding {
    this.#changed.add(key);
    return this.#holding(key);
  }
}

function holdingOf([identity, contact, reserved, stored, named, claimed]: Numbers): Holding {
  return {
    identity: firstRow(identity),
    contact: firstRow(contact),
    reserved: firstRow(reserved),
    stored,
    named,
    claimed,
  };
}

function firstRow(value: number | null): FirstRow | null {
  if (value === null) return null;
  const number = Math.floor(value / BITS);
  const rank = (value % RANKS) as Rank;
  return { number, keyed: (value & RANKS) > 0, isRefused: (value & (2 * RANKS)) > 0, rank };
}

function numberOf(first: FirstRow | null): number | null {
  if (first === null) return null;
  const { number, keyed, rank, isRefused } = first;
  return number * BITS + (keyed ? RANKS : 0) + (isRefused ? 2 * RANKS : 0) + rank;
}
