/** Facts of a run's rows, in the file of their keys: what is asked of them isn't who a user is, but which users have a hash, a salt or an address in common. */

import type { ExampleCounter } from "../events/findings.js";
import type { RowRef } from "../events/events.js";
import type { PlannedUser } from "../plan/action.js";
import type { Key } from "../plan/digests.js";
import type { Statement } from "../sqlite/database.js";
import type { KeyTable } from "./keys-table.js";
import { BATCH } from "./questions.js";

/** At ten million users the chance that any two digests meet is one in fourteen hundred. */
const FACT_BYTES = 7;

/** @param key a row's, or of a text of its */
export function factOf(key: Key): string {
  return key.slice(0, FACT_BYTES);
}

/** What a row has none of. */
export const NO_FACT = "\0".repeat(FACT_BYTES);

/** The spelling of an address that is written as it is compared. */
export const PLAIN_SPELLING = "=".repeat(FACT_BYTES);

/** Of a row, digests of seven Latin-1 characters. */
export interface RowFacts {
  /** Its accepted hash. */
  readonly hash: string;
  /** The salt of that, where it stands apart. */
  readonly salt: string;
  /** The vendor's id. */
  readonly id: string;
  readonly email: string;
  /** The email as it is written; no fact of a user who claims no address. */
  readonly spelling: string;
  /** The address that the email looks like. */
  readonly imitates: string;
}

/** A user with the facts of its row, where there are any. */
export interface StagedUser extends PlannedUser {
  readonly facts?: RowFacts;
}

/** The users of hashes or salts that several have; the rows are the first two of the most frequent one. */
export interface Shared extends ExampleCounter {
  /** How many hashes or salts. */
  readonly different: number;
  /** Users of the most frequent one. */
  readonly most: number;
}

/** Rows whose address is alike to another. */
export interface Alike extends ExampleCounter {
  /** How many of them look exactly like an address that a row has. */
  readonly exactly: number;
}

/** What the facts of all rows say; null for what no row has. */
export interface SharedFacts {
  readonly hashes: Shared | null;
  readonly salts: Shared | null;
  /** Rows with the address of an earlier user, written in another way. */
  readonly respelled: Alike | null;
  /** Rows whose address looks like another, first those where a row has that. */
  readonly imitating: Alike | null;
}

export const NOTHING_SHARED: SharedFacts = {
  hashes: null,
  salts: null,
  respelled: null,
  imitating: null,
};

/** What is kept behind a row's hash: the facts that most rows have come first, and what follows the last one is cut off. */
const FURTHER = ["id", "email", "spelling", "salt", "imitates"] as const;
const ROW = FACT_BYTES + 1 + FURTHER.length * FACT_BYTES;

const textAt = (blob: string, at: number | string): string =>
  `CAST(nullif(nullif(substr(${blob}, ${at}, ${FACT_BYTES}), zeroblob(${FACT_BYTES})), x'') AS TEXT)`;

/** What only few rows are asked for is cut when it is asked: a column of its own for each takes twice as long. */
const TABLE = `
  CREATE TEMP TABLE hashes (n INTEGER PRIMARY KEY, hash TEXT, further BLOB);
  CREATE TEMP VIEW facts AS SELECT n, hash,
      ${FURTHER.map((fact, at) => `${textAt("further", 1 + at * FACT_BYTES)} AS ${fact}`).join()}
    FROM hashes`;

const AT = `${ROW} * i + 1`;

/** Takes a batch: its first number, how many rows it has, and they. */
const TAKE = `
  INSERT INTO hashes SELECT ?1 + i, ${textAt("?3", AT)},
      substr(?3, ${AT} + ${FACT_BYTES + 1}, unicode(substr(?3, ${AT} + ${FACT_BYTES}, 1)) - 48)
    FROM numbers WHERE i < ?2`;

/** A later row of a user, known by the id or the email, is a duplicate, and no sharing. */
const SHARED = (fact: "hash" | "salt"): string => `
  WITH shared AS (
    SELECT ${fact} AS what, n,
      id NOT NULL AND n > min(n) OVER (PARTITION BY ${fact}, id) OR
      email NOT NULL AND n > min(n) OVER (PARTITION BY ${fact}, email) AS again
    FROM facts WHERE ${fact} IN (
      SELECT ${fact} FROM facts WHERE ${fact} NOT NULL GROUP BY ${fact} HAVING count(*) > 1)),
  users AS (
    SELECT what, n, row_number() OVER (PARTITION BY what ORDER BY n) AS place
    FROM shared WHERE NOT again)
  SELECT count(*) OVER (), sum(count(*)) OVER (), count(*), min(n), min(iif(place = 2, n, NULL))
    FROM users GROUP BY what HAVING count(*) > 1 ORDER BY count(*) DESC, min(n) LIMIT 1`;

