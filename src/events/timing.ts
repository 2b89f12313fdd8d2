/** Clock, randomness and waiting, injected so that tests need neither luck nor patience. */

import { setTimeout } from "node:timers/promises";

/** Where a run takes time and chance from. */
export interface Timing {
  /** Monotonic milliseconds. */
  now(): number;
  /** From 0 to below 1. */
  random(): number;
  /** Resolves after `ms`, or at once when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The longest time that a Node.js timer can have; a longer one is set to a millisecond. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The real ones. A wait of more than 24 days ends after that, and a caller who waits for a time of the clock waits again. */
export const SYSTEM_TIMING: Timing = {
  now: () => performance.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    // An abort alone rejects, and ends the wait.
    setTimeout(Math.min(ms, LONGEST_TIMER_MS), undefined, { signal }).catch(() => {}),
};

/** A clock of work alone: it stands still while the run waits for a person. */
export function workTiming(timing: Timing) {
  let away = 0;
  let stoodStill: number | null = null;
  return {
    random: () => timing.random(),
    sleep: (ms: number, signal?: AbortSignal) => timing.sleep(ms, signal),
    now: () => stoodStill ?? timing.now() - away,
    /** Does what is no work of the run's, as asking a question is. */
    async away<T>(work: () => Promise<T>): Promise<T> {
      const left = timing.now();
      stoodStill = left - away;
      try {
        return await work();
      } finally {
        away += timing.now() - left;
        stoodStill = null;
      }
    },
  };
}
