/** Gathers what is to be written of users, so that many share a transaction: a user's part by itself would cost as much as forty together. Each caller is answered when that part is durable. */

import type { Commit } from "../sqlite/group-commit.js";
import type { IntentWrite, OutcomeWrite, Touch } from "../plan/entry.js";

/**
 * Turns of the event loop for which writes are gathered. Where nothing else happens they are
 * over at once; under load each brings more answers of the core, of a remote one two or three.
 */
const TURNS = 40;
/** So many users don't wait for more: as many as an embedded import has in flight, since some wait for the next batch's intents. */
const ENOUGH = 1024;

/** What is written in one transaction. */
export interface Writes {
  readonly intents: readonly IntentWrite[];
  readonly touched: readonly Touch[];
  readonly outcomes: readonly OutcomeWrite[];
}

export class Gathering {
  readonly #commit: Commit;
  readonly #write: (writes: Writes) => void;
  #waiting = nothing();
  #written: Promise<void> | null = null;
  #go = (): void => {};

  /** @param write runs within a transaction */
  constructor(commit: Commit, write: (writes: Writes) => void) {
    this.#commit = commit;
    this.#write = write;
  }

  /** Writes of users who come one by one: they wait for others. */
  add(writes: Partial<Writes>): Promise<void> {
    const { intents, touched, outcomes } = this.#waiting;
    intents.push(...(writes.intents ?? []));
    touched.push(...(writes.touched ?? []));
    outcomes.push(...(writes.outcomes ?? []));
    this.#written ??= this.#writeAll();
    if (intents.length + touched.length + outcomes.length >= ENOUGH) this.#go();
    return this.#written;
  }

  /** Writes of a batch, which wait for no more and take with them what waits. */
  addBatch(writes: Partial<Writes>): Promise<void> {
    this.#go();
    return this.#commit.run(() => this.#write({ ...nothing(), ...writes }));
  }

  async #writeAll(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#go = resolve;
      waitTurns(TURNS, resolve);
    });
    const writes = this.#waiting;
    this.#waiting = nothing();
    this.#written = null;
    await this.#commit.run(() => this.#write(writes));
  }
}

function waitTurns(turns: number, then: () => void): void {
  if (turns === 0) then();
  else setImmediate(() => waitTurns(turns - 1, then));
}

function nothing() {
  return {
    intents: [] as IntentWrite[],
    touched: [] as Touch[],
    outcomes: [] as OutcomeWrite[],
  };
}
