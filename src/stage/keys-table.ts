/** The rows of a run by their keys, in a private SQLite file, and what all of them say about each: who gets a contact, and who is a duplicate. */

import { RunError } from "../errors/run-error.js";
import type { PlannedUser } from "../plan/action.js";
import { RIGHT, RIGHT_OF, type Right, yieldsTo } from "../plan/contests.js";
import { KEY_BYTES } from "../plan/digests.js";
import type { Duplicate } from "../plan/entry.js";
import { type Database, openDatabase, type Statement } from "../sqlite/database.js";
import { SqliteFailure } from "../sqlite/sqlite-failure.js";
import { BATCH, BIT, QUESTIONS, SPACE, TABLES, TAKE, VERDICTS, WINNERS } from "./questions.js";

/** Another row gets a contact of this one. */
export interface Lost {
  /** Which of the row's contacts; null where it makes room for that row, as `yieldsTo` says. */
  readonly contact: number | null;
  /** Number of the row that gets it. */
  readonly to: number;
  /** By which right that row has it, or reserves it. */
  readonly right: Right;
  readonly keyed: boolean;
}

/** Why a row is a duplicate: what {@link Duplicate} says of it, with the number of the first row. */
export interface Repeated extends Omit<Duplicate, "first"> {
  readonly first: number;
}

/** What the other rows make of one. A row with an id that loses a contact may be a duplicate as well. */
export interface Verdict {
  /** The first one counts; the second one alone where an earlier run's user keeps the first contact. */
  readonly lost: readonly Lost[];
  readonly repeated: Repeated | null;
  /** Number of the row of another user who has a contact that this one reserves, by a lesser right. */
  readonly holder: number | null;
}

type VerdictRow = [
  number: number,
  place: number | null,
  winner: number | null,
  right: Right,
  winnerKeyed: number,
  winner2: number | null,
  right2: Right,
  winner2Keyed: number,
  first: number | null,
  space: number,
  other: number,
  outranks: number,
  refused: number,
  holder: number | null,
];

/** "amst": no other file of ours is taken for one of these. */
const APPLICATION_ID = 0x616d7374;

const NOTHING: ReadonlyMap<number, Verdict> = new Map();

const NO_KEY = "\0".repeat(KEY_BYTES);
const NOBODY = `${NO_KEY.repeat(3)}00`;

const YIELDS = { better: BIT.yieldsToBetter, any: BIT.yieldsToAny } as const;

const RESERVED = [RIGHT.reserved, RIGHT.reserved] as const;

/** The keys of a run's rows. First all rows are taken, then all questions asked, then verdicts read. */
export class KeyTable {
  readonly #directory: string;
  #database: Database | null = null;
  #insert: Statement | null = null;
  #select: Statement<VerdictRow> | null = null;
  /** Of rows that wait to be written, the text of their keys. */
  #waiting = "";
  #count = 0;
  #next = 1;

  /** @param directory for its file, which has no name and is gone with the process */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /**
   * Takes a row, in the order of all rows.
   *
   * @param number of the run's rows from 1, those among them that name no user and aren't taken
   * @throws RunError `disk`
   */
  take(number: number, { plan, keys }: PlannedUser): void {
    while (this.#next < number) this.#add(NOBODY);
    const { identity, keyed, kind, contacts, reserved } = keys;
    const [first, second] = contacts.length > 0 ? contacts : reserved;
    const [right1, right2] =
      contacts.length > 0 ? contacts.map(({ rank }) => RIGHT_OF[rank]) : RESERVED;
    const yields = yieldsTo(plan, keys);
    const flags =
      (keyed ? BIT.keyed : 0) +
      (kind === null ? BIT.refused : 0) +
      (yields === null ? 0 : YIELDS[yields]);
    this.#add(
      identity +
        (first?.key ?? NO_KEY) +
        (second?.key ?? NO_KEY) +
        digit(flags) +
        digit((right1 ?? 0) + 4 * (right2 ?? 0)),
    );
  }

  /**
   * Goes to a row that waited while the others were taken, and is taken next.
   *
   * @throws RunError `disk`
   */
  goTo(number: number): void {
    if (number !== this.#next) this.#write();
    this.#next = number;
  }

  /**
   * Asks all questions, once, after the last row.
   *
   * @throws RunError `disk`
   */
  settle(): void {
    this.#write();
    const database = this.#database;
    if (database === null) return;
    this.attempt(() => {
      for (const question of QUESTIONS) database.exec(question);
      this.#select = database.prepare<VerdictRow>(VERDICTS);
    });
  }

  /**
   * What the others make of the rows between two, both included; rows that aren't in it are users of
   * their own.
   *
   * @throws RunError `disk`
   */
  verdicts(first: number, last: number): ReadonlyMap<number, Verdict> {
    const select = this.#select;
    if (select === null) return NOTHING;
    const rows = this.attempt(() => select.all(first, last));
    return new Map(rows.map((row) => [row[0], verdictOf(row)]));
  }

  /** The rows that get a contact which another one loses, or to which one yields. */
  winners(): number[] {
    const winners = this.#database?.prepare<[number]>(WINNERS);
    return winners === undefined ? [] : this.attempt(() => winners.all().map(([row]) => row));
  }

  close(): void {
    this.#database?.close();
    this.#database = null;
    this.#insert = null;
    this.#select = null;
  }

  #add(row: string): void {
    this.#waiting += row;
    this.#count += 1;
    this.#next += 1;
    if (this.#count === BATCH) this.#write();
  }

  #write(): void {
    if (this.#count === 0) return;
    const keys = Buffer.from(this.#waiting, "latin1");
    this.attempt(() => {
      this.#insert ??= this.open().prepare(TAKE);
      this.#insert.run(this.#next - this.#count, this.#count, keys);
    });
    this.#waiting = "";
    this.#count = 0;
  }

  /** Its file, in which other tables may stand. */
  open(): Database {
    this.#database ??= openDatabase("", {
      applicationId: APPLICATION_ID,
      schema: TABLES,
      version: 1,
      directory: this.#directory,
    });
    return this.#database;
  }

  /** @throws RunError `disk` */
  attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof SqliteFailure) || error.kind !== "disk") throw error;
      throw new RunError("disk", `The temporary file in ${this.#directory} can't be written.`, {
        hint: "Make room there, then run the same command again.",
        cause: error,
      });
    }
  }
}

/** A character that SQL takes for a number below 16. */
function digit(number: number): string {
  return String.fromCharCode(48 + number);
}

function verdictOf(row: VerdictRow): Verdict {
  const [, place, winner, right, keyed, winner2, right2, keyed2, ...rest] = row;
  const [first, space, other, outranks, refused, holder] = rest;
  return {
    lost: [...lostTo(place, winner, right, keyed), ...lostTo(1, winner2, right2, keyed2)],
    repeated:
      first === null
        ? null
        : {
            kind: other === 1 ? "duplicate_contact" : "duplicate",
            first,
            outranks: outranks === 1,
            isReserved: space === SPACE.reserved,
            isRefused: refused === 1,
          },
    holder,
  };
}

function lostTo(contact: number | null, to: number | null, right: Right, keyed: number): Lost[] {
  return to === null ? [] : [{ contact, to, right, keyed: keyed === 1 }];
}
