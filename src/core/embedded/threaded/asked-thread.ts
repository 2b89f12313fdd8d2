/** A thread that answers calls, as this side sees it: calls of one turn travel together, and each gets its own answer, also when the thread dies. */

import { Worker, type WorkerOptions } from "node:worker_threads";
import { exhausted, systemErrorCode } from "../../../errors/run-error.js";
import type { CoreFailure, Reached } from "../../core-failure.js";
import { type Answer, type Call, failureOf } from "./messages.js";

interface ThreadOptions extends Pick<WorkerOptions, "resourceLimits"> {
  readonly name: string;
  /** May hold a signer key: it is handed over in memory. */
  readonly workerData: object;
  /** What a call fails with where the thread is gone. */
  readonly gone: (why: string, reached: Reached) => CoreFailure;
}

/** The caller who waits for an answer. */
interface Asker {
  readonly resolve: (outcome: unknown) => void;
  readonly reject: (failure: unknown) => void;
}

/** It keeps the process alive only while a call waits for an answer. */
export class AskedThread<Content> {
  readonly #worker: Worker;
  readonly #gone: ThreadOptions["gone"];
  readonly #askers = new Map<number, Asker>();
  #calls: Call<Content>[] = [];
  #number = 0;
  #hasAnswered = false;
  #death: string | null = null;

  /** @param entry the module that it runs, compiled; it calls `answerCalls` */
  constructor(entry: URL, { gone, ...options }: ThreadOptions) {
    this.#gone = gone;
    // It needs no environment, so it gets no copy of one that holds keys.
    this.#worker = new Worker(entry, { ...options, env: {}, execArgv: [] });
    this.#worker.on("message", (answers: readonly Answer[]) => this.#answered(answers));
    this.#worker.on("error", (error) => {
      // What the machine lacks is told, handles or memory, and not that a thread is gone.
      const lacking = this.#hasAnswered ? null : exhausted(error);
      // The text of such an error might repeat what was sent; its code can't.
      this.#die(systemErrorCode(error) || "an unexpected error", lacking);
    });
    this.#worker.on("exit", () => this.#die("it ended"));
  }

  /** The thread died or was ended; it takes no more calls. */
  get ended(): boolean {
    return this.#death !== null;
  }

  /**
   * Makes a call.
   * @throws what it failed with on the thread; as of `gone` where the thread dies; RunError
   *   `out_of_resources` where it can't begin
   */
  ask(content: Content): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#death !== null) {
        reject(this.#gone(this.#death, "no"));
        return;
      }
      this.#number += 1;
      if (this.#askers.size === 0) this.#worker.ref();
      this.#askers.set(this.#number, { resolve, reject });
      if (this.#calls.length === 0) setImmediate(() => this.#send());
      this.#calls.push([this.#number, content]);
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
    this.#hasAnswered = true;
    for (const [which, succeeded, content] of answers) {
      const asker = this.#taken(which);
      if (succeeded) asker?.resolve(content);
      else asker?.reject(failureOf(content));
    }
  }

  /** The caller of this number, who is settled now. */
  #taken(which: number): Asker | undefined {
    const asker = this.#askers.get(which);
    this.#askers.delete(which);
    if (this.#askers.size === 0) this.#worker.unref();
    return asker;
  }

  #die(why: string, lacking: Error | null = null): void {
    this.#death ??= why;
    for (const which of [...this.#askers.keys()]) {
      // It may have died behind what it was asked for.
      this.#taken(which)?.reject(lacking ?? this.#gone(why, "unknown"));
    }
  }
}
