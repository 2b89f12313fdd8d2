/** Group commit: what is asked for in one turn of the event loop is written in one transaction, so that many calls in flight share one fsync. Nobody is answered before it. */

import type { Database } from "./database.js";
import { SqliteFailure } from "./sqlite-failure.js";

interface Job {
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs pieces of work inside shared transactions, in the order in which they were asked for. */
export class GroupCommit {
  readonly #database: Database;
  readonly #maxGroup: number;
  #queue: Job[] = [];
  #scheduled = false;
  #closed = false;

  /** @param maxGroup most pieces of work in one transaction; 4096 by default */
  constructor(database: Database, maxGroup = 4096) {
    this.#database = database;
    this.#maxGroup = maxGroup;
  }

  /**
   * Runs `work` inside the next shared transaction and resolves with what it returned once that is
   * durable. `work` must be synchronous, touch nothing but the database, and bear being run
   * twice: a group in which one piece throws is rolled back and each piece is run alone, so that
   * only the culprit fails.
   *
   * @throws SqliteFailure or what `work` threw; then nothing of it was written
   */
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

  /** Writes what is still waiting and refuses more. */
  close(): void {
    this.#closed = true;
    while (this.#queue.length > 0) this.#flush();
  }

  #flush(): void {
    const group = this.#queue.slice(0, this.#maxGroup);
    this.#queue = this.#queue.slice(this.#maxGroup);
    this.#scheduled = this.#queue.length > 0;
    if (this.#scheduled) setImmediate(() => this.#flush());
    if (group.length === 0) return;
    try {
      const results = this.#commit(group);
      for (const [index, job] of group.entries()) job.resolve(results[index]);
    } catch (error) {
      if (group.length === 1 || isWholeFile(error)) for (const job of group) job.reject(error);
      else this.#runAlone(group);
    }
  }

  #commit(group: readonly Job[]): unknown[] {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const results = group.map((job) => job.work());
      this.#database.exec("COMMIT");
      return results;
    } catch (error) {
      this.#rollback();
      throw error;
    }
  }

  #rollback(): void {
    try {
      this.#database.exec("ROLLBACK");
    } catch {
      // A full disk or an I/O error has rolled back already; the first error is the one to tell.
    }
  }

  #runAlone(group: readonly Job[]): void {
    for (const job of group) {
      try {
        job.resolve(this.#commit([job])[0]);
      } catch (error) {
        job.reject(error);
      }
    }
  }
}

/** Running the pieces alone can't help where the file itself is unusable. */
function isWholeFile(error: unknown): boolean {
  return error instanceof SqliteFailure && (error.kind === "disk" || error.kind === "busy");
}
