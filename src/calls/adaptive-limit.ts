/** How many calls may be in flight: up slowly while the core keeps up, down at once where it doesn't. Pure: it is told what happened. */

import type { CallName } from "../events/events.js";

/** The first limit is harmless. As in TCP, it doubles with every round until the first trouble. */
const FIRST = 4;
/** The share of failed calls is an average over about so many. */
const MEMORY = 16;
/** The limit grows by two calls with every full round, or by a tenth. */
const LEAST_GROWTH = 2;
const GROWTH = 0.1;
/** Latency is judged by the mean of at least so many calls. */
const LEAST_SAMPLES = 8;
/** Answers may take so many times what they took at the core's best: a shared commit doubles it. */
const TOLERANCE = 3;
/** Below that no core is near its limits, whatever it took at its best. */
const FLOOR_MS = 25;

/** One answer counts as slower than tolerated by this factor at most: a single slow one says nothing of the load. */
const MOST_FACTOR = 4;

interface Latency {
  sum: number;
  count: number;
  /** The lowest mean of a round. */
  best: number;
}

/**
 * Additive increase, multiplicative decrease. A decrease is in proportion to the share of calls that
 * fail, as in DCTCP (RFC 8257 section 3.3). An overloaded core halves the limit at every round. A core
 * that loses a call now and then, at any load, only trims it: of one in fifty lost, halving took 3.8
 * times as long. Latency that grows with the load lowers the limit before anything fails, as in
 * Netflix's gradient limits ("Performance Under Load", 2018).
 */
export class AdaptiveLimit {
  readonly #most: number;
  #limit: number;
  #slowStart = true;
  /** Whether the last round was quick enough for the limit to grow. */
  #isCalm = true;
  /** The share of calls that fail. It begins at the worst, as in DCTCP: the first trouble halves the limit. */
  #failing = 1;
  readonly #latencies = new Map<CallName, Latency>();
  /** Answers of this round, out of so many. */
  #samples = 0;
  #round = LEAST_SAMPLES;
  /** The sum of their latencies, each as a share of what is tolerated. */
  #pressure = 0;

  /** @param most what the operator allows */
  constructor(most: number) {
    this.#most = most;
    this.#limit = Math.min(FIRST, most);
  }

  /** Most calls in flight now; whole, from 1 to what the operator allows. */
  get current(): number {
    return Math.floor(this.#limit);
  }

  /**
   * A call was answered.
   *
   * @param latencyMs from its start to its answer
   * @param isFull whether the limit was used up: only then may it grow
   * @param isNew whether the call began after the limit was last lowered: only then its latency counts
   * @returns whether that lowered the limit: calls in flight aren't new any more
   */
  answered(name: CallName, latencyMs: number, isFull: boolean, isNew: boolean): boolean {
    this.#failing -= this.#failing / MEMORY;
    if (isFull && this.#isCalm) {
      const step = this.#slowStart ? 1 : Math.max(LEAST_GROWTH / this.#limit, GROWTH);
      this.#limit = Math.min(this.#most, this.#limit + step);
    }
    if (!isNew) return false;
    const latency = this.#latencyOf(name);
    latency.sum += latencyMs;
    latency.count += 1;
    this.#samples += 1;
    // The first round has no best yet: its answers are compared with themselves.
    const best = latency.best === Number.POSITIVE_INFINITY ? latencyMs : latency.best;
    this.#pressure += Math.min(MOST_FACTOR, latencyMs / Math.max(FLOOR_MS, TOLERANCE * best));
    return this.#samples >= this.#round && this.#judge();
  }

  failed(): void {
    this.#failing += (1 - this.#failing) / MEMORY;
  }

  /** Lowers the limit for calls that failed; once for all that were in flight together. */
  lower(): void {
    this.#lowerBy(1 - this.#failing / 2);
  }

  /** A round of calls is over: is the core still as quick as it can be? */
  #judge(): boolean {
    const mean = this.#pressure / this.#samples;
    for (const latency of this.#latencies.values()) {
      if (latency.count === 0) continue;
      const now = latency.sum / latency.count;
      // A single call waits for no other, so its latency is the core's best by now.
      latency.best = this.#limit < 2 && mean > 1 ? now : Math.min(latency.best, now);
    }
    this.#isCalm = mean <= 1;
    if (mean > 1) this.#lowerBy(Math.max(0.5, 1 / mean));
    else this.#beginRound();
    return mean > 1;
  }

  #lowerBy(factor: number): void {
    this.#limit = Math.max(1, this.#limit * factor);
    this.#slowStart = false;
    this.#beginRound();
  }

  #beginRound(): void {
    this.#samples = 0;
    this.#pressure = 0;
    this.#round = Math.max(LEAST_SAMPLES, this.#limit);
    for (const latency of this.#latencies.values()) latency.sum = latency.count = 0;
  }

  #latencyOf(name: CallName): Latency {
    const known = this.#latencies.get(name);
    if (known !== undefined) return known;
    const latency = { sum: 0, count: 0, best: Number.POSITIVE_INFINITY };
    this.#latencies.set(name, latency);
    return latency;
  }
}
