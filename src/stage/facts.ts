/** Facts of a run's rows, beside their keys: what is asked of them isn't who a user is, but which users have a hash or a salt in common, and of how many something is found. */

import { EXAMPLES } from "../errors/first-rows.js";
import { type ExampleCounter, type FindingCode, finding } from "../events/findings.js";
import type { Finding, RowRef } from "../events/events.js";
import { KEY_BYTES } from "../plan/digests.js";
import type { PlannedUser } from "../plan/action.js";
import type { Statement } from "../sqlite/database.js";
import type { KeyTable } from "./keys-table.js";
import { BATCH, BIT, BRINGING, FOUND_AT, IS_UNBROUGHT, keyIn, NO_KEY } from "./questions.js";
import type { StagedUser } from "./staged-row.js";
import { foundOf, NEW_USER, USER_FINDINGS, type UserFinding } from "./user-findings.js";

/** The users of hashes or salts that several have; the rows are the first three of the most frequent one. */
export interface Shared extends ExampleCounter {
  /** How many hashes or salts. */
  readonly different: number;
  /** Users of the most frequent one. */
  readonly most: number;
}

/** What the facts of all rows say of the users who are brought; null for what none of them has. */
export interface SharedFacts {
  readonly hashes: Shared | null;
  readonly salts: Shared | null;
  /** Of whom something is found. */
  readonly users: readonly (Pick<UserFinding, "code" | "says"> & ExampleCounter)[];
}

export const NOTHING_SHARED: SharedFacts = { hashes: null, salts: null, users: [] };

/** Enough for any number that is one in JavaScript. */
const NUMBER_DIGITS = 16;

const TABLE = "CREATE TEMP TABLE further (n INTEGER PRIMARY KEY, email, salt);";

/** What is asked about: of all rows with a hash, or with an address of their user's own. */
const VIEW = `
  CREATE TEMP VIEW facts AS SELECT r.n, hash, about & ${BIT.claims} AS claims,
      iif(about & ${BIT.keyed}, identity, NULL) AS id,
      iif(f.n NOT NULL, f.email, iif(about & ${BIT.keyed}, c1, identity)) AS email, salt
    FROM rows r LEFT JOIN further f ON f.n = r.n`;

/** A row's number stands before its facts. */
const ROW_BYTES = NUMBER_DIGITS + 2 * KEY_BYTES;

/** Takes a batch: how many rows it has, and the rows. */
const TAKE = `
  INSERT INTO further SELECT CAST(CAST(substr(?2, ${ROW_BYTES} * i + 1, ${NUMBER_DIGITS}) AS TEXT) AS INTEGER),
      ${[0, KEY_BYTES].map((at) => keyIn("?2", `${ROW_BYTES} * i + ${1 + NUMBER_DIGITS + at}`)).join()}
    FROM numbers WHERE i < ?1`;

const withBit = (found: number): string => `${BRINGING("rows")} AND about & ${found << FOUND_AT}`;

const questionOf = (fact: "hash" | "salt"): string => `
  WITH users AS (
    SELECT ${fact} AS what, r.n, row_number() OVER (PARTITION BY ${fact} ORDER BY r.n) AS place
    FROM ${BRINGING("facts")} AND ${fact} IN (SELECT ${fact} FROM ${fact === "hash" ? "rows" : "further"}
      WHERE ${fact} NOT NULL GROUP BY ${fact} HAVING count(*) > 1))
  SELECT count(*) OVER (), sum(count(*)) OVER (), count(*), min(n), min(iif(place = 2, n, NULL)),
      min(iif(place = 3, n, NULL)) FROM users GROUP BY what HAVING count(*) > 1 ORDER BY count(*) DESC, min(n) LIMIT 1`;

const SALTS_ARE_RANDOM =
  "Salts are random, so two users never have one by chance: the column of salts was filled with the wrong values, or hash and salt were copied together.";

export function factFindings({ hashes, salts }: SharedFacts): Finding[] {
  const found: Finding[] = [];
  if (hashes !== null) found.push(finding("hash_shared", hashes, sharing(hashes, "hash")));
  if (salts !== null)
    found.push(finding("proof_needed", salts, `${sharing(salts, "salt")} ${SALTS_ARE_RANDOM}`));
  return found;
}

function sharing({ different, most }: Shared, what: "hash" | "salt"): string {
  const users = `${most.toLocaleString("en-US")} users`;
  if (different === 1) return `One ${what} is shared by ${users}.`;
  const several = what === "hash" ? "hashes" : "salts";
  return `${different.toLocaleString("en-US")} ${several} are each shared by several users, one of them by ${users}, whose first rows are named.`;
}

/** The facts of a run's rows. First all rows are taken, then the questions asked. */
export class FactTable {
  readonly #keys: KeyTable;
  readonly #placeOf: (row: number) => RowRef;
  #insert: Statement | null = null;
  /** The further facts of rows that wait to be written. */
  #waiting = "";
  #count = 0;
  /** How many rows there are of each that is found of users, those that bring none among them. */
  readonly #found = new Map<number, number>();
  /** What no row has needs no question. */
  readonly #has = { hash: false, salt: false };

