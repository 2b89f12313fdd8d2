/** The gate that every call passes: bounded in flight and in rate, closed while no call gets through. It makes no call and repeats none. */

import type { CallName } from "../events/events.js";
import { AdaptiveLimit } from "./adaptive-limit.js";
import { LearnedRate } from "./learned-rate.js";
import type { Timing } from "../events/timing.js";
import { TokenBucket } from "./token-bucket.js";

/** What the gate keeps to. */
export interface GateOptions {
  readonly timing: Timing;
  /** Aborted, it lets no call wait any more. */
  readonly signal: AbortSignal;
  /** Most calls in flight, to be adapted to what the core takes; null for a core that is this process. */
  readonly most: number | null;
  /** The operator's calls a second; null for as many as there are. */
  readonly rate: number | null;
}

/** A core that fails at so few calls at once fails at single calls, too. */
const FEW = 4;

interface Waiting {
  readonly admit: (now: number) => void;
  readonly refuse: () => void;
}

export class Gate {
  readonly #timing: Timing;
  readonly #signal: AbortSignal;
  readonly #rate: number | null;
  readonly #limit: AdaptiveLimit | null;
  readonly #learned = new LearnedRate();
  readonly #bucket = new TokenBucket();
  /** Calls that finish a user go before those that begin a new one, each in the order in which they came. */
  readonly #finishing: Waiting[] = [];
  readonly #beginning: Waiting[] = [];
  #inFlight = 0;
  #holds = 0;
  #slowed = 0;
  #wakesAt = Number.POSITIVE_INFINITY;
  // Calls that began before this were sent at a pace that has been lowered since.
  #loweredAt = Number.NEGATIVE_INFINITY;

  constructor({ timing, signal, most, rate }: GateOptions) {
    this.#timing = timing;
    this.#signal = signal;
    this.#rate = rate;
    this.#limit = most === null ? null : new AdaptiveLimit(most);
    signal.addEventListener("abort", () => this.#refuseWaiting(), { once: true });
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** How many may be in now; null where that isn't limited. */
  get limit(): number | null {
    return this.#limit?.current ?? null;
  }

  /**
   * Lets a call in: at once where nothing stands in the way, also after the signal was aborted, so
   * that what has been begun can be ended.
   *
   * @param isNext it goes before all that wait
   * @returns the time at which it begins
   * @throws the signal's reason where the call would have to wait and it is aborted
   */
  enter(name: CallName, isNext = false): number | Promise<number> {
    const now = this.#timing.now();
    const finishes = name !== "lookup";
    const isFirst = isNext || (finishes ? this.#finishing.length === 0 : !this.#hasWaiting);
    if (isFirst && this.#delayAt(now) === 0) {
      this.#begin();
      return now;
    }
    this.#signal.throwIfAborted();
    return new Promise((admit, reject) => {
      const turn = { admit, refuse: () => reject(this.#signal.reason) };
      if (isNext) this.#finishing.unshift(turn);
      else (finishes ? this.#finishing : this.#beginning).push(turn);
      this.#letIn();
    });
  }

  /**
   * Lets several calls in where nothing stands in the way of any and no pace is kept.
   *
   * @returns the time at which they begin; null where one would have to wait, and none is in
   */
  enterTogether(calls: number): number | null {
    const now = this.#timing.now();
    const isOpen = !this.#hasWaiting && this.#delayAt(now) === 0;
    if (this.#isPaced || !isOpen || this.#mostNow !== Number.POSITIVE_INFINITY) return null;
    this.#inFlight += calls;
    return now;
  }

  answered(name: CallName, began: number): void {
    const now = this.#timing.now();
    this.#learned.answered(now, began);
    if (this.#limit !== null) {
      const isFull = this.#inFlight * 2 > this.#limit.current;
      const isNew = began >= this.#loweredAt;
      if (this.#limit.answered(name, now - began, isFull, isNew)) this.#loweredAt = now;
    }
    this.#leave();
  }

  answeredTogether(calls: number): void {
    this.#inFlight -= calls;
    this.#letIn();
  }

  /** A call was refused for the core's load (429, 503), or failed at (500), which may be for the load. */
  turnedAway(began: number): void {
    this.#learned.refused(this.#timing.now(), began);
    this.#leave();
  }

  lost(began: number): void {
    this.#limit?.failed();
    // Those that were in flight together lower the limit once.
    if (began >= this.#loweredAt) {
      this.#limit?.lower();
      this.#loweredAt = this.#timing.now();
    }
    this.#leave();
  }

  /** A call that is in makes one more, which counts for the rate of those behind it. */
  charge(): void {
    if (this.#isPaced) this.#bucket.take();
  }

  get isIdle(): boolean {
    return this.#inFlight === 0 && !this.#hasWaiting;
  }

  /** Lets only a few calls in at once until it is called off. */
  slow(): () => void {
    this.#slowed += 1;
    return () => {
      this.#slowed -= 1;
      this.#letIn();
    };
  }

  /** No call gets through for the core's load: all wait for so long. */
  closed(waitMs: number): void {
    this.#learned.closed(this.#timing.now(), waitMs);
  }

  /** Lets no call in until `work` ends. */
  async holdFor(work: Promise<void>): Promise<void> {
    this.#holds += 1;
    await work.finally(() => {
      this.#holds -= 1;
      this.#letIn();
    });
  }

  get #hasWaiting(): boolean {
    return this.#finishing.length + this.#beginning.length > 0;
  }

  get #isPaced(): boolean {
    return this.#limit !== null || this.#rate !== null;
  }

  /** Milliseconds until a call may begin; endless where only another call's end can tell. */
  #delayAt(now: number): number {
    if (this.#holds > 0) return Number.POSITIVE_INFINITY;
    if (this.#inFlight >= this.#mostNow) return Number.POSITIVE_INFINITY;
    if (!this.#isPaced) return 0;
    const rate = Math.min(this.#rate ?? Number.POSITIVE_INFINITY, this.#learned.at(now));
    return this.#bucket.delay(now, rate);
  }

  get #mostNow(): number {
    const most = this.#limit?.current ?? Number.POSITIVE_INFINITY;
    return this.#slowed > 0 ? Math.min(FEW, most) : most;
  }

  #begin(): void {
    this.#inFlight += 1;
    this.charge();
  }

  #letIn(): void {
    while (this.#hasWaiting) {
      const now = this.#timing.now();
      const delay = this.#delayAt(now);
      if (delay > 0) {
        this.#wakeIn(delay, now);
        return;
      }
      this.#begin();
      (this.#finishing.shift() ?? this.#beginning.shift())?.admit(now);
    }
  }

  #wakeIn(delay: number, now: number): void {
    const at = now + delay;
    if (at >= this.#wakesAt) return;
    this.#wakesAt = at;
    void this.#timing.sleep(delay, this.#signal).then(() => {
      // An earlier moment may have come up since.
      if (this.#wakesAt !== at) return;
      this.#wakesAt = Number.POSITIVE_INFINITY;
      this.#letIn();
    });
  }

  #leave(): void {
    this.#inFlight -= 1;
    this.#letIn();
  }

  #refuseWaiting(): void {
    for (const waiting of [this.#finishing, this.#beginning]) {
      for (const { refuse } of waiting.splice(0)) refuse();
    }
  }
}
