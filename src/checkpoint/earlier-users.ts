/** What earlier runs knew when a run began, and whom of their users it has met; in a bit a user. */

import { keepFirst } from "../errors/first-rows.js";
import type { RowRef } from "../events/events.js";
import { Bitset } from "../plan/bitset.js";
import { isFinishedEntry, type KnownUser } from "../plan/entry.js";
import { stillThereFor } from "../plan/notices.js";
import { isFinished, SAW_NOBODY, STATE, type State } from "../plan/states.js";
import type { Database } from "../sqlite/database.js";
import type { FileIds } from "./numbered.js";
import { countBeside } from "./state-counts.js";

/** Entries looked at in one go; those among which all were met aren't looked at. */
const PAGE = 1024;

/** Some users, with rows and the vendor's ids of a few. */
export interface Examples {
  readonly count: number;
  /** Rows of a few of them, in the export in which they were last. */
  readonly rows: readonly RowRef[];
  /** The vendor's ids of a few of them; fewer where they are not kept. */
  readonly sourceIds: readonly string[];
}

/** Users of earlier runs whom no row of this one names. */
export interface Absent {
  /** Who are at the core, or may be. */
  readonly brought: Examples;
  /** Who were read and have no outcome. */
  readonly open: Examples;
}

type MetUser = Pick<KnownUser, "id" | "state" | "notices">;

type Found = [id: number, isOpen: number, file: number, number: number, sourceId: string | null];

export class EarlierUsers {
  /** The greatest number of a user. */
  readonly last: number;
  /** Rows that no user stands for. */
  readonly beside: number;
  readonly #lastFile: number;
  readonly #database: Database;
  readonly #files: FileIds;
  readonly #met = new Bitset();
  /** Those of them whom no row of their own has named. */
  readonly #passed = new Bitset();
  /** How many these are, by state, and by why they still have access although a row left them out. */
  readonly passed = { states: new Map<State, number>(), stillThere: new Map<string, number>() };
  #count = 0;
  #metFinished = false;
  /** How many rows were of users who are at the core. */
  met = 0;
  /** How many rows were of users of whom another one was: of a row that was mended, as it was, and of the mended one. */
  again = 0;
  /** The numbers of the scopes that were read. */
  readonly #scopes = new Set<number>();

  constructor(database: Database, files: FileIds) {
    const lastOf = (table: "users" | "files"): number =>
      Number(database.prepare(`SELECT max(id) FROM ${table}`).all()[0]?.[0] ?? 0);
    this.#database = database;
    this.#files = files;
    this.last = lastOf("users");
    this.beside = countBeside(database);
    this.#lastFile = lastOf("files");
  }

  /** Notes that a row is of a scope. */
  read(scope: number): void {
    this.#scopes.add(scope);
  }

  /** Notes that a row is a user's own. */
  meet(user: MetUser): void {
    this.#metFinished ||= isFinishedEntry(user);
    if (isFinished(user.state)) this.met += 1;
    if (this.#passed.remove(user.id)) this.#countPassed(user, -1);
    else if (!this.#add(user.id)) this.again += 1;
  }

  /** Notes that a row names a user and is none of theirs. */
  pass(user: MetUser): void {
    if (!this.#add(user.id)) return;
    this.#passed.add(user.id);
    this.#countPassed(user, 1);
  }

  /** @returns whether the user is met for the first time */
  #add(user: number): boolean {
    if (this.#met.has(user)) return false;
    this.#met.add(user);
    this.#count += 1;
    return true;
  }

  #countPassed({ state, notices }: MetUser, users: number): void {
    const { states, stillThere } = this.passed;
    states.set(state, (states.get(state) ?? 0) + users);
    const why = stillThereFor(notices);
    if (why !== null) stillThere.set(why, (stillThere.get(why) ?? 0) + users);
  }

  count(): number {
    const count = this.#database.prepare<[number]>("SELECT count(*) FROM users WHERE id <= ?");
    return count.get(this.last)?.[0] ?? 0;
  }

  /** Those whom this run hasn't met: rows that it leaves unread may be theirs. */
  unmet(): number {
    return this.count() - this.#count;
  }

  /**
   * Whether these are exports of such users: one of them was read before, or somebody was met. Their
   * names are kept for the next run.
   *
   * @param files the inputs
   */
  areIn(files: readonly string[]): boolean {
    const ids = files.map((path) => this.#files.idOf(path));
    return this.last === 0 || this.#count > 0 || ids.some((id) => id <= this.#lastFile);
  }

  /**
   * Those whom this run hasn't met. Who is at the core, or may be, counts in the scopes that were
   * read, and only where the run met a finished user: else these are other users' exports, not newer
   * ones. Who has no outcome counts wherever the user was read.
   */
  absent(): Absent {
    const [brought, open] = [newUnmet(), newUnmet()];
    const ended = [STATE.imported, STATE.created, STATE.existed].join(", ");
    const without = [STATE.planned, STATE.intent, STATE.failed].join(", ");
    const isNewer = this.#metFinished
      ? `scope IN (${[...this.#scopes].join(", ")}) AND (state IN (${ended}) OR saw_nobody <> ${SAW_NOBODY.no})`
      : "FALSE";
    const page = this.#database.prepare<Found>(
      `SELECT id, state IN (${without}), file, number, source_id FROM users
       WHERE id >= ? AND id < ? AND id <= ${this.last}
       AND (state IN (${without}) OR (${isNewer})) ORDER BY id`,
    );
    for (let first = 1; first <= this.last; first += PAGE) {
      if (this.#met.hasAll(first, PAGE)) continue;
      for (const [id, isOpen, file, number, sourceId] of page.all(first, first + PAGE)) {
        if (this.#met.has(id)) continue;
        const examples = isOpen === 1 ? open : brought;
        examples.count += 1;
        keepFirst(examples.rows, { file: this.#files.pathOf(file), number, sourceId });
      }
    }
    return { brought: examplesOf(brought), open: examplesOf(open) };
  }

  /** The row of a user; null for none. */
  rowOf(user: number): RowRef | null {
    const select = this.#database.prepare<[number, number]>(
      "SELECT file, number FROM users WHERE id = ?",
    );
    const [file, number] = select.get(user) ?? [];
    if (file === undefined || number === undefined) return null;
    return { file: this.#files.pathOf(file), number };
  }
}

function newUnmet() {
  return { count: 0, rows: [] as (RowRef & { readonly sourceId: string | null })[] };
}

function examplesOf({ count, rows }: ReturnType<typeof newUnmet>): Examples {
  const sourceIds = rows.flatMap(({ sourceId }) => sourceId ?? []);
  return { count, rows: rows.map(({ file, number }) => ({ file, number })), sourceIds };
}
