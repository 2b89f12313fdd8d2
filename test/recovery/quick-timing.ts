/** A clock that runs many times as fast as the real one, so that waits keep their order and their proportions and tests don't last. */

import type { Timing } from "../../src/events/timing.js";
import { SYSTEM_TIMING } from "../../src/events/timing.js";

/** @param random as of {@link Timing} */
export function quickTiming(random: () => number, timesAsFast = 100): Timing {
  return {
    now: () => SYSTEM_TIMING.now() * timesAsFast,
    random,
    sleep: (ms, signal) => SYSTEM_TIMING.sleep(ms / timesAsFast, signal),
  };
}
