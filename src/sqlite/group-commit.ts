/** Group commit: all work of one turn of the event loop is written in one transaction, so that many calls share one fsync. Callers are answered after it. */

import { type Database, rollBack } from "./database.js";
import { isBusy, SqliteFailure } from "./sqlite-failure.js";

/** How long one try blocks this process for another one's lock, and the time between two tries. */
const LOCK_POLL_MS = 10;

/** Makes pieces of work durable, many in one transaction, in the order in which they were asked for. */
export interface Commit {
  /**
   * Runs `work` inside the next shared transaction and resolves with what it returned once that is
   * durable. `work` must be synchronous, touch nothing but the database, and bear being run
   * twice: a group in which one piece throws is rolled back and each piece is run alone, so that
   * only the culprit fails.
   *
   * @throws SqliteFailure or what `work` threw; then nothing of it was written
   */
  run<T>(work: () => T): Promise<T>;
  /** Writes what is still waiting and refuses more. */
  close(): void;
}

interface Job {
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface GroupCommitOptions {
  /** Most pieces of work in one transaction; 4096 by default. */
  readonly maxGroup?: number;
  /**
   * How long to wait, in milliseconds, while another process holds the file's lock, with this one
   * going on with all else. Without it SQLite waits, as long as the file was opened for, and holds
   * up the whole process.
   */
  readonly lockWaitMs?: number;
}

/** Runs pieces of work inside shared transactions, in the order in which they were asked for. */
export class GroupCommit implements Commit {
  readonly #database: Database;
  readonly #maxGroup: number;
  readonly #lockWaitMs: number;
  #lockedSince: number | null = null;
  #queue: Job[] = [];
  #scheduled = false;
  #closed = false;

  constructor(database: Database, { maxGroup = 4096, lockWaitMs = 0 }: GroupCommitOptions = {}) {
    this.#database = database;
    this.#maxGroup = maxGroup;
    this.#lockWaitMs = lockWaitMs;
    if (lockWaitMs > 0) this.#setBusyTimeout(LOCK_POLL_MS);
  }

  run<T>(work: () => T): Promise<T> {
    if (this.#closed) {
      return Promise.reject(new SqliteFailure("bug", "the database was closed"));
    }
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
      if (this.#scheduled) return;
      this.#scheduled = true;
      setImmediate(() => this.#flush());
    });
  }

  close(): void {
    this.#closed = true;
    if (this.#queue.length === 0) return;
    if (this.#lockWaitMs > 0) this.#setBusyTimeout(this.#lockWaitMs);
    while (this.#queue.length > 0) this.#flush();
  }

  #flush(): void {
    const group = this.#queue.slice(0, this.#maxGroup);
    if (group.length > 0) {
      try {
        const results = transact(this.#database, group);
        for (const [index, job] of group.entries()) job.resolve(results[index]);
      } catch (error) {
        if (this.#maySeeLater(error)) {
          setTimeout(() => this.#flush(), LOCK_POLL_MS);
          return;
        }
        if (group.length === 1 || isWholeFile(error)) for (const job of group) job.reject(error);
        else this.#runAlone(group);
      }
    }
    this.#lockedSince = null;
    this.#queue = this.#queue.slice(group.length);
    this.#scheduled = this.#queue.length > 0;
    if (this.#scheduled) setImmediate(() => this.#flush());
  }

  /** Whether another process holds the lock and there is time left to wait for it. */
  #maySeeLater(error: unknown): boolean {
    if (this.#closed || !isBusy(error)) return false;
    this.#lockedSince ??= performance.now();
    return performance.now() - this.#lockedSince < this.#lockWaitMs;
  }

  #setBusyTimeout(milliseconds: number): void {
    this.#database.exec(`PRAGMA busy_timeout = ${milliseconds}`);
  }

  #runAlone(group: readonly Job[]): void {
    for (const job of group) {
      try {
        job.resolve(transact(this.#database, [job])[0]);
      } catch (error) {
        job.reject(error);
      }
    }
  }
}

/**
 * Runs pieces of work in one transaction.
 *
 * @returns what each returned
 * @throws SqliteFailure or what one of them threw; then nothing was written
 */
export function transact(
  database: Database,
  pieces: readonly { readonly work: () => unknown }[],
): unknown[] {
  database.exec("BEGIN IMMEDIATE");
  try {
    const results = pieces.map(({ work }) => work());
    database.exec("COMMIT");
    return results;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Running the pieces alone can't help where the file itself is unusable. */
export function isWholeFile(error: unknown): boolean {
  return error instanceof SqliteFailure && ["disk", "damaged", "busy"].includes(error.kind);
}
