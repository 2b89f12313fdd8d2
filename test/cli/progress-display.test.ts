import { describe, expect, it } from "vitest";
import { ProgressLog } from "../../src/cli/progress-display.js";
import type { PauseEvent, ProgressEvent } from "../../src/events/events.js";

const START: ProgressEvent = {
  type: "progress",
  phase: "run",
  ...{
    read: 0,
    done: 0,
    queued: 0,
    queuedBefore: 0,
    written: 0,
    rejected: 0,
    failed: 0,
    retries: 0,
    pauses: 0,
    pausedMs: 0,
    mapped: 0,
  },
  ...{ inFlight: 0, callsInFlight: 0, callLimit: null, total: 1000, bytes: 0, totalBytes: null },
  elapsedMs: 0,
};
const PAUSE: PauseEvent = { type: "pause", reason: "busy", waitMs: 2000, message: "HTTP 503" };

/** A log and the seconds at which its lines were written. */
function openLog() {
  const lines: string[] = [];
  const terminal = { note: (line: string) => void lines.push(line), messageColumns: null };
  let now = 0;
  const display = new ProgressLog(terminal, () => now * 1000);
  return {
    lines,
    /** A run of so many seconds, in which so many users come through a second. */
    run(seconds: number, perSecond: number): number[] {
      const written: number[] = [];
      for (now = 1; now <= seconds; now += 1) {
        const before = lines.length;
        const done = Math.min(1000, now * perSecond);
        display.show({ ...START, done, elapsedMs: now * 1000 });
        if (lines.length > before) written.push(now);
      }
      return written;
    },
    pauseAt(second: number, event: PauseEvent = PAUSE): void {
      now = second;
      display.pause(event);
    },
    queueAt(second: number, queued: number): void {
      now = second;
      display.queue({ type: "queue", queued, written: 30 - queued, failed: 0, leftMs: null });
    },
  };
}

describe("progress in a log", () => {
  it("has a line at every twentieth of a run, at most every ten seconds", () => {
    expect(openLog().run(100, 10)).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
    expect(openLog().run(200, 4)).toEqual([
      13, 26, 39, 52, 65, 78, 91, 104, 117, 130, 143, 156, 169, 182, 195,
    ]);
  });

  it("has a line every thirty seconds where that is slower", () => {
    expect(openLog().run(100, 1)).toEqual([30, 60, 90]);
  });

  it("has none of a run that is over at once", () => {
    expect(openLog().run(9, 100)).toEqual([]);
  });

  it("tells of a queue every ten seconds, and of its end at once", () => {
    const log = openLog();
    for (const second of [1, 5, 12]) log.queueAt(second, 30);
    for (const second of [13, 14]) log.queueAt(second, 0);
    expect(log.lines).toEqual([
      " 0%  0 of 30 users written  30 queued",
      " 0%  0 of 30 users written  30 queued",
      "30 of 30 users written",
    ]);
  });

  it("tells a pause once in ten seconds, and a long one always", () => {
    const log = openLog();
    for (const second of [1, 2, 5, 12]) log.pauseAt(second);
    log.pauseAt(13, { ...PAUSE, waitMs: 30_000 });
    expect(log.lines).toEqual([
      "Pausing 2s, the core is overloaded: HTTP 503",
      "Pausing 2s, the core is overloaded: HTTP 503",
      "Pausing 30s, the core is overloaded: HTTP 503",
    ]);
  });
});
