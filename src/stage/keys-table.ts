/** The rows of a run by their keys, in a private SQLite file, and what all of them say about each: who gets a contact, who is a duplicate, whom earlier runs know. */

import {
  type Among,
  NOTHING_SAID,
  RIGHT,
  RIGHT_OF,
  type Right,
  yieldsTo,
} from "../plan/contests.js";
import type { Key } from "../plan/digests.js";
import { type Database, openScratch, rollBack } from "../sqlite/database.js";
import { inScratch } from "../sqlite/scratch-file.js";
import {
  BATCH,
  BIT,
  BROUGHT,
  FOUND_AT,
  NO_KEY,
  NOTE,
  QUESTIONS,
  QUESTIONS_WITH_USERS,
  SHIFT,
  TABLES,
  TAKE,
} from "./questions.js";
import type { StagedUser } from "./staged-row.js";

/** A contact that a row doesn't get, and the row that gets it. */
export interface Lost {
  /** Which of the row's contacts; null where it makes room for that row, as `yieldsTo` says. */
  readonly contact: number | null;
  /** Number of the row that gets it. */
  readonly to: number;
  /** By which right that row has it, or reserves it. */
  readonly right: Right;
  readonly keyed: boolean;
}

/** A row of which more is to be said than that it is a user of its own. */
export interface HotRow {
  readonly number: number;
  /** In the order of its contacts. */
  readonly lost: readonly Lost[];
}

const NOBODY = `${NO_KEY.repeat(4)}0000`;

const YIELDS = { better: BIT.yieldsToBetter, any: BIT.yieldsToAny } as const;

const RESERVED = [RIGHT.reserved, RIGHT.reserved] as const;

/** The keys of a run's rows. First all rows are taken, then all questions asked, then answers read. */
export class KeyTable {
  readonly #directory: string;
  readonly #beside: Database | null;
  #database: Database | null = null;
  #asked: Asked | null = null;
  /** Of rows that wait to be written, the text of their keys. */
  #waiting = "";
  #count = 0;
  #next = 1;

  /**
   * @param directory for its file, which has no name and is gone with the process
   * @param beside the checkpoint's file, of whose users is asked as well
   */
  constructor(directory: string, beside: Database | null = null) {
    this.#directory = directory;
    this.#beside = beside;
  }

  /**
   * Takes a row, in the order of all rows.
   *
   * @param number of the run's rows from 1, those among them that name no user and aren't taken
   * @param found what `foundOf` says of the user
   * @throws RunError `disk`
   */
  take(number: number, { plan, keys, facts }: StagedUser, found = 0): void {
    while (this.#next < number) this.#add(NOBODY);
    const { identity, keyed, contacts, reserved } = keys;
    const [first, second] = contacts.length > 0 ? contacts : reserved;
    const [right1, right2] =
      contacts.length > 0 ? contacts.map(({ rank }) => RIGHT_OF[rank]) : RESERVED;
    const yields = yieldsTo(plan, keys);
    const flags =
      (keyed ? BIT.keyed : 0) +
      (yields === null ? 0 : YIELDS[yields]) +
      (facts?.claims === true ? BIT.claims : 0);
    const rights = ((right1 ?? 0) << SHIFT.right1) | ((right2 ?? 0) << SHIFT.right2);
    const about = flags | rights | (found << FOUND_AT);
    const digit = (at: number): number => 48 + ((about >> at) & 63);
    this.#add(
      identity +
        (first?.key ?? NO_KEY) +
        (second?.key ?? NO_KEY) +
        (facts?.hash ?? NO_KEY) +
        String.fromCharCode(digit(0), digit(6), digit(12), digit(18)),
    );
  }

