/** A table whose rows are known by digests. Rows that are looked for in the order in which they were added are found soonest. */

import type { Database, Statement } from "../sqlite/database.js";
import { mergedSpans, type Span } from "./number-spans.js";
import { RowsAhead } from "./rows-ahead.js";

/** What is kept of rows that follow each other in a file, of users whose numbers do. */
export interface KeptRows {
  /** Of their text and of what it was read by, as Latin-1. */
  readonly digest: string;
  /** The entry's number of the first row's user. */
  readonly user: number;
  /** What came of them, as a text of its keeper. */
  readonly facts: string;
}

export interface FoundRows extends Pick<KeptRows, "user" | "facts"> {
  readonly id: number;
}

export class DigestTable {
  readonly #idOf: Statement<[number]>;
  readonly #insert: Statement;
  readonly #remove: Statement;
  readonly #rows: RowsAhead<[number, Buffer, number, string]>;
  /** The last of the rows that can be found: a run would take its own for those of the one before. */
  readonly #last: number;
  /** Where the row stands that is looked for next, if it is the next one. */
  #next = 0;

  /** @param others columns beside those of {@link KeptRows} */
  constructor(database: Database, table: string, others: readonly string[] = []) {
    const columns = ["digest", "user", "facts", ...others];
    const values = columns.map(() => "?");
    this.#idOf = database.prepare(`SELECT id FROM ${table} WHERE digest = ?`);
    this.#rows = new RowsAhead(database, `SELECT id, digest, user, facts FROM ${table}`);
    this.#insert = database.prepare(
      `INSERT OR REPLACE INTO ${table} (${columns}) VALUES (${values})`,
    );
    this.#last = database.prepare<[number | null]>(`SELECT max(id) FROM ${table}`).get()?.[0] ?? 0;
    this.#remove = database.prepare(`DELETE FROM ${table} WHERE id BETWEEN ? AND ?`);
  }

  /** A row that was there before any was added. */
  find(digest: string): FoundRows | null {
    const next = this.#rows.from(this.#next);
    const found = next?.[1].toString("latin1") === digest ? next : this.#byDigest(digest);
    if (found === undefined || found[0] > this.#last) return null;
    const [id, , user, facts] = found;
    this.#next = id + 1;
    return { id, user, facts };
  }

  at(id: number): FoundRows | null {
    const row = this.#rows.from(id);
    return row?.[0] === id ? { id, user: row[2], facts: row[3] } : null;
  }

  /** @returns its number */
  add({ digest, user, facts }: KeptRows, ...others: readonly Buffer[]): number {
    const row = this.#insert.run(Buffer.from(digest, "latin1"), user, facts, ...others);
    return Number(row.lastInsertRowid);
  }

  /** Removes all rows but those with these numbers. */
  keep(ids: readonly Span[]): void {
    let next = 0;
    for (const { first, last } of mergedSpans(ids)) {
      if (first > next) this.#remove.run(next, first - 1);
      next = last + 1;
    }
    this.#remove.run(next, Number.MAX_SAFE_INTEGER);
  }

  #byDigest(digest: string) {
    const [row] = this.#idOf.all(Buffer.from(digest, "latin1"));
    return row === undefined ? undefined : this.#rows.from(row[0]);
  }
}
