/** Verifies passwords off the event loop: a few threads, a bounded queue before them, and `busy` once the queue is full. */

import { availableParallelism } from "node:os";
import type { KeptHash } from "../../../hash/legacy/kept-password.js";
import { memoryOf, VERIFY_MEMORY_BYTES, type VerifyOptions } from "../../../hash/verify.js";
import { CoreFailure } from "../../core-failure.js";
import { AskedThread } from "../threaded/asked-thread.js";

export interface VerifyRequest {
  /** One that `checkHash` accepts; or one that no core takes. */
  readonly hash: string | KeptHash;
  readonly password: string;
}

/** One that verifies passwords, one at a time. */
type VerificationThread = AskedThread<VerifyRequest>;

export interface PoolOptions extends VerifyOptions {
  /** How many passwords are verified at once; one less than there are processors by default, at least one. */
  readonly threads?: number | undefined;
  /** How many may wait for a thread; 64 by default. */
  readonly queue?: number | undefined;
  /** How much memory those under way may take together, in bytes; by default as much as a single one may. */
  readonly memoryBytes?: number;
  /** What the threads run. */
  readonly entry?: URL;
}

/** A password that waits for a thread. */
interface Job extends VerifyRequest {
  readonly memory: number;
  readonly resolve: (verified: boolean) => void;
  readonly reject: (error: unknown) => void;
}

const DEFAULT_QUEUE = 64;
/** When a sign-in that found the queue full should come again, in milliseconds. */
const RETRY_MS = 1000;

const ENTRY = new URL("./verification-worker.js", import.meta.url);

/**
 * A thread starts when a password comes and no idle thread is there. bcrypt is JavaScript here: on the
 * core's own thread a lookup beside eight sign-ins took 560 ms in place of 2.
 */
export class VerificationPool {
  readonly #threads: number;
  readonly #queue: number;
  readonly #memoryBytes: number;
  readonly #start: () => VerificationThread;
  readonly #waiting: Job[] = [];
  readonly #idle: VerificationThread[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #memoryInUse = 0;
  #closed = false;

  constructor(options: PoolOptions) {
    const { signerKey = null, scryptPasswordEncoding = "utf8", entry = ENTRY } = options;
    this.#threads = options.threads ?? Math.max(1, availableParallelism() - 1);
    this.#queue = options.queue ?? DEFAULT_QUEUE;
    this.#memoryBytes = options.memoryBytes ?? VERIFY_MEMORY_BYTES;
    const workerData: VerifyOptions = { signerKey, scryptPasswordEncoding };
    this.#start = () =>
      new AskedThread(entry, { name: "verification", workerData, gone: threadDied });
  }

  /**
   * Whether `hash` was made from `password`.
   * @param hash one that `checkHash` accepts
   * @throws RunError as `verifyPassword`; CoreFailure `busy` where too many wait already,
   *   `broken` where the thread died
   */
  verify(hash: string, password: string): Promise<boolean> {
    return this.run({ hash, password }, memoryOf(hash));
  }

  /**
   * The same for any hash.
   *
   * @param memory what verifying it takes, in bytes
   */
  run(request: VerifyRequest, memory: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(tooMany());
        return;
      }
      this.#waiting.push({ ...request, memory, resolve, reject });
      this.#startWaiting();
      if (this.#waiting.length > this.#queue) {
        this.#waiting.pop();
        reject(tooMany());
      }
    });
  }

  /** Lets those under way end, tells those that wait `busy`, and ends the threads. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(tooMany());
    await Promise.all(this.#underWay);
    await Promise.all(this.#idle.map((thread) => thread.end()));
  }

  #startWaiting(): void {
    for (;;) {
      const [job] = this.#waiting;
      if (job === undefined || !this.#hasRoom(job)) return;
      this.#waiting.shift();
      const work = this.#run(job).then((settle) => {
        this.#underWay.delete(work);
        this.#startWaiting();
        settle();
      });
      this.#underWay.add(work);
    }
  }

  #hasRoom({ memory }: Job): boolean {
    if (this.#underWay.size === 0) return true;
    const isInMemory = this.#memoryInUse + memory <= this.#memoryBytes;
    return isInMemory && this.#underWay.size < this.#threads;
  }

  async #run({ hash, password, memory, resolve, reject }: Job): Promise<() => void> {
    this.#memoryInUse += memory;
    try {
      const thread = this.#takeThread();
      const work = thread.ask({ hash, password });
      const verified = await work.finally(() => this.#idle.push(thread));
      return () => resolve(verified === true);
    } catch (error) {
      return () => reject(error);
    } finally {
      this.#memoryInUse -= memory;
    }
  }

  #takeThread(): VerificationThread {
    for (let thread = this.#idle.pop(); thread !== undefined; thread = this.#idle.pop()) {
      if (!thread.ended) return thread;
    }
    return this.#start();
  }
}

function tooMany(): CoreFailure {
  return new CoreFailure("busy", "too many sign-ins wait for their verification", {
    reached: "no",
    status: 503,
    retryAfterMs: RETRY_MS,
  });
}

function threadDied(why: string): CoreFailure {
  const message = `the thread that verified the password died (${why})`;
  return new CoreFailure("broken", message, { reached: "yes", status: 500 });
}
