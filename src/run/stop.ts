/** The end of a run before its end: by the operator or an error. What is in flight then ends; nothing new begins. */

import { setMaxListeners } from "node:events";

export interface Stop {
  /** Aborted by whatever came first. */
  readonly signal: AbortSignal;
  /** Ends the run with an error; the first one counts. That of a stop itself is none. */
  fail(error: unknown): void;
  /** True for the error of a wait that the stop ended: all that was done is known. */
  isCauseOf(error: unknown): boolean;
  /** @throws the error that ended the run, if one did */
  throwIfFailed(): void;
}

/** @param given aborted by the operator: progress is saved, and the same command goes on */
export function createStop(given: AbortSignal | undefined): Stop {
  const own = new AbortController();
  const signal = given === undefined ? own.signal : AbortSignal.any([own.signal, given]);
  // Every user in flight may be waiting for it; Node.js takes more than ten for a leak and says so.
  setMaxListeners(0, signal);
  let fatal: { readonly error: unknown } | undefined;

  const isCauseOf = (error: unknown): boolean => signal.aborted && error === signal.reason;
  return {
    signal,
    fail(error) {
      if (isCauseOf(error)) return;
      fatal ??= { error };
      own.abort();
    },
    isCauseOf,
    throwIfFailed() {
      if (fatal !== undefined) throw fatal.error;
    },
  };
}
