/** The gate that every call passes: bounded in flight and in rate, closed while the core asks to wait or doesn't answer. It makes no call and repeats none. */

import type { CallName } from "../events/events.js";
import type { Timing } from "./timing.js";
import { createAdaptiveLimit } from "./adaptive-limit.js";
import { fullJitter } from "./retry-table.js";
import { createLearnedRate } from "./learned-rate.js";
import { createTokenBucket } from "./token-bucket.js";

/** What the gate keeps to. */
export interface GateOptions {
  readonly timing: Timing;
  /** Aborted, it lets nobody wait any more. */
  readonly signal: AbortSignal;
  /** Most calls in flight, to be adapted to what the core takes; null for a core that is this process. */
  readonly most: number | null;
  /** The operator's calls a second; null for as many as there are. */
  readonly rate: number | null;
}

export interface Gate {
  /** Calls that are in. */
  readonly inFlight: number;
  /** How many may be in now; null where that isn't limited. */
  readonly limit: number | null;
  /**
   * Lets a call in: at once where nothing stands in the way, also after the signal was aborted, so
   * that what has been begun can be ended.
   *
   * @returns the time at which it begins
   * @throws the signal's reason where the call would have to wait and it is aborted
   */
  enter(): number | Promise<number>;
  /** A call that began at `began` was answered, whatever the answer. */
  answered(name: CallName, began: number): void;
  /** A call got no answer. */
  lost(began: number): void;
  /**
   * A call was refused for the core's load.
   *
   * @param waitMs how long the core asks to wait; 0 where it doesn't say
   * @returns as {@link close}
   */
  busy(began: number, waitMs: number): number;
  /**
   * Lets nobody in for so long.
   *
   * @returns by how much that begins or prolongs a wait for everybody, in milliseconds
   */
  close(waitMs: number): number;
  /** For how long nobody is let in, in milliseconds; 0 for a gate that is open. */
  closedFor(): number;
  /** A call that is in makes one more, which counts for the rate of those behind it. */
  charge(): void;
  /** Lets nobody in until it is called off. */
  hold(): () => void;
}

/** What failed later than that after the pace was lowered, failed at the lowered pace. */
const LONGEST_ROUND_MS = 1000;

export function createGate({ timing, signal, most, rate }: GateOptions): Gate {
  const limit = most === null ? null : createAdaptiveLimit(most);
  const learned = createLearnedRate();
  const bucket = createTokenBucket();
  const isPaced = limit !== null || rate !== null;
  let waiting: { readonly admit: (now: number) => void; readonly refuse: () => void }[] = [];
  let inFlight = 0;
  let closedUntil = Number.NEGATIVE_INFINITY;
  let holds = 0;
  let wakesAt = Number.POSITIVE_INFINITY;
  // Calls that began before this were sent at a pace that has been lowered since, and are so many still.
  let loweredAt = Number.NEGATIVE_INFINITY;
  let sentBefore = 0;
  let mostSince = 0;
  let busyInARow = 0;

  /** Milliseconds until a call may begin; endless where only another call's end can tell. */
  const delayAt = (now: number): number => {
    if (holds > 0) return Number.POSITIVE_INFINITY;
    if (now < closedUntil) return closedUntil - now;
    if (limit !== null && inFlight >= limit.current) return Number.POSITIVE_INFINITY;
    if (!isPaced) return 0;
    return bucket.delay(now, Math.min(rate ?? Number.POSITIVE_INFINITY, learned.at(now)));
  };

  const begin = (): void => {
    inFlight += 1;
    mostSince = Math.max(mostSince, inFlight);
    if (isPaced) bucket.take();
  };

  const letIn = (): void => {
    while (waiting.length > 0) {
      const now = timing.now();
      const delay = delayAt(now);
      if (delay > 0) {
        wakeIn(delay, now);
        return;
      }
      begin();
      waiting.shift()?.admit(now);
    }
  };

  const wakeIn = (delay: number, now: number): void => {
    if (now + delay >= wakesAt) return;
    const at = now + delay;
    wakesAt = at;
    void timing.sleep(delay, signal).then(() => {
      // An earlier moment may have come up since.
      if (wakesAt !== at) return;
      wakesAt = Number.POSITIVE_INFINITY;
      letIn();
    });
  };

  const leave = (began: number): void => {
    inFlight -= 1;
    if (began < loweredAt) sentBefore -= 1;
    if (waiting.length > 0) letIn();
  };

  const close = (now: number, waitMs: number): number => {
    const more = now + waitMs - Math.max(now, closedUntil);
    closedUntil = Math.max(closedUntil, now + waitMs);
    bucket.closeUntil(closedUntil);
    return Math.max(0, more);
  };

  const lowered = (at: number): void => {
    loweredAt = at;
    sentBefore = inFlight;
    mostSince = inFlight;
  };

  /** True for the first of those that were in flight together: then the limit is lowered. */
  const isNews = (began: number, now: number): boolean => {
    limit?.failed();
    if (began < loweredAt || (sentBefore > 0 && now - loweredAt < LONGEST_ROUND_MS)) return false;
    limit?.lower();
    return true;
  };

  signal.addEventListener(
    "abort",
    () => {
      const left = waiting;
      waiting = [];
      for (const { refuse } of left) refuse();
    },
    { once: true },
  );

  return {
    get inFlight() {
      return inFlight;
    },
    get limit() {
      return limit?.current ?? null;
    },
    enter() {
      const now = timing.now();
      if (waiting.length === 0 && delayAt(now) === 0) {
        begin();
        return now;
      }
      signal.throwIfAborted();
      return new Promise((admit, reject) => {
        waiting.push({ admit, refuse: () => reject(signal.reason) });
        letIn();
      });
    },
    answered(name, began) {
      busyInARow = 0;
      if (limit !== null) {
        const now = timing.now();
        learned.answered(now);
        const isFull = mostSince * 2 > limit.current;
        if (limit.answered(name, now - began, isFull, began >= loweredAt)) lowered(now);
      }
      leave(began);
    },
    lost(began) {
      const now = timing.now();
      if (isNews(began, now)) lowered(now);
      leave(began);
    },
    busy(began, waitMs) {
      const now = timing.now();
      let wait = waitMs;
      const news = isNews(began, now);
      if (news) {
        // One that stands alone is its own affair; while nobody gets through, everybody waits.
        if (wait === 0 && busyInARow > 0) wait = fullJitter(busyInARow, timing.random());
        busyInARow += 1;
        lowered(now + wait);
      }
      if (limit !== null) learned.refused(now, news, wait);
      const more = close(now, wait);
      leave(began);
      return more;
    },
    close: (waitMs) => close(timing.now(), waitMs),
    closedFor: () => Math.max(0, closedUntil - timing.now()),
    charge() {
      if (isPaced) bucket.take();
    },
    hold() {
      holds += 1;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        holds -= 1;
        letIn();
      };
    },
  };
}
