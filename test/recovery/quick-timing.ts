/** A clock that runs a hundred times as fast as the real one, so that waits keep their order and their proportions and tests don't last. */

import type { Timing } from "../../src/calls/timing.js";
import { SYSTEM_TIMING } from "../../src/calls/timing.js";

const TIMES_AS_FAST = 100;

/** @param random as of {@link Timing} */
export function quickTiming(random: () => number): Timing {
  return {
    now: () => SYSTEM_TIMING.now() * TIMES_AS_FAST,
    random,
    sleep: (ms, signal) => SYSTEM_TIMING.sleep(ms / TIMES_AS_FAST, signal),
  };
}
