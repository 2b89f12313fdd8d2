/** Verifies passwords off the event loop: a few threads, a bounded queue before them, and `busy` once the queue is full. */

import { availableParallelism } from "node:os";
import { memoryOf, VERIFY_MEMORY_BYTES, type VerifyOptions } from "../../../hash/verify.js";
import { CoreFailure } from "../../core-failure.js";
import { type VerifyRequest, startThread, type VerificationThread } from "./thread.js";

export interface PoolOptions extends VerifyOptions {
  /** How many passwords are verified at once; one less than there are processors by default, at least one. */
  readonly threads?: number | undefined;
  /** How many may wait for a thread; 64 by default. */
  readonly queue?: number | undefined;
  /** How much memory those under way may take together, in bytes; by default as much as a single one may. */
  readonly memoryBytes?: number;
  /** What the threads run. */
  readonly entry?: URL;
  /** Milliseconds from any start. */
  readonly clock?: () => number;
}

export interface VerificationPool {
  /**
   * Whether `hash` was made from `password`.
   * @param hash one that `checkHash` accepts
   * @throws RunError as `verifyPassword`; CoreFailure `busy` where too many wait already,
   *   `broken` where the thread died
   */
  verify(hash: string, password: string): Promise<boolean>;
  /** Lets those under way end, tells those that wait `busy`, and ends the threads. */
  close(): Promise<void>;
}

/** A password that waits for a thread. */
interface Job extends VerifyRequest {
  readonly memory: number;
  readonly resolve: (verified: boolean) => void;
  readonly reject: (error: unknown) => void;
}

const DEFAULT_QUEUE = 64;
const LEAST_RETRY_MS = 1000;
/** The longest wait that a refused sign-in is told, in milliseconds. */
const MOST_RETRY_MS = 60_000;
/** How much the newest duration counts in the running average. */
const NEWEST_SHARE = 0.2;

const ENTRY = new URL("./worker.js", import.meta.url);

/** A thread starts when a password comes and no idle thread is there. */
export function verificationPool(options: PoolOptions): VerificationPool {
  const { threads = Math.max(1, availableParallelism() - 1), queue = DEFAULT_QUEUE } = options;
  const { memoryBytes = VERIFY_MEMORY_BYTES, entry = ENTRY } = options;
  const { clock = () => performance.now() } = options;
  const { signerKey = null, scryptPasswordEncoding = "utf8" } = options;
  const waiting: Job[] = [];
  const idle: VerificationThread[] = [];
  const underWay = new Set<Promise<void>>();
  let memoryInUse = 0;
  let averageMs = 0;
  let closed = false;

  function startWaiting(): void {
    for (let job = waiting[0]; job !== undefined && hasRoom(job); job = waiting[0]) {
      waiting.shift();
      const work = run(job).then((settle) => {
        underWay.delete(work);
        startWaiting();
        settle();
      });
      underWay.add(work);
    }
  }

  function hasRoom({ memory }: Job): boolean {
    if (underWay.size === 0) return true;
    return underWay.size < threads && memoryInUse + memory <= memoryBytes;
  }

  async function run(job: Job): Promise<() => void> {
    const start = clock();
    memoryInUse += job.memory;
    const settle = await attempt(job);
    memoryInUse -= job.memory;
    const tookMs = clock() - start;
    averageMs += (tookMs - averageMs) * (averageMs === 0 ? 1 : NEWEST_SHARE);
    return settle;
  }

  async function attempt({ hash, password, resolve, reject }: Job): Promise<() => void> {
    try {
      const thread = takeThread();
      const verified = await thread.verify({ hash, password }).finally(() => idle.push(thread));
      return () => resolve(verified);
    } catch (error) {
      return () => reject(error);
    }
  }

  function takeThread(): VerificationThread {
    for (let thread = idle.pop(); thread !== undefined; thread = idle.pop()) {
      if (!thread.ended) return thread;
    }
    return startThread(entry, { signerKey, scryptPasswordEncoding });
  }

  function busy(): CoreFailure {
    const drainedMs = Math.ceil((averageMs * (waiting.length + 1)) / threads);
    return new CoreFailure("busy", "too many sign-ins wait for their verification", {
      reached: "no",
      status: 503,
      retryAfterMs: Math.min(MOST_RETRY_MS, Math.max(LEAST_RETRY_MS, drainedMs)),
    });
  }

  return {
    verify: (hash, password) =>
      new Promise((resolve, reject) => {
        if (closed) {
          reject(busy());
          return;
        }
        waiting.push({ hash, password, memory: memoryOf(hash), resolve, reject });
        startWaiting();
        if (waiting.length > queue) {
          waiting.pop();
          reject(busy());
        }
      }),
    async close() {
      closed = true;
      for (const { reject } of waiting.splice(0)) reject(busy());
      await Promise.all(underWay);
      await Promise.all(idle.map((thread) => thread.end()));
    },
  };
}
