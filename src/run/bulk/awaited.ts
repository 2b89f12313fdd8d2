/** Whom this run's rows name of those whose accounts are in the core's queue: a byte a user, since there may be millions. */

import type { HashAlgorithm } from "../../hash/hash.js";
import type { Task } from "../../plan/action.js";

const ALGORITHMS: readonly (HashAlgorithm | null)[] = [null, "bcrypt", "argon2", "vendor_scrypt"];
const NAMED = 0b1000;
const CHANGED = 0b1_0000;

/** What this run knows of a user in the queue. */
interface Waiting {
  /** Of their hash; null without one. */
  readonly algorithm: HashAlgorithm | null;
  /** Something else is asked for by now than what is in the queue. */
  readonly isChanged: boolean;
}

export class Awaited {
  #marks = new Uint8Array(4096);
  #count = 0;

  /** Users named and not taken yet. */
  get count(): number {
    return this.#count;
  }

  add({ entry: { id }, plan }: Task, isChanged: boolean): void {
    const algorithm = plan.kind === "import" ? plan.algorithm : null;
    const mark = NAMED | ALGORITHMS.indexOf(algorithm) | (isChanged ? CHANGED : 0);
    if ((this.#of(id) & NAMED) === 0) this.#count += 1;
    this.#set(id, this.#of(id) | mark);
  }

  /** Null where no row of this run names the user. */
  take(entryId: number): Waiting | null {
    const mark = this.#of(entryId);
    if ((mark & NAMED) === 0) return null;
    this.#count -= 1;
    this.#set(entryId, mark & ~NAMED);
    const algorithm = ALGORITHMS[mark & 0b111] ?? null;
    return { algorithm, isChanged: (mark & CHANGED) !== 0 };
  }

  #of(entryId: number): number {
    return this.#marks[entryId] ?? 0;
  }

  #set(entryId: number, mark: number): void {
    if (entryId >= this.#marks.length) {
      const grown = new Uint8Array(Math.max(this.#marks.length * 2, entryId + 1));
      grown.set(this.#marks);
      this.#marks = grown;
    }
    this.#marks[entryId] = mark;
  }
}
