/** Progress events, at most one a second. */

import type { ProgressEvent } from "./events.js";
import type { Pace } from "./pace.js";
import type { Tally } from "./tally.js";
import type { Timing } from "./timing.js";

const INTERVAL_MS = 1000;

/** Counts bytes and reports when a second has gone by. */
export interface Progress {
  readBytes(bytes: number): void;
  /** Cheap enough to be called for every user. */
  tick(): void;
}

export function createProgress(
  report: (event: ProgressEvent) => void,
  sources: {
    readonly phase: ProgressEvent["phase"];
    readonly tally: Tally;
    readonly pace: Pace | null;
    readonly timing: Timing;
    /** When the run began, by `timing`. */
    readonly start: number;
    readonly totalBytes: number | null;
  },
): Progress {
  const { phase, tally, pace, timing, start, totalBytes } = sources;
  let last = timing.now();
  let bytes = 0;
  return {
    readBytes(more) {
      bytes += more;
    },
    tick() {
      const now = timing.now();
      if (now - last < INTERVAL_MS) return;
      last = now;
      report({
        type: "progress",
        phase,
        read: tally.readSoFar(),
        done: tally.done(),
        rejected: tally.outcomes.rejected,
        failed: tally.outcomes.failed,
        retries: tally.retries,
        pauses: tally.pauses,
        pausedMs: tally.pausedMs,
        mapped: tally.mapped,
        inFlight: pace?.inFlight ?? 0,
        bytes,
        totalBytes,
        elapsedMs: Math.round(now - start),
      });
    },
  };
}
