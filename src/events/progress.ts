/** Progress events, at most one a second. */

import type { ProgressEvent } from "./events.js";
import type { Tally } from "./tally.js";
import type { Timing } from "./timing.js";

const INTERVAL_MS = 1000;

/** How many calls are at the core, and may be. */
export interface Traffic {
  readonly inFlight: number;
  /** Null where calls aren't limited by themselves. */
  readonly limit: number | null;
}

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
    /** The users in flight; null where none is. */
    readonly pace: { readonly inFlight: number } | null;
    /** Users who are in the core's queue; absent where none can be. */
    readonly queue?: (() => Pick<ProgressEvent, "queued" | "queuedBefore" | "written">) | undefined;
    readonly traffic?: Traffic | undefined;
    readonly timing: Timing;
    /** When the run began, by `timing`. */
    readonly start: number;
    readonly totalBytes?: number | null;
    /** Rows in all, where they are known. */
    readonly total?: number | null | undefined;
  },
): Progress {
  const { tally, pace, traffic, timing, start } = sources;
  let last = timing.now();
  let bytes = 0;
  // Of rows that are read the outcomes come a little later.
  let done = tally.ahead();
  return {
    readBytes(more) {
      bytes += more;
    },
    tick() {
      const now = timing.now();
      if (now - last < INTERVAL_MS) return;
      last = now;
      done = Math.max(done, tally.done() + tally.ahead());
      report({
        type: "progress",
        phase: sources.phase,
        read: tally.readSoFar(),
        done,
        ...(sources.queue?.() ?? { queued: 0, queuedBefore: 0, written: 0 }),
        rejected: tally.outcomes.rejected,
        failed: tally.outcomes.failed,
        retries: tally.retries,
        pauses: tally.pauses,
        pausedMs: tally.pausedMs,
        mapped: tally.mapped,
        inFlight: pace?.inFlight ?? 0,
        callsInFlight: traffic?.inFlight ?? 0,
        callLimit: traffic?.limit ?? null,
        total: sources.total ?? null,
        bytes,
        totalBytes: sources.totalBytes ?? null,
        elapsedMs: Math.round(now - start),
      });
    },
  };
}
