/** Outages: when no call gets through, all calls wait and the core is probed. The run ends where that takes too long. */

import { CoreFailure } from "../core/core-failure.js";
import type { PauseEvent } from "../events/events.js";
import { outage, runErrorFrom, waitTooLong } from "./core-errors.js";
import type { Gate } from "./gate.js";
import type { Timing } from "../events/timing.js";

/** So many calls in a row that got no answer: the core is away. */
const LOST_IN_A_ROW = 10;
/** How long a run goes on without an answer to any call. */
export const OUTAGE_BUDGET_MS = 600_000;
/** Between two questions whether it is back, growing from the first to the last. */
const FIRST_WAIT_MS = 1000;
const MOST_WAIT_MS = 30_000;

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

  /** Outages so far that a probe has confirmed: it wasn't answered, or by a core that is busy. */
  get confirmed(): number {
    return this.#confirmed;
  }

  answered(): void {
    this.#inARow = 0;
    this.#since = null;
  }

  /**
   * A call got no answer. Where that is one of many, waits until the core is back.
   *
   * @throws RunError `outage` when the budget is spent, or what a probe says that no wait can mend
   */
  async lost(failure: CoreFailure): Promise<void> {
    this.#inARow += 1;
    this.#since ??= this.#options.timing.now();
    if (this.#inARow >= LOST_IN_A_ROW) await this.waitForCore(failure);
  }

  /** Waits until the core is back, were it only away from this call. Throws as {@link lost}. */
  waitForCore(failure: CoreFailure): Promise<void> {
    const { gate } = this.#options;
    this.#waiting ??= gate.holdFor(this.#askUntilBack(failure)).finally(() => {
      this.#waiting = null;
    });
    return this.#waiting;
  }

  /** A call was refused for the core's load. Throws as {@link requireTime}. */
  busy(failure: CoreFailure): void {
    this.#inARow = 0;
    this.requireTime(failure);
  }

  /**
   * No call is made for as long as the core asks.
   *
   * @throws RunError `outage` when the budget is spent, or would be at the end of that wait
   */
  requireTime(failure: CoreFailure): void {
    const remaining = this.#requireBudget(failure);
    const { retryAfterMs = 0 } = failure;
    if (retryAfterMs > remaining) throw waitTooLong(failure, retryAfterMs, OUTAGE_BUDGET_MS);
  }

  async #askUntilBack(first: CoreFailure): Promise<void> {
    const { timing, signal, gate, probe, onPause } = this.#options;
    let failure = first;
    for (let asked = 0; ; asked += 1) {
      const remaining = this.#requireBudget(failure);
      const { message } = failure;
      const growing = Math.min(remaining, growingWait(asked, timing.random()));
      // Nor is it asked while it wants to be left alone.
      const waitMs = Math.max(growing, gate.closedFor(), failure.retryAfterMs ?? 0);
      onPause({ type: "pause", reason: "outage", waitMs: Math.ceil(waitMs), message });
      await timing.sleep(waitMs, signal);
      signal.throwIfAborted();
      const answer = await failureOf(probe);
      if (answer === null) break;
      this.#keepTo(answer);
      if (asked === 0) this.#confirmed += 1;
      if (answer.kind === "busy") break;
      failure = answer;
    }
    this.#inARow = 0;
  }

  /** What a question is answered with holds for calls as well. */
  #keepTo(failure: CoreFailure): void {
    this.requireTime(failure);
    const { kind, message, retryAfterMs = 0 } = failure;
    const waitMs = Math.ceil(this.#options.gate.close(retryAfterMs));
    if (kind !== "busy" || waitMs === 0) return;
    this.#options.onPause({ type: "pause", reason: "retry_after", waitMs, message });
  }

  /** What is left of the budget, in milliseconds. @throws RunError `outage` where nothing is */
  #requireBudget(failure: CoreFailure): number {
    const now = this.#options.timing.now();
    this.#since ??= now;
    const left = this.#since + OUTAGE_BUDGET_MS - now;
    if (left <= 0) throw outage(failure, OUTAGE_BUDGET_MS);
    return left;
  }
}

/** From half of a ceiling up to the whole, so that it does grow. */
function growingWait(asked: number, random: number): number {
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
