/** Outages: when no call gets through, all calls wait and the core is probed. The run ends where that takes too long. */

import { CoreFailure } from "../core/core-failure.js";
import { outage, runErrorFrom, waitTooLong } from "./core-errors.js";
import type { PauseEvent } from "../events/events.js";
import type { Timing } from "./timing.js";
import type { Gate } from "./gate.js";

/** So many calls in a row that got no answer: the core is away. */
const LOST_IN_A_ROW = 10;
/** Between two questions whether it is back, growing from the first to the last. */
const FIRST_WAIT_MS = 1000;
const MOST_WAIT_MS = 30_000;

/** What the watch needs. */
interface OutageOptions {
  readonly timing: Timing;
  readonly signal: AbortSignal;
  readonly gate: Gate;
  /** For how long a run goes on without any call being answered, in milliseconds. */
  readonly budgetMs: number;
  /** Asks the core whether it is there. */
  readonly probe: () => Promise<void>;
  readonly onPause: (event: PauseEvent) => void;
}

interface OutageWatch {
  /** Outages so far that a probe has confirmed: it wasn't answered, or by a core that is busy. */
  readonly confirmed: number;
  /** A call was answered. */
  answered(): void;
  /**
   * A call got no answer. Where that is one of many, waits until the core is back.
   *
   * @throws RunError `outage` when the budget is spent, or what a probe says that nobody can wait for
   */
  lost(failure: CoreFailure): Promise<void>;
  /** Waits until the core is back, were it only away from this call. Throws as {@link lost}. */
  waitForCore(failure: CoreFailure): Promise<void>;
  /** A call was refused for the core's load. Throws as {@link requireTime}. */
  busy(failure: CoreFailure): void;
  /**
   * No call is made for as long as the core asks.
   *
   * @throws RunError `outage` when the budget is spent, or would be at the end of that wait
   */
  requireTime(failure: CoreFailure): void;
}

export function watchOutages(options: OutageOptions): OutageWatch {
  const { timing, signal, gate, budgetMs, probe, onPause } = options;
  let inARow = 0;
  let confirmed = 0;
  // When the first of all calls since the last answer failed.
  let since: number | null = null;
  let waiting: Promise<void> | null = null;

  const left = (): number => {
    const now = timing.now();
    since ??= now;
    return since + budgetMs - now;
  };

  const requireTime = (failure: CoreFailure): void => {
    const remaining = left();
    if (remaining <= 0) throw outage(failure, budgetMs);
    const { retryAfterMs = 0 } = failure;
    if (retryAfterMs > remaining) throw waitTooLong(failure, retryAfterMs, budgetMs);
  };

  /** What a question is answered with holds for calls as well. */
  const keepTo = (failure: CoreFailure): void => {
    requireTime(failure);
    const waitMs = Math.ceil(gate.close(failure.retryAfterMs ?? 0));
    if (failure.kind !== "busy" || waitMs === 0) return;
    onPause({ type: "pause", reason: "retry_after", waitMs, message: failure.message });
  };

  const askUntilBack = async (first: CoreFailure): Promise<void> => {
    const release = gate.hold();
    try {
      let failure = first;
      for (let asked = 0; ; asked += 1) {
        const remaining = left();
        if (remaining <= 0) throw outage(failure, budgetMs);
        // Nor is it asked while it wants to be left alone.
        const waitMs = Math.max(
          Math.min(remaining, growing(asked, timing.random())),
          gate.closedFor(),
        );
        onPause({
          type: "pause",
          reason: "outage",
          waitMs: Math.ceil(waitMs),
          message: failure.message,
        });
        await timing.sleep(waitMs, signal);
        signal.throwIfAborted();
        const answer = await failureOf(probe);
        if (answer === null) break;
        keepTo(answer);
        if (asked === 0) confirmed += 1;
        if (answer.kind === "busy") break;
        failure = answer;
      }
      inARow = 0;
    } finally {
      release();
    }
  };

  const waitForCore = (failure: CoreFailure): Promise<void> => {
    waiting ??= askUntilBack(failure).finally(() => {
      waiting = null;
    });
    return waiting;
  };

  return {
    get confirmed() {
      return confirmed;
    },
    answered() {
      inARow = 0;
      since = null;
    },
    async lost(failure) {
      inARow += 1;
      since ??= timing.now();
      if (inARow >= LOST_IN_A_ROW) await waitForCore(failure);
    },
    waitForCore,
    busy(failure) {
      inARow = 0;
      requireTime(failure);
    },
    requireTime,
  };
}

/** From half of a ceiling up to the whole, so that it does grow. */
function growing(asked: number, random: number): number {
  return Math.min(MOST_WAIT_MS, FIRST_WAIT_MS * 2 ** asked) * (0.5 + random / 2);
}

/**
 * @returns why the core isn't back, or null where it is; a busy one is, too
 * @throws RunError where it is back and its answer ends the run
 */
async function failureOf(probe: () => Promise<void>): Promise<CoreFailure | null> {
  try {
    await probe();
    return null;
  } catch (error) {
    if (!(error instanceof CoreFailure)) throw error;
    // While a core comes up, something else may answer in its place.
    const passes = error.kind === "incompatible" || error.kind === "not_offered";
    const fatal = passes ? null : runErrorFrom(error, "import");
    if (fatal !== null) throw fatal;
    return error;
  }
}
