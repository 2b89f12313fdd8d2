/** Clock, randomness and waiting, injected so that tests need neither luck nor patience. */

export interface Timing {
  /** Monotonic milliseconds. */
  now(): number;
  /** From 0 to below 1. */
  random(): number;
  /** Resolves after `ms`, or at once when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The real ones. */
export const SYSTEM_TIMING: Timing = {
  now: () => performance.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener("abort", done, { once: true });
    }),
};