  /**
   * Goes to a row that waited while the others were taken, and is taken next.
   *
   * @throws RunError `disk`
   */
  goTo(number: number): void {
    if (number !== this.#next) this.flush();
    this.#next = number;
  }

  /**
   * Asks all questions, once, after the last row.
   *
   * @param repeated is called once `twice` says which keys several rows have
   * @returns what rows hold is kept there; null without rows
   * @throws RunError `disk`, and what `repeated` throws
   */
  ask(repeated: () => void): Database | null {
    this.flush();
    const database = this.#database;
    if (database === null) return null;
    const [first, ...questions] = this.#beside === null ? QUESTIONS : QUESTIONS_WITH_USERS;
    this.attempt(() => {
      database.exec(first);
      repeated();
      for (const question of questions) database.exec(question);
    });
    return database;
  }

  /** The rows of which more is to be said, in their order, some at a time. */
  *hotRows(): Iterable<readonly HotRow[]> {
    const { hot, lost } = this.#statements();
    for (let last = 0; ; ) {
      const numbers = hot.all(last).map(([number]) => number);
      const [first] = numbers;
      if (first === undefined) return;
      last = numbers.at(-1) ?? first;
      const losses = new Map<number, Lost[]>();
      for (const [number, contact, to, right, keyed] of lost.all(first, last)) {
        const own = losses.get(number) ?? [];
        losses.set(number, own);
        own.push({ contact, to, right, keyed: keyed === 1 });
      }
      yield numbers.map((number) => ({ number, lost: losses.get(number) ?? [] }));
    }
  }

  /**
   * Notes what is said of a row.
   *
   * @param next the row with which it goes, as its user's or by a contact
   * @param isOut it brings no user for what is said of it
   */
  note(number: number, next: number | null, among: Among, isOut: boolean): void {
    this.#statements().note.run(number, next, JSON.stringify(among), Number(isOut));
  }

  /**
   * What is said of the rows between two, both included, by their numbers; the others are new users of
   * their own.
   *
   * @throws RunError `disk`
   */
  said(first: number, last: number): ReadonlyMap<number, Among> {
    if (this.#database === null) return NOTHING;
    const { found, verdicts } = this.#statements();
    return this.attempt(() => {
      const said = new Map<number, Among>();
      if (this.#beside !== null)
        for (const [number, user] of found.all(first, last))
          said.set(number, { ...NOTHING_SAID, user });
      for (const [number, among] of verdicts.all(first, last)) said.set(number, JSON.parse(among));
      return said;
    });
  }

  /** Whether earlier runs may know users. */
  get hasUsers(): boolean {
    return this.#beside !== null;
  }

  /** How many rows are of users whom an earlier run has brought. @throws RunError `disk` */
  brought(): number {
    const database = this.#beside === null ? null : this.#database;
    return this.attempt(() => database?.prepare<[number]>(BROUGHT).get()?.[0] ?? 0);
  }

  /** The identity of the row with which a row goes, after as many as lead to it; null of a row that names no user. */
  leader(number: number): Key | null {
    const { next: step, identity } = this.#statements();
    const identityOf = (row: number): Key | null =>
      identity.get(row)?.[0]?.toString("latin1") ?? null;
    const passed = [number];
    return this.attempt(() => {
      for (let at = number; ; ) {
        const next = step.get(at)?.[0] ?? null;
        const from = next === null ? -1 : passed.indexOf(next);
        // Two rows that take a contact from each other stay together.
        if (next === null) return identityOf(at);
        if (from >= 0) return identityOf(Math.min(...passed.slice(from)));
        passed.push(next);
        at = next;
      }
    });
  }

  close(): void {
    if (this.#beside === null) this.#database?.close();
    this.#database = null;
    this.#asked = null;
  }

  /** Writes in one transaction: each write by itself would take three times as long. @throws RunError `disk`, and what `work` throws */
  together(work: () => void): void {
    const database = this.open();
    this.attempt(() => {
      database.exec("BEGIN");
      try {
        work();
        database.exec("COMMIT");
      } catch (error) {
        rollBack(database);
        throw error;
      }
    });
  }

  /** @throws RunError `disk` */
  attempt<T>(work: () => T): T {
    return inScratch(this.#directory, () => this.#database, work);
  }

  #statements(): Asked {
    this.#asked ??= prepare(this.open());
    return this.#asked;
  }

  #add(row: string): void {
    this.#waiting += row;
    this.#count += 1;
    this.#next += 1;
    if (this.#count === BATCH) this.flush();
  }

  /** Writes the rows that wait. @throws RunError `disk` */
  flush(): void {
    if (this.#count === 0) return;
    const keys = Buffer.from(this.#waiting, "latin1");
    this.attempt(() => {
      this.#statements().take.run(this.#next - this.#count, this.#count, keys);
    });
    this.#waiting = "";
    this.#count = 0;
  }

  /** Its connection, in which other temporary tables may stand. */
  open(): Database {
    if (this.#database === null) {
      this.#database = openScratch(this.#directory, this.#beside);
      this.#database.exec(TABLES);
    }
    return this.#database;
  }
}

const NOTHING: ReadonlyMap<number, Among> = new Map();

type Asked = ReturnType<typeof prepare>;

function prepare(database: Database) {
  const between = "WHERE n BETWEEN ? AND ?";
  return {
    take: database.prepare(TAKE),
    hot: database.prepare<[number]>(`SELECT n FROM hot WHERE n > ? ORDER BY n LIMIT ${BATCH}`),
    lost: database.prepare<[number, number | null, number, Right, number]>(
      `SELECT * FROM lost ${between} ORDER BY n, place`,
    ),
    note: database.prepare(NOTE),
    found: database.prepare<[number, number]>(`SELECT n, user FROM found ${between}`),
    verdicts: database.prepare<[number, string]>(`SELECT n, among FROM verdicts ${between}`),
    next: database.prepare<[number | null]>("SELECT next FROM verdicts WHERE n = ?"),
    identity: database.prepare<[Buffer | null]>(
      "SELECT CAST(identity AS BLOB) FROM rows WHERE n = ?",
    ),
  };
}