  /** @param keys the rows' keys and hashes, in whose file the others stand */
  constructor(keys: KeyTable, placeOf: (row: number) => RowRef) {
    this.#keys = keys;
    this.#placeOf = placeOf;
  }

  /**
   * Takes what a row has beside what its keys say, in whatever order.
   *
   * @param number of the run's rows from 1
   * @returns what is found of the user, as bits
   * @throws RunError `disk`
   */
  take(number: number, user: StagedUser): number {
    const { facts } = user;
    const found = foundOf(user);
    this.#note(found, 1);
    const { hash = null, further = null } = facts ?? {};
    const has = this.#has;
    has.hash ||= hash !== null;
    if (further === null) return found;
    const { email, salt } = further;
    has.salt ||= salt !== null;
    this.#waiting += String(number).padStart(NUMBER_DIGITS, "0");
    this.#waiting += (email ?? NO_KEY) + (salt ?? NO_KEY);
    this.#count += 1;
    if (this.#count === BATCH) this.#write();
    return found;
  }

  /** Takes what is found of a user whom a join has made of several. A hash that isn't kept says nothing of either. */
  again(number: number, before: PlannedUser, after: PlannedUser): void {
    const [was, is] = [foundOf(before), foundOf(after)];
    if (was === is) return;
    this.#note(was, -1);
    this.#note(is, 1);
    const about = `about & ~${was << FOUND_AT} | ${is << FOUND_AT}`;
    this.#keys.open().exec(`UPDATE rows SET about = ${about} WHERE n = ${number}`);
  }

  /**
   * After the last row: from then on there is the view `facts`.
   *
   * @throws RunError `disk`
   */
  begin(): void {
    this.#keys.flush();
    this.#write();
    this.#keys.attempt(() => this.#keys.open().exec(VIEW));
  }

  /**
   * Asks all questions, once it is known which rows bring no user.
   *
   * @throws RunError `disk`
   */
  ask(): SharedFacts {
    const shared = (fact: "hash" | "salt"): Shared | null => {
      if (!this.#has[fact]) return null;
      const [found] = this.#ask<[number, number, number, ...(number | null)[]]>(questionOf(fact));
      if (found === undefined) return null;
      const [different, count, most, ...rows] = found;
      const named = rows.filter((row) => row !== null);
      return { different, count, most, rows: named.map(this.#placeOf) };
    };
    return { hashes: shared("hash"), salts: shared("salt"), users: this.#users() };
  }

  #users(): SharedFacts["users"] {
    if (this.#found.size === 0) return [];
    const outs = this.#ask<[number, number]>(
      "SELECT out, -count(*) FROM verdicts WHERE out GROUP BY out",
    );
    return USER_FINDINGS.flatMap(({ code, says }, bit) => {
      const count = [...this.#found, ...outs].reduce(
        (sum, [found, users]) => sum + ((found >> bit) & 1) * users,
        0,
      );
      if (count === 0) return [];
      return [{ code, says, count, rows: this.#first(withBit(1 << bit), count) }];
    });
  }

  /**
   * Of the first users who are yet to be brought, those of whom something is found: no earlier run has
   * brought them, and no other row goes before theirs.
   *
   * @param found of `NEW_USER`
   * @throws RunError `disk`
   */
  newUsers(found: number, most: number): ExampleCounter {
    const users = this.#keys.hasUsers ? ` AND ${IS_UNBROUGHT}` : "";
    const limit = Number.isFinite(most) ? ` ORDER BY r.n LIMIT ${most}` : "";
    const all = `SELECT r.n, about FROM ${withBit(NEW_USER.sent)}${users}${limit}`;
    return this.#counted(`(${all}) r WHERE about & ${found << FOUND_AT}`);
  }

  /** Users of the rows between two, both included, of whom a finding says something. @throws RunError `disk` */
  between(code: FindingCode, rows: readonly [number, number]): ExampleCounter {
    const bits = USER_FINDINGS.map((one, at) => (one.code === code ? 1 << at : 0));
    const found = bits.reduce((all, bit) => all | bit);
    return this.#counted(`${withBit(found)} AND r.n BETWEEN ${rows.join(" AND ")}`);
  }

  #counted(users: string): ExampleCounter {
    const [[count] = [0]] = this.#ask<[number]>(`SELECT count(*) FROM ${users}`);
    return { count, rows: this.#first(users, count) };
  }

  /** The places of the first ones. */
  #first(users: string, count: number): RowRef[] {
    const some = Math.min(count, EXAMPLES);
    const rows = this.#ask<[number]>(`SELECT r.n FROM ${users} ORDER BY r.n LIMIT ${some}`);
    return rows.map(([n]) => this.#placeOf(n));
  }

  #note(found: number, users: number): void {
    if (found !== 0) this.#found.set(found, (this.#found.get(found) ?? 0) + users);
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
