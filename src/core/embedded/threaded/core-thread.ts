/** The thread of a threaded core as this side sees it: calls go to it in batches, and each gets its own answer, also when the thread dies. */

import { Worker } from "node:worker_threads";
import { exhausted, systemErrorCode } from "../../../errors/run-error.js";
import { CoreFailure, type Reached } from "../../core-failure.js";
import {
  failureOf,
  type Answer,
  type Call,
  type Method,
  OPENING,
  type Outcomes,
  type Requests,
} from "./messages.js";

/**
 * V8's default is 48 MB. The thread's objects are garbage as soon as a group is answered, so less
 * saves memory and takes no longer. With 4 MB, half of them outlived each collection.
 */
const YOUNG_MIB = 24;

/** The caller who waits for an answer. */
interface Asker {
  readonly resolve: (outcome: unknown) => void;
  readonly reject: (failure: unknown) => void;
}

/** The thread, which keeps the process alive only while a call waits for an answer. */
export class CoreThread {
  /**
   * The core id, once the core is open.
   * @throws what opening it threw; RunError `out_of_resources`; CoreFailure `broken` where
   *   the thread died of something else
   */
  readonly opened: Promise<string>;
  readonly #worker: Worker;
  readonly #askers = new Map<number, Asker>();
  #calls: Call[] = [];
  #number = OPENING;
  #death: string | null = null;

  /**
   * @param entry the module that it runs: `core-worker.js`, compiled
   * @param options of the core, which may hold a signer key: they are handed over in memory
   */
  constructor(entry: URL, options: object) {
    this.#worker = new Worker(entry, {
      name: "core",
      workerData: options,
      // It needs no environment, so it gets no copy of one that holds keys.
      env: {},
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
    });
    const opened = new Promise<unknown>((resolve, reject) =>
      this.#askers.set(OPENING, { resolve, reject }),
    );
    this.opened = opened.then(String);
    this.#worker.on("message", (answers: readonly Answer[]) => this.#answered(answers));
    this.#worker.on("error", (error) => {
      // What the machine lacks is told, handles or memory, and not that a thread is gone.
      const lacking = exhausted(error);
      if (lacking !== null) this.#taken(OPENING)?.reject(lacking);
      // The text of such an error might repeat what was sent; its code can't.
      this.#die(systemErrorCode(error) || "an unexpected error");
    });
    this.#worker.on("exit", () => this.#die("it ended"));
  }

  /**
   * Makes a call; those of one turn of the event loop travel together, in their order.
   * @throws what the core threw; CoreFailure `broken` where the thread died
   */
  ask<M extends Method>(method: M, request: Requests[M]): Promise<Outcomes[M]>;
  ask(method: Method, request: unknown): Promise<unknown> {
    return new Promise<unknown>((resolve, reject) => {
      if (this.#death !== null) {
        reject(threadGone(this.#death, "no"));
        return;
      }
      this.#number += 1;
      if (this.#askers.size === 0) this.#worker.ref();
      this.#askers.set(this.#number, { resolve, reject });
      if (this.#calls.length === 0) setImmediate(() => this.#send());
      this.#calls.push([this.#number, method, request] as Call);
    });
  }

  /** Ends the thread, whatever it does. */
  async end(): Promise<void> {
    this.#death = "it was closed";
    await this.#worker.terminate();
  }

  #send(): void {
    const batch = this.#calls;
    this.#calls = [];
    try {
      this.#worker.postMessage(batch);
    } catch (error) {
      // One value in it can't be handed over, so none of the batch was.
      for (const [unsent] of batch) this.#taken(unsent)?.reject(error);
    }
  }

  #answered(answers: readonly Answer[]): void {
    for (const [which, succeeded, content] of answers) {
      const asker = this.#taken(which);
      if (!succeeded) asker?.reject(failureOf(content));
      else asker?.resolve(content);
    }
  }

  /** The caller of this number, who is settled now. */
  #taken(which: number): Asker | undefined {
    const asker = this.#askers.get(which);
    this.#askers.delete(which);
    if (this.#askers.size === 0) this.#worker.unref();
    return asker;
  }

  #die(why: string): void {
    this.#death ??= why;
    for (const which of [...this.#askers.keys()]) {
      // It may have died behind the commit.
      this.#taken(which)?.reject(threadGone(why, "unknown"));
    }
  }
}

function threadGone(why: string, reached: Reached): CoreFailure {
  return new CoreFailure("broken", `the core's thread is gone (${why})`, { reached });
}
