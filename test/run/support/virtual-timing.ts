/** A clock that only waiting moves: tests of waits take no time. */

import type { Timing } from "../../../src/events/timing.js";

export interface VirtualTiming extends Timing {
  /** Every wait that was asked for, in milliseconds, in order. */
  readonly waits: readonly number[];
}

/** @param random what `random()` answers; just below 1 by default, the longest wait there is */
export function virtualTiming(random = 0.999999): VirtualTiming {
  const waits: number[] = [];
  let now = 0;
  return {
    waits,
    now: () => now,
    random: () => random,
    async sleep(ms) {
      waits.push(ms);
      now += ms;
    },
  };
}
