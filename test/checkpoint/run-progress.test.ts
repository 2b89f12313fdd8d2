import { describe, expect, it } from "vitest";
import {
  addProgress,
  cutBy,
  latestImport,
  progressOf,
  unreadBy,
} from "../../src/checkpoint/run-progress.js";
import type { RunRecord } from "../../src/events/run-record.js";
import { runRecord, sampleAt } from "../report/support/reports.js";

/** A run that goes on: 7,500 rows in 90 seconds, slower of late. */
function going(changes: Partial<RunRecord> = {}): RunRecord {
  const none = { created: 0, existed: 0, skipped: 0, rejected: 0, failed: 0, unchanged: 0 };
  return runRecord({
    ...{ ending: null, elapsedMs: 90_000, total: 10_000 },
    outcomes: { imported: 7500, ...none },
    samples: [sampleAt(1000), sampleAt(30_000), sampleAt(60_000, 6000), sampleAt(80_000, 7000)],
    ...changes,
  });
}

describe("the progress of a run", () => {
  it("has the rate of the whole run, whatever its last seconds were, and the time that is left at it", () => {
    expect(progressOf(going(), 200)).toEqual({
      ...{ done: 7500, total: 10_000, perSecond: 83.3, leftMs: 30_012 },
    });
  });

  it("has the rate since the first row was sent, not of the reading before", () => {
    const samples = [sampleAt(10_000, 0), sampleAt(80_000, 0), sampleAt(85_000, 4000)];
    expect(progressOf(going({ samples }), 200)).toMatchObject({ perSecond: 750 });
  });

  it.each([
    ["has just begun", going({ elapsedMs: 4000, samples: [sampleAt(1000)] }), 200],
    ["has written nothing for a minute", going(), 60_000],
    ["isn't going on", going(), null],
  ])("has no rate where a run %s", (_what, run, silentMs) => {
    const known = { done: 7500, total: 10_000 };
    expect(progressOf(run, silentMs)).toEqual({ ...known, perSecond: null, leftMs: null });
  });

  it("says no time where the rows weren't counted, or none gets done", () => {
    expect(progressOf(going({ total: null }), 200)).toMatchObject({
      perSecond: 83.3,
      leftMs: null,
    });
    const none = { imported: 0, created: 0, existed: 0, skipped: 0, rejected: 0, failed: 0 };
    const held = going({ outcomes: { ...none, unchanged: 0 }, samples: [sampleAt(80_000, 0)] });
    expect(progressOf(held, 200)).toMatchObject({ perSecond: 0, leftMs: null });
  });

  it("is by what the core's queue has written while no row has an outcome", () => {
    const samples = [sampleAt(20_000, 0), sampleAt(80_000, 7000)];
    const outcomes = { ...going().outcomes, imported: 0 };
    expect(progressOf(going({ outcomes, samples }), 200)).toMatchObject({ perSecond: 100 });
  });

  it("has the rate of what it brings itself where it goes on with a stopped one", () => {
    expect(progressOf(going(), 200, { queued: 0, written: 0 }, 6000)).toMatchObject({
      done: 7500,
      perSecond: 16.7,
    });
  });

  it("leaves no time for those who are there already, wherever they stand in the export", () => {
    const left = (ahead: number) =>
      progressOf(going({ ahead }), 200, { queued: 0, written: 0 }, 6000).leftMs;
    expect([left(0), left(1500), left(2500), left(2600)]).toEqual([149_701, 59_880, 0, 0]);
  });

  it("has no rate while the core's queue was handed users and has written none", () => {
    const known = { done: 7500, total: 10_000 };
    const none = { ...known, perSecond: null, leftMs: null };
    expect(progressOf(going(), 200, { queued: 2000, written: 0 })).toEqual(none);
    expect(progressOf(going(), 200, { queued: 2000, written: 500 })).toMatchObject({
      perSecond: 83.3,
    });
  });

  it("is whole where the run has come to its end, counted or not", () => {
    const { done, total } = progressOf(going({ ending: "finished", total: null }), null);
    expect([done, total]).toEqual([7500, 7500]);
  });
});

describe("a run that took no row", () => {
  const nothing = { ...going().calls, import: 0, code: 0, consume: 0, update: 0, lookup: 0 };
  const calls = { ...nothing, map: 0, part: 0 };
  const refused = going({ ending: "failed", reason: "proof_missing", read: 0, calls });
  const earlier = (changes: Partial<RunRecord>): RunRecord =>
    runRecord({ read: 10_000, known: null, proof: false, total: 10_000, ...changes });

  it.each([
    ["a whole import", earlier({ ending: "finished", reason: null }), null, 0],
    ["a pilot", earlier({ ending: "finished", reason: "limited", known: 10_000 }), "limited", 2500],
    ["a stopped one", earlier({ ending: "stopped", reason: null, known: 9000 }), "stopped", 1500],
  ])("changes nothing of what %s has left", (_what, first, cut, unread) => {
    const killed = { ...refused, ending: null, reason: null, total: null };
    const stopped = { ...killed, ending: "stopped" as const };
    for (const later of [[], [refused], [killed], [stopped], [refused, stopped, killed]]) {
      const runs = [first, ...later];
      expect(latestImport(runs)).toBe(first);
      expect([cutBy(runs), unreadBy(runs, 7500, 0)]).toEqual([cut, unread]);
    }
  });

  it.each<[string, RunRecord[], users: number, beside: number, unread: number]>([
    ["its rows, whatever it has read of them", [going({ read: 9000 })], 2500, 10, 7490],
    ["no more than all", [going({ read: 0 })], 0, 0, 10_000],
    [
      "what an earlier run knew, until it has read its own",
      [going(), going({ total: null, read: 0 })],
      2500,
      0,
      7500,
    ],
    [
      "what an earlier run knew beside a smaller export",
      [going(), going({ total: 20 })],
      2500,
      0,
      7500,
    ],
  ])(
    "has of a run that goes on or was killed left unread %s",
    (_what, runs, users, beside, unread) => {
      expect(unreadBy(runs, users, beside)).toBe(unread);
    },
  );

  it("is the latest where there is no other, and where it has called the core", () => {
    const whole = earlier({ ending: "finished", reason: null });
    expect(latestImport([refused])).toBe(refused);
    const called = { ...refused, calls: { ...calls, import: 1 } };
    expect(latestImport([whole, called])).toBe(called);
  });
});

describe("the progress of several runs", () => {
  const ended = { done: 500, total: 500, perSecond: null, leftMs: null };
  const fast = { done: 100, total: 500, perSecond: 40, leftMs: 10_000 };
  const slow = { done: 100, total: 500, perSecond: 10, leftMs: 40_000 };

  it("is their sum, and ends with the slowest", () => {
    expect(addProgress([ended, fast, slow])).toEqual({
      ...{ done: 700, total: 1500, perSecond: 50, leftMs: 40_000 },
    });
  });

  it("is of all rows of the export, also where a part hasn't begun", () => {
    expect(addProgress([ended, null], 1000)).toEqual({ ...ended, total: 1000 });
  });

  it("has no total where one of them has none, and is nothing where there is none", () => {
    const uncounted = { done: 3, total: null, perSecond: 1, leftMs: null };
    expect(addProgress([fast, uncounted])).toMatchObject({ total: null, leftMs: null });
    expect(addProgress([null])).toBeNull();
  });
});
