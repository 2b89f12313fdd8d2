/** The thread of a threaded core as this side sees it: calls go to it in batches, and each gets its own answer, also when the thread dies. */

import { Worker } from "node:worker_threads";
import { systemErrorCode } from "../../../errors/run-error.js";
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

export interface CoreThread {
  /**
   * The core id, once the core is open.
   * @throws what opening it threw; CoreFailure `broken` where the thread died of it
   */
  readonly opened: Promise<string>;
  /**
   * Makes a call; those of one turn of the event loop travel together, in their order.
   * @throws what the core threw; CoreFailure `broken` where the thread died
   */
  ask<M extends Method>(method: M, request: Requests[M]): Promise<Outcomes[M]>;
  /**
   * The same for a call whose outcome isn't handed over as it is: a promise less than `ask` and `then`.
   *
   * @param read must not throw
   */
  ask<M extends Method, T>(
    method: M,
    request: Requests[M],
    read: (outcome: Outcomes[M]) => T,
  ): Promise<T>;
  /** Ends the thread, whatever it does. */
  end(): Promise<void>;
}

/**
 * V8's default is 48 MB. The thread's objects are garbage as soon as a group is answered, so less
 * saves memory and takes no longer. With 4 MB, half of them outlived each collection.
 */
const YOUNG_MIB = 24;

/** The caller who waits for an answer. */
interface Asker {
  readonly read: ((outcome: unknown) => unknown) | null;
  readonly resolve: (outcome: unknown) => void;
  readonly reject: (failure: unknown) => void;
}

/**
 * Starts the thread; it keeps the process alive only while a call waits for an answer.
 *
 * @param entry the module that it runs: `worker.js`, compiled
 * @param options of the core, which may hold a signer key: they are handed over in memory
 */
export function startCoreThread(entry: URL, options: object): CoreThread {
  const worker = new Worker(entry, {
    name: "core",
    workerData: options,
    // It needs no environment, so it gets no copy of one that holds keys.
    env: {},
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
  });
  const askers = new Map<number, Asker>();
  let calls: Call[] = [];
  let number = OPENING;
  let death: string | null = null;

  function send(): void {
    const batch = calls;
    calls = [];
    try {
      worker.postMessage(batch);
    } catch (error) {
      // One value in it can't be handed over, so none of the batch was.
      for (const [unsent] of batch) settle(unsent, ({ reject }) => reject(error));
    }
  }

  function settle(which: number, how: (asker: Asker) => void): void {
    const asker = askers.get(which);
    askers.delete(which);
    if (askers.size === 0) worker.unref();
    if (asker !== undefined) how(asker);
  }

  function die(why: string): void {
    death ??= why;
    for (const which of [...askers.keys()]) {
      // It may have died behind the commit.
      settle(which, ({ reject }) => reject(threadGone(why, "unknown")));
    }
  }

  const opened = new Promise<unknown>((resolve, reject) =>
    askers.set(OPENING, { read: null, resolve, reject }),
  );

  worker.on("message", (answers: readonly Answer[]) => {
    for (const [which, succeeded, content] of answers) {
      settle(which, ({ read, resolve, reject }) => {
        if (succeeded) resolve(read === null ? content : read(content));
        else reject(failureOf(content));
      });
    }
  });
  // The text of such an error might repeat what was sent; its code can't.
  worker.on("error", (error) => die(systemErrorCode(error) || "an unexpected error"));
  worker.on("exit", () => die("it ended"));

  return {
    opened: opened.then(String),
    ask: (method: Method, request: unknown, read: Asker["read"] = null) =>
      new Promise<never>((resolve, reject) => {
        if (death !== null) {
          reject(threadGone(death, "no"));
          return;
        }
        number += 1;
        if (askers.size === 0) worker.ref();
        askers.set(number, { read, resolve: resolve as (outcome: unknown) => void, reject });
        if (calls.length === 0) setImmediate(send);
        calls.push([number, method, request] as Call);
      }),
    async end() {
      death = "it was closed";
      await worker.terminate();
    },
  };
}

function threadGone(why: string, reached: Reached): CoreFailure {
  return new CoreFailure("broken", `the core's thread is gone (${why})`, { reached });
}
