/** Gathers what is to be written of users, so that many share a transaction: a user's part by itself would cost as much as forty together. Each caller is answered when that part is durable. */

import type { Commit } from "../sqlite/group-commit.js";
import type { IntentWrite, OutcomeWrite, Touch } from "../plan/entry.js";

/**
 * Turns of the event loop for which writes are gathered. Where nothing else happens they are
 * over at once; under load each brings more answers of the core, of a remote one two or three.
 */
const TURNS = 40;
/** So many users don't wait for more. */
const ENOUGH = 512;

/** What is written in one transaction. */
export interface Writes {
  readonly intents: IntentWrite[];
  readonly touched: Touch[];
  readonly outcomes: OutcomeWrite[];
}

export class Gathering {
  readonly #commit: Commit;
  readonly #write: (writes: Writes) => void;
  #waiting = nothing();
  #written: Promise<void> | null = null;

  /** @param write runs within a transaction */
  constructor(commit: Commit, write: (writes: Writes) => void) {
    this.#commit = commit;
    this.#write = write;
  }

  intend(intents: readonly IntentWrite[], touched: readonly Touch[]): Promise<void> {
    this.#waiting.intents.push(...intents);
    this.#waiting.touched.push(...touched);
    this.#written ??= this.#writeAll();
    return this.#written;
  }

  settle(outcome: OutcomeWrite): Promise<void> {
    this.#waiting.outcomes.push(outcome);
    this.#written ??= this.#writeAll();
    return this.#written;
  }

  async #writeAll(): Promise<void> {
    // One turn at least: until then the caller hasn't noted that this write is under way.
    for (let turn = 0; turn === 0 || (turn < TURNS && !this.#isEnough()); turn += 1) {
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    const writes = this.#waiting;
    this.#waiting = nothing();
    this.#written = null;
    await this.#commit.run(() => this.#write(writes));
  }

  #isEnough(): boolean {
    const { intents, touched, outcomes } = this.#waiting;
    return intents.length + touched.length + outcomes.length >= ENOUGH;
  }
}

function nothing(): Writes {
  return { intents: [], touched: [], outcomes: [] };
}