const RESPELLED = `
  SELECT count(*) OVER (), n, 0 FROM (
    SELECT n, spelling <> first_value(spelling) OVER first
        AND (id IS NULL OR id IS NOT first_value(id) OVER first) AS other
      FROM facts WHERE spelling NOT NULL AND email IN (
        SELECT email FROM facts WHERE spelling NOT NULL
          GROUP BY email HAVING min(spelling) < max(spelling))
      WINDOW first AS (PARTITION BY email ORDER BY n))
    WHERE other ORDER BY n LIMIT 3`;

const IMITATING = `
  SELECT count(*) OVER (), n, sum(exactly) OVER () FROM (
    SELECT n, imitates IN (SELECT email FROM facts WHERE spelling NOT NULL AND email IN (
        SELECT imitates FROM facts WHERE imitates NOT NULL)) AS exactly
      FROM facts WHERE imitates NOT NULL)
    ORDER BY exactly DESC, n LIMIT 3`;

/** The facts of a run's rows. First all rows are taken, then the questions asked. */
export class FactTable {
  readonly #keys: KeyTable;
  #insert: Statement | null = null;
  /** Of rows behind each other, that wait to be written. */
  #waiting = "";
  #count = 0;
  #next = 0;
  /** What no row has needs no question. */
  readonly #has = { hash: false, salt: false, spelling: false, imitates: false };

  /** @param keys in whose file they stand */
  constructor(keys: KeyTable) {
    this.#keys = keys;
  }

  /**
   * Takes a row, in whatever order.
   *
   * @param number of the run's rows from 1
   * @throws RunError `disk`
   */
  take(number: number, facts: RowFacts): void {
    const { hash, salt, id, email, spelling, imitates } = facts;
    const has = this.#has;
    has.hash ||= hash !== NO_FACT;
    has.salt ||= salt !== NO_FACT;
    has.spelling ||= spelling !== NO_FACT && spelling !== PLAIN_SPELLING;
    has.imitates ||= imitates !== NO_FACT;
    if (number !== this.#next || this.#count === BATCH) this.#write();
    this.#waiting += hash + lengthOf(facts) + id + email + spelling + salt + imitates;
    this.#next = number + 1;
    this.#count += 1;
  }

  /**
   * Asks all questions, once, after the last row.
   *
   * @throws RunError `disk`
   */
  settle(placeOf: (row: number) => RowRef): SharedFacts {
    this.#write();
    const shared = (fact: "hash" | "salt"): Shared | null => {
      if (!this.#has[fact]) return null;
      const [found] = this.#ask<[number, number, number, number, number]>(SHARED(fact));
      if (found === undefined) return null;
      const [different, count, most, first, second] = found;
      return { different, count, most, rows: [placeOf(first), placeOf(second)] };
    };
    const alike = (fact: "spelling" | "imitates", question: string): Alike | null => {
      const found = this.#has[fact] ? this.#ask<[number, number, number]>(question) : [];
      const [first] = found;
      if (first === undefined) return null;
      return { count: first[0], rows: found.map(([, row]) => placeOf(row)), exactly: first[2] };
    };
    return {
      hashes: shared("hash"),
      salts: shared("salt"),
      respelled: alike("spelling", RESPELLED),
      imitating: alike("imitates", IMITATING),
    };
  }

  #ask<Row extends readonly unknown[]>(question: string): Row[] {
    return this.#keys.attempt(() => this.#keys.open().prepare<Row>(question).all());
  }

  #write(): void {
    if (this.#count === 0) return;
    const facts = Buffer.from(this.#waiting, "latin1");
    this.#keys.attempt(() => {
      const database = this.#keys.open();
      if (this.#insert === null) database.exec(TABLE);
      this.#insert ??= database.prepare(TAKE);
      this.#insert.run(this.#next - this.#count, this.#count, facts);
    });
    this.#waiting = "";
    this.#count = 0;
  }
}

/** How much of what stands behind the hash is kept, as a character. */
function lengthOf({ spelling, salt, imitates }: RowFacts): string {
  const before = salt !== NO_FACT ? 4 : spelling !== NO_FACT ? 3 : 2;
  return String.fromCharCode(48 + FACT_BYTES * (imitates === NO_FACT ? before : FURTHER.length));
}
