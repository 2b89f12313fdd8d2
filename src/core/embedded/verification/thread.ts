/** One thread that verifies passwords, one at a time. Which password is next is the pool's business. */

import { Worker } from "node:worker_threads";
import { RunError, type RunErrorCode, systemErrorCode } from "../../../errors/run-error.js";
import type { KeptHash } from "../../../hash/legacy/kept-password.js";
import type { VerifyOptions } from "../../../hash/verify.js";
import { CoreFailure } from "../../core-failure.js";

/** The caller who waits for an answer. */
interface Asker {
  readonly resolve: (verified: boolean) => void;
  readonly reject: (failure: RunError | CoreFailure) => void;
}

/** Once it has verified a password, it keeps the process alive only while it verifies. */
export class VerificationThread {
  readonly #worker: Worker;
  #asker: Asker | null = null;
  #ended = false;

  /** @param entry the module that it runs: `verification-worker.js`, compiled */
  constructor(entry: URL, options: VerifyOptions) {
    this.#worker = new Worker(entry, {
      name: "verification",
      workerData: options,
      // It needs no environment, so it gets no copy of one that holds keys.
      env: {},
      execArgv: [],
    });
    this.#worker.on("message", (answer: VerifyAnswer) => {
      const asker = this.#taken();
      if ("verified" in answer) asker?.resolve(answer.verified);
      else asker?.reject(new RunError(answer.code, answer.message, { hint: answer.hint }));
    });
    // The text of such an error might repeat a password; its code can't.
    this.#worker.on("error", (error) => this.#die(systemErrorCode(error) || "an unexpected error"));
    this.#worker.on("exit", () => this.#die("it ended"));
  }

  /** The thread died or was ended; it takes no more calls. */
  get ended(): boolean {
    return this.#ended;
  }

  /**
   * To be called again only when the one before has settled.
   * @throws RunError as `verifyPassword`; CoreFailure `broken` where the thread dies of it
   */
  verify(request: VerifyRequest): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#asker = { resolve, reject };
      this.#worker.ref();
      this.#worker.postMessage(request);
    });
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#worker.terminate();
  }

  /** The caller who waits, and is settled now. */
  #taken(): Asker | null {
    this.#worker.unref();
    const asker = this.#asker;
    this.#asker = null;
    return asker;
  }

  #die(why: string): void {
    this.#ended = true;
    const message = `the thread that verified the password died (${why})`;
    this.#taken()?.reject(new CoreFailure("broken", message, { reached: "yes", status: 500 }));
  }
}

export interface VerifyRequest {
  /** One that `checkHash` accepts; or one that no core takes. */
  readonly hash: string | KeptHash;
  readonly password: string;
}

export type VerifyAnswer =
  | { readonly verified: boolean }
  /** A `RunError` in its parts, since errors cross a thread without their class. */
  | { readonly code: RunErrorCode; readonly message: string; readonly hint: string };
