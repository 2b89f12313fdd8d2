/** The end of a run before its end: by the operator, a limit of theirs, or an error. What is in flight then ends; nothing new begins. */

import { setMaxListeners } from "node:events";
import type { StopReason } from "../events/events.js";
import type { Timing } from "../calls/timing.js";

export interface Stop {
  /** Aborted by whatever came first. */
  readonly signal: AbortSignal;
  /** Why the run was stopped softly; null where it wasn't. */
  readonly reason: StopReason | null;
  /** Ends the run with an error; the first one counts. That of a stop itself is none. */
  fail(error: unknown): void;
  /** Ends the run without one: progress is saved, and the same command goes on. */
  softly(reason: StopReason): void;
  /** True for the error of a wait that the stop ended: nothing was done that isn't known. */
  isCauseOf(error: unknown): boolean;
  /** @throws the error that ended the run, if one did */
  throwIfFailed(): void;
  /** The run has ended by itself. */
  dispose(): void;
}

/** What may end a run early beside an error. */
interface StopOptions {
  /** Aborted by the operator. */
  readonly given: AbortSignal | undefined;
  readonly timing: Timing;
  /** Stops the run softly after so long, in milliseconds. */
  readonly maxDurationMs: number | undefined;
}

export function createStop({ given, timing, maxDurationMs }: StopOptions): Stop {
  const own = new AbortController();
  const over = new AbortController();
  const signal = given === undefined ? own.signal : AbortSignal.any([own.signal, given]);
  // Every user in flight may be waiting for it; Node.js takes more than ten for a leak and says so.
  setMaxListeners(0, signal);
  let fatal: { readonly error: unknown } | undefined;
  let soft: StopReason | null = null;

  const isCauseOf = (error: unknown): boolean => signal.aborted && error === signal.reason;
  const softly = (reason: StopReason): void => {
    if (signal.aborted) return;
    soft = reason;
    own.abort();
  };
  if (maxDurationMs !== undefined) {
    void timing.sleep(maxDurationMs, over.signal).then(() => {
      if (!over.signal.aborted) softly("max_duration");
    });
  }
  return {
    signal,
    get reason() {
      return soft ?? (given?.aborted === true ? "signal" : null);
    },
    fail(error) {
      if (isCauseOf(error)) return;
      fatal ??= { error };
      own.abort();
    },
    softly,
    isCauseOf,
    throwIfFailed() {
      if (fatal !== undefined) throw fatal.error;
    },
    dispose: () => over.abort(),
  };
}
