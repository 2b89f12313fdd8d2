/** Outages: when no call gets through, all calls wait and the core is probed. The run ends where that takes too long. */

import { CoreFailure } from "../core/core-failure.js";
import type { PauseEvent } from "../events/events.js";
import { outage, runErrorFrom, waitTooLong } from "./core-errors.js";
import type { Gate } from "./gate.js";
import { askedToWait, fullJitter } from "./retry-table.js";
import type { Timing } from "../events/timing.js";

/** So many calls in a row that didn't get through, the last one without an answer: the core is away. */
const LOST_IN_A_ROW = 10;
/** The same where the last one was refused: by chance that never happens, even where every other call is refused. */
const REFUSED_IN_A_ROW = 20;
/** How long a run goes on without an answer to any call. */
export const OUTAGE_BUDGET_MS = 600_000;

interface OutageOptions {
  readonly timing: Timing;
  readonly signal: AbortSignal;
  readonly gate: Gate;
  readonly probe: () => Promise<void>;
  readonly onPause: (event: PauseEvent) => void;
}

export class OutageWatch {
  readonly #options: OutageOptions;
  #inARow = 0;
  #confirmed = 0;
  // When the first of all calls since the last answer failed.
  #since: number | null = null;
  #waiting: Promise<void> | null = null;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** Outages so far that a probe has confirmed: it didn't get through either. */
  get confirmed(): number {
    return this.#confirmed;
  }

  answered(): void {
    this.#inARow = 0;
    this.#since = null;
  }

  /**
   * A call got no answer, or was refused for the core's load. Where that is one of many, waits until
   * calls get through again.
   *
   * @param began when the call was let go
   * @returns whether it waited
   * @throws RunError as {@link requireTime}, or what a probe says that no wait can mend
   */
  async notThrough(failure: CoreFailure, began: number): Promise<boolean> {
    const isBusy = failure.kind === "busy";
    this.requireTime(failure);
    // Those that began before the first may be refused sooner than others are answered.
    if (isBusy && began < (this.#since ?? began)) return false;
    this.#inARow += 1;
    if (this.#inARow < (isBusy ? REFUSED_IN_A_ROW : LOST_IN_A_ROW)) return false;
    await this.waitForCore(failure);
    return true;
  }

  /** Waits until the core is back, were it only away from this call. Throws as {@link notThrough}. */
  waitForCore(failure: CoreFailure): Promise<void> {
    const { gate } = this.#options;
    this.#waiting ??= gate.holdFor(this.#askUntilBack(failure)).finally(() => {
      this.#waiting = null;
    });
    return this.#waiting;
  }

  /**
   * What is left of the budget, in milliseconds.
   *
   * @throws RunError `outage` when the budget is spent, or would be at the end of that wait
   */
  requireTime(failure: CoreFailure): number {
    const now = this.#options.timing.now();
    this.#since ??= now;
    const left = this.#since + OUTAGE_BUDGET_MS - now;
    if (left <= 0) throw outage(failure, OUTAGE_BUDGET_MS);
    const asked = askedToWait(failure);
    if (asked > left) throw waitTooLong(failure, asked, OUTAGE_BUDGET_MS);
    return left;
  }

  async #askUntilBack(first: CoreFailure): Promise<void> {
    const { timing, signal, gate, probe, onPause } = this.#options;
    let failure: CoreFailure | null = first;
    for (let asked = 0; failure !== null; asked += 1) {
      const left = this.requireTime(failure);
      // From half of the ceiling up to the whole, so that it does grow.
      const growing = Math.min(left, fullJitter(asked + 2, 0.5 + timing.random() / 2));
      // Nor is it asked while it wants to be left alone.
      const waitMs = Math.max(growing, askedToWait(failure));
      onPause(pauseFor(failure, waitMs));
      if (failure.kind === "busy" && asked === 0) gate.closed(waitMs);
      await timing.sleep(waitMs, signal);
      signal.throwIfAborted();
      failure = await failureOf(probe);
      if (failure !== null && asked === 0) this.#confirmed += 1;
    }
    this.#inARow = 0;
  }
}

/** What is told of a wait for what a call failed with. */
export function pauseFor(failure: CoreFailure, waitMs: number): PauseEvent {
  const why = failure.kind === "busy" ? "busy" : "outage";
  const reason = askedToWait(failure) > 0 ? "retry_after" : why;
  return { type: "pause", reason, waitMs: Math.ceil(waitMs), message: failure.message };
}

/**
 * @returns why no call gets through yet, or null where one does
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
