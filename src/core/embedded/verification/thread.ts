/** One thread that verifies passwords, one at a time. Which password is next is the pool's business. */

import { Worker } from "node:worker_threads";
import { RunError, type RunErrorCode, systemErrorCode } from "../../../errors/run-error.js";
import type { KeptHash } from "../../../hash/legacy/kept-password.js";
import type { VerifyOptions } from "../../../hash/verify.js";
import { CoreFailure } from "../../core-failure.js";

export interface VerificationThread {
  /**
   * To be called again only when the one before has settled.
   * @throws RunError as `verifyPassword`; CoreFailure `broken` where the thread dies of it
   */
  verify(request: VerifyRequest): Promise<boolean>;
  /** The thread died or was ended; it takes no more calls. */
  readonly ended: boolean;
  end(): Promise<void>;
}

/** The caller who waits for an answer. */
interface Asker {
  readonly resolve: (verified: boolean) => void;
  readonly reject: (failure: RunError | CoreFailure) => void;
}

/**
 * Starts a thread; once it has verified a password, it keeps the process alive only while it verifies.
 * @param entry the module that it runs: `verification-worker.js`, compiled
 */
export function startThread(entry: URL, options: VerifyOptions): VerificationThread {
  const worker = new Worker(entry, {
    name: "verification",
    workerData: options,
    // It needs no environment, so it gets no copy of one that holds keys.
    env: {},
    execArgv: [],
  });
  let asker: Asker | null = null;
  let ended = false;

  function settle(how: (asker: Asker) => void): void {
    worker.unref();
    const asked = asker;
    asker = null;
    if (asked !== null) how(asked);
  }

  function die(why: string): void {
    ended = true;
    settle(({ reject }) => reject(threadDied(why)));
  }

  worker.on("message", (answer: VerifyAnswer) => {
    settle(({ resolve, reject }) => {
      if ("verified" in answer) resolve(answer.verified);
      else reject(new RunError(answer.code, answer.message, { hint: answer.hint }));
    });
  });
  // The text of such an error might repeat a password; its code can't.
  worker.on("error", (error) => die(systemErrorCode(error) || "an unexpected error"));
  worker.on("exit", () => die("it ended"));

  return {
    verify: (request) =>
      new Promise((resolve, reject) => {
        asker = { resolve, reject };
        worker.ref();
        worker.postMessage(request);
      }),
    get ended() {
      return ended;
    },
    async end() {
      ended = true;
      await worker.terminate();
    },
  };
}

function threadDied(why: string): CoreFailure {
  return new CoreFailure("broken", `the thread that verified the password died (${why})`, {
    reached: "yes",
    status: 500,
  });
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
