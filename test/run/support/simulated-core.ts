/** Cores as a caller meets them, on virtual time: how long they take, what they refuse, when they are away. They stand for outside services and keep no users. */

import type { CoreFailure } from "../../../src/core/core-failure.js";
import type { Timing } from "../../../src/events/timing.js";
import { failure, notReached } from "./scripted-core.js";

/** What a core makes of a call that arrives at `now`, with so many there: a failure, or null for an answer. */
export type Admission = (now: number, inFlight: number) => CoreFailure | null;

/** How long an answer takes, in milliseconds, with so many calls at the core. */
export type Latency = (inFlight: number) => number;

export interface SimulatedCore {
  /** One call. */
  attempt(): Promise<void>;
  /** When calls arrived, and whether they were answered. */
  readonly log: readonly { readonly at: number; readonly failed: boolean }[];
  /** Most calls that were there at once. */
  readonly mostInFlight: number;
}

export function simulatedCore(
  time: Timing,
  latency: Latency,
  admission: Admission = () => null,
): SimulatedCore {
  const log: { at: number; failed: boolean }[] = [];
  let inFlight = 0;
  let mostInFlight = 0;
  return {
    log,
    get mostInFlight() {
      return mostInFlight;
    },
    async attempt() {
      const at = time.now();
      inFlight += 1;
      const failed = admission(at, inFlight);
      log.push({ at, failed: failed !== null });
      mostInFlight = Math.max(mostInFlight, inFlight);
      // A refusal costs the way there and back.
      await time.sleep(failed === null ? latency(inFlight) : latency(1) / 2);
      inFlight -= 1;
      if (failed !== null) throw failed;
    },
  };
}

/** Answers 429 to what comes above so many calls a second. */
export const LIMITERS = {
  /** So many in each second of the clock. */
  fixedWindow(perSecond: number, retryAfterMs?: number): Admission {
    let second = 0;
    let taken = 0;
    return (now) => {
      if (Math.floor(now / 1000) !== second) taken = 0;
      second = Math.floor(now / 1000);
      taken += 1;
      return taken > perSecond ? tooMany(retryAfterMs) : null;
    };
  },
  /** So many in any second. */
  slidingWindow(perSecond: number, retryAfterMs?: number): Admission {
    const taken: number[] = [];
    return (now) => {
      while ((taken[0] ?? now) <= now - 1000) taken.shift();
      if (taken.length >= perSecond) return tooMany(retryAfterMs);
      taken.push(now);
      return null;
    };
  },
  /** A token bucket with room for `burst`. */
  bucket(perSecond: number, burst: number, retryAfterMs?: number): Admission {
    let tokens = burst;
    let filledAt = 0;
    return (now) => {
      tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * perSecond);
      filledAt = now;
      if (tokens < 1) return tooMany(retryAfterMs);
      tokens -= 1;
      return null;
    };
  },
} as const;

function tooMany(retryAfterMs: number | undefined): CoreFailure {
  return failure("busy", retryAfterMs === undefined ? {} : { retryAfterMs });
}

/** Away between two moments. */
export function awayBetween(from: number, until: number, how = notReached): Admission {
  return (now) => (now >= from && now < until ? how() : null);
}
