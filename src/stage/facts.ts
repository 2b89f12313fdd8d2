/** Facts of a run's rows, beside their keys: what is asked of them isn't who a user is, but which users have a hash, a salt or an address in common. */

import type { ExampleCounter } from "../events/findings.js";
import type { RowRef } from "../events/events.js";
import { KEY_BYTES } from "../plan/digests.js";
import type { Statement } from "../sqlite/database.js";
import type { KeyTable } from "./keys-table.js";
import { BATCH, BIT, keyIn, NO_KEY } from "./questions.js";
import type { RowFacts } from "./staged-row.js";

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

/** Enough for any number that is one in JavaScript. */
const NUMBER_DIGITS = 16;

const FURTHER = ["email", "spelling", "salt", "imitates"] as const;

const TABLE = "CREATE TEMP TABLE further (n INTEGER PRIMARY KEY, email, spelling, salt, imitates);";

/** What is asked about: of all rows with a hash, or with an address of their user's own. */
const VIEW = `
  CREATE TEMP VIEW facts AS SELECT r.n, hash, about & ${BIT.claims} AS claims,
      iif(about & ${BIT.keyed}, identity, NULL) AS id,
      iif(f.n NOT NULL, f.email, iif(about & ${BIT.keyed}, c1, identity)) AS email,
      spelling, salt, imitates
    FROM rows r LEFT JOIN further f ON f.n = r.n`;

/** A row's number stands before its facts. */
const ROW = NUMBER_DIGITS + FURTHER.length * KEY_BYTES;

/** Takes a batch: how many rows it has, and they. */
const TAKE = `
  INSERT INTO further SELECT CAST(CAST(substr(?2, ${ROW} * i + 1, ${NUMBER_DIGITS}) AS TEXT) AS INTEGER),
      ${FURTHER.map((_, at) => keyIn("?2", `${ROW} * i + ${1 + NUMBER_DIGITS + at * KEY_BYTES}`)).join()}
    FROM numbers WHERE i < ?1`;

/** A later row of a user, known by the id or the email, is a duplicate, and no sharing. */
const SHARED = (fact: "hash" | "salt"): string => `
  WITH shared AS (
    SELECT ${fact} AS what, n,
      id NOT NULL AND n > min(n) OVER (PARTITION BY ${fact}, id) OR
      email NOT NULL AND n > min(n) OVER (PARTITION BY ${fact}, email) AS again
    FROM facts WHERE ${fact} IN (SELECT ${fact} FROM ${fact === "hash" ? "rows" : "further"}
      WHERE ${fact} NOT NULL GROUP BY ${fact} HAVING count(*) > 1)),
  users AS (
    SELECT what, n, row_number() OVER (PARTITION BY what ORDER BY n) AS place
    FROM shared WHERE NOT again)
  SELECT count(*) OVER (), sum(count(*)) OVER (), count(*), min(n), min(iif(place = 2, n, NULL))
    FROM users GROUP BY what HAVING count(*) > 1 ORDER BY count(*) DESC, min(n) LIMIT 1`;

const RESPELLED = `
  SELECT count(*) OVER (), n, 0 FROM (
    SELECT n, spelling IS NOT first_value(spelling) OVER first
        AND (id IS NULL OR id IS NOT first_value(id) OVER first) AS other
      FROM facts WHERE claims AND email IN (SELECT email FROM further WHERE spelling NOT NULL)
      WINDOW first AS (PARTITION BY email ORDER BY n))
    WHERE other ORDER BY n LIMIT 3`;

const IMITATING = `
  SELECT count(*) OVER (), n, sum(exactly) OVER () FROM (
    SELECT n, imitates IN (SELECT email FROM facts WHERE claims AND email IN (
        SELECT imitates FROM further WHERE imitates NOT NULL)) AS exactly
      FROM further WHERE imitates NOT NULL)
    ORDER BY exactly DESC, n LIMIT 3`;

/** The facts of a run's rows. First all rows are taken, then the questions asked. */
export class FactTable {
  readonly #keys: KeyTable;
  #insert: Statement | null = null;
  /** The further facts of rows that wait to be written. */
  #waiting = "";
  #count = 0;
  /** What no row has needs no question. */
  readonly #has = { hash: false, salt: false, spelling: false, imitates: false };

  /** @param keys the rows' keys and hashes, in whose file the others stand */
  constructor(keys: KeyTable) {
    this.#keys = keys;
  }

  /**
   * Takes what a row has beside what its keys say, in whatever order.
   *
   * @param number of the run's rows from 1
   * @throws RunError `disk`
   */
  take(number: number, { hash, further }: RowFacts): void {
    const has = this.#has;
    has.hash ||= hash !== null;
    if (further === null) return;
    const { email, spelling, salt, imitates } = further;
    has.salt ||= salt !== null;
    has.spelling ||= spelling !== null;
    has.imitates ||= imitates !== null;
    this.#waiting += String(number).padStart(NUMBER_DIGITS, "0");
    for (const fact of [email, spelling, salt, imitates]) this.#waiting += fact ?? NO_KEY;
    this.#count += 1;
    if (this.#count === BATCH) this.#write();
  }

  /**
   * Asks all questions, once, after the last row. From then on there is the view `facts`.
   *
   * @throws RunError `disk`
   */
  settle(placeOf: (row: number) => RowRef): SharedFacts {
    this.#keys.flush();
    this.#write();
    this.#keys.attempt(() => this.#keys.open().exec(VIEW));
    if (!Object.values(this.#has).includes(true)) return NOTHING_SHARED;
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

  /** Makes the table, too, without which nothing can be asked. */
  #write(): void {
    this.#keys.attempt(() => {
      const database = this.#keys.open();
      if (this.#insert === null) database.exec(TABLE);
      this.#insert ??= database.prepare(TAKE);
      if (this.#count > 0) this.#insert.run(this.#count, Buffer.from(this.#waiting, "latin1"));
    });
    this.#waiting = "";
    this.#count = 0;
  }
}
