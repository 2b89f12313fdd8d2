/** Virtual time: a clock that jumps from one wait to the next, so that an hour of waiting takes no time, and chance is seeded. Only what waits by this clock takes any. */

import type { Timing } from "../../../src/events/timing.js";
import { randomFrom } from "../../support/random.js";

export interface VirtualTime extends Timing {
  /** Lets time pass until `work` has ended. */
  run<T>(work: Promise<T>): Promise<T>;
}

interface Wait {
  readonly at: number;
  readonly order: number;
  readonly wake: () => void;
}

/** Turns of the event loop without anything to wait for, after which nothing will happen any more. */
const IDLE_TURNS = 10_000;
/** So long at least, by the real clock: a busy machine's disk may take more turns than that. */
const IDLE_MS = 50_000;

/** @param turns of the event loop between two waits; as many as what takes no time by the clock needs to end */
export function virtualTime(seed = 1, turns = 1): VirtualTime {
  const waits = newHeap();
  const chance = randomFrom(seed);
  let now = 0;
  let order = 0;
  return {
    now: () => now,
    random: () => chance.below(2 ** 32) / 2 ** 32,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        const wake = (): void => {
          signal?.removeEventListener("abort", wake);
          resolve();
        };
        signal?.addEventListener("abort", wake, { once: true });
        waits.add({ at: now + Math.max(0, ms), order: order++, wake });
      }),
    async run(work) {
      let ended = false;
      const end = (): void => {
        ended = true;
      };
      work.then(end, end);
      let busyAt = performance.now();
      for (let idle = 0; idle < IDLE_TURNS || performance.now() - busyAt < IDLE_MS; idle += 1) {
        // Whatever follows from the last wait happens first.
        for (let turn = 0; turn < turns; turn += 1) {
          await new Promise((resolve) => setImmediate(resolve));
          if (ended) return work;
        }
        const next = waits.takeFirst();
        if (next === undefined) continue;
        idle = 0;
        busyAt = performance.now();
        now = Math.max(now, next.at);
        next.wake();
      }
      throw new Error(`at ${now} ms everybody waits for something that never comes`);
    },
  };
}

/** Waits by the time at which they end; those of one time in the order in which they began. */
function newHeap(): { add(wait: Wait): void; takeFirst(): Wait | undefined } {
  const heap: Wait[] = [];
  const isBefore = (a: Wait | undefined, b: Wait | undefined): boolean =>
    a !== undefined && b !== undefined && (a.at < b.at || (a.at === b.at && a.order < b.order));
  const swap = (a: number, b: number): void => {
    const [one, other] = [heap[a], heap[b]];
    if (one !== undefined && other !== undefined) [heap[a], heap[b]] = [other, one];
  };
  return {
    add(wait) {
      heap.push(wait);
      for (let at = heap.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1;
        if (!isBefore(heap[at], heap[parent])) return;
        swap(at, parent);
        at = parent;
      }
    },
    takeFirst() {
      swap(0, heap.length - 1);
      const first = heap.pop();
      for (let at = 0; ; ) {
        const [left, right] = [2 * at + 1, 2 * at + 2];
        const child = isBefore(heap[right], heap[left]) ? right : left;
        if (!isBefore(heap[child], heap[at])) return first;
        swap(at, child);
        at = child;
      }
    },
  };
}
