/** The users whom earlier runs knew, and how many of them a run has met. */

import { Bitset } from "../plan/bitset.js";
import type { Database } from "../sqlite/database.js";
import type { FileIds } from "./numbered.js";

/** The users of earlier runs whom a run's rows name, by their numbers. */
export class MetUsers extends Bitset {
  count = 0;

  override add(id: number): void {
    if (!this.has(id)) this.count += 1;
    super.add(id);
  }
}

/** What earlier runs knew when this one began. */
export class EarlierUsers {
  readonly #database: Database;
  readonly #files: FileIds;
  readonly #met: MetUsers;
  /** The greatest numbers that they gave. */
  readonly #last: { readonly user: number; readonly file: number };

  constructor(database: Database, files: FileIds, met: MetUsers, lastUser: number) {
    const file = Number(database.prepare("SELECT max(id) FROM files").all()[0]?.[0] ?? 0);
    this.#database = database;
    this.#files = files;
    this.#met = met;
    this.#last = { user: lastUser, file };
  }

  count(): number {
    const { user } = this.#last;
    if (user === 0) return 0;
    const count = this.#database.prepare<[number]>("SELECT count(*) FROM users WHERE id <= ?");
    return count.get(user)?.[0] ?? 0;
  }

  /** Those whom this run hasn't met: rows that it leaves unread may be theirs. */
  unmet(): number {
    return this.count() - this.#met.count;
  }

  /**
   * Whether these are exports of such users: one of them was read before, or somebody was met. Their
   * names are kept for the next run.
   *
   * @param files the inputs
   */
  areIn(files: readonly string[]): boolean {
    const { user, file } = this.#last;
    const ids = files.map((path) => this.#files.idOf(path));
    return user === 0 || this.#met.count > 0 || ids.some((id) => id <= file);
  }
}
