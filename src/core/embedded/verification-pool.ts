/** Bounds the verifying of passwords: so many at once, within a bound of memory for all together; others wait in a queue, and are told `busy` once that is full. */

import { availableParallelism } from "node:os";
import { RunError } from "../../errors/run-error.js";
import { VERIFY_MEMORY_BYTES } from "../../hash/verify.js";
import { CoreFailure } from "../core-failure.js";

export interface PoolOptions {
  /** How many passwords are verified at once; one less than there are processors by default, at least one. */
  readonly threads?: number | undefined;
  /** How many may wait; 64 by default. */
  readonly queue?: number | undefined;
  /** How much memory those under way may take together, in bytes; by default as much as a single one may. */
  readonly memoryBytes?: number | undefined;
}

/** A password that waits for its turn. */
interface Job {
  readonly verify: () => Promise<boolean>;
  /** Bytes. */
  readonly memory: number;
  readonly resolve: (verified: boolean) => void;
  readonly reject: (error: unknown) => void;
}

const DEFAULT_QUEUE = 64;
/** When a sign-in that is told `busy` should come again, in milliseconds. */
const RETRY_MS = 1000;

export class VerificationPool {
  readonly #atOnce: number;
  readonly #queue: number;
  readonly #memoryBytes: number;
  readonly #waiting: Job[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #memoryInUse = 0;
  #closed = false;

  constructor({ threads, queue, memoryBytes }: PoolOptions = {}) {
    this.#atOnce = threads ?? Math.max(1, availableParallelism() - 1);
    this.#queue = queue ?? DEFAULT_QUEUE;
    this.#memoryBytes = memoryBytes ?? VERIFY_MEMORY_BYTES;
  }

  /**
   * Verifies a password in its turn.
   *
   * @param memory what that takes, in bytes; a single one may take more than all together
   * @throws CoreFailure `busy` where too many wait already, `broken` for a bug; RunError as `verify`
   */
  run(verify: () => Promise<boolean>, memory: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(busy());
        return;
      }
      this.#waiting.push({ verify, memory, resolve, reject });
      this.#startWaiting();
      if (this.#waiting.length > this.#queue) {
        this.#waiting.pop();
        reject(busy());
      }
    });
  }

  /** Lets those under way end, and tells those that wait `busy`. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(busy());
    await Promise.all(this.#underWay);
  }

  #startWaiting(): void {
    for (;;) {
      const [job] = this.#waiting;
      if (job === undefined || !this.#hasRoom(job)) return;
      this.#waiting.shift();
      this.#memoryInUse += job.memory;
      const work = job.verify().then(job.resolve, (error) => job.reject(asTold(error)));
      const done = work.finally(() => {
        this.#memoryInUse -= job.memory;
        this.#underWay.delete(done);
        this.#startWaiting();
      });
      this.#underWay.add(done);
    }
  }

  #hasRoom({ memory }: Job): boolean {
    if (this.#underWay.size === 0) return true;
    const isInMemory = this.#memoryInUse + memory <= this.#memoryBytes;
    return isInMemory && this.#underWay.size < this.#atOnce;
  }
}

/** A bug's own text might repeat what was sent. */
function asTold(error: unknown): unknown {
  if (error instanceof RunError || error instanceof CoreFailure) return error;
  const message = "the verification of a password failed";
  return new CoreFailure("broken", message, { reached: "yes", status: 500 });
}

function busy(): CoreFailure {
  return new CoreFailure("busy", "too many sign-ins wait for their verification", {
    reached: "no",
    status: 503,
    retryAfterMs: RETRY_MS,
  });
}
