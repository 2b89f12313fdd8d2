import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clockText, latestThroughput, stretchesOf } from "../../src/report/throughput.js";
import { runRecord, sampleAt } from "./support/reports.js";

describe("throughput over time", () => {
  it("is that of the samples where they are few", () => {
    const run = runRecord({ samples: [sampleAt(0), sampleAt(1000, 500), sampleAt(3000, 700)] });
    expect(stretchesOf(run, 10)).toEqual([
      { fromMs: 0, toMs: 1000, perSecond: 500, paused: false },
      { fromMs: 1000, toMs: 3000, perSecond: 100, paused: false },
    ]);
  });

  it("begins with the run, also where the first sample came later", () => {
    const run = runRecord({ samples: [sampleAt(2000), sampleAt(4000)] });
    expect(stretchesOf(run, 10).map(({ fromMs }) => fromMs)).toEqual([0, 2000]);
  });

  it("marks the stretches in which all calls waited", () => {
    const samples = [0, 4000, 8000, 12_000].map((at) =>
      sampleAt(at, at / 10, at < 8000 ? 0 : 3500),
    );
    const run = runRecord({ samples });
    expect(stretchesOf(run, 10).map(({ paused }) => paused)).toEqual([false, true, false]);
  });

  it("has none of a run with fewer than two samples", () => {
    expect(stretchesOf(runRecord({ samples: [] }), 10)).toEqual([]);
    expect(stretchesOf(runRecord({ samples: [sampleAt(0)] }), 10)).toEqual([]);
  });

  it.each([
    [
      [0, 120, 480, 900, 1700, 1900, 3000],
      [0, 1700],
    ],
    // Forty rows in 1.1 s are 36 a second, and no stretch of their own behind the first second.
    [[0, 1000, 1100], [0]],
    [[870, 1100], [0]],
    [[300, 700], [0]],
  ])("of samples at %j begins no stretch within a second of another: %j", (times, begins) => {
    const run = runRecord({ samples: times.map((at) => sampleAt(at, at)) });
    expect(stretchesOf(run, 10).map(({ fromMs }) => fromMs)).toEqual(begins);
  });

  it("isn't that of a run in which no user has come to an end", () => {
    const done = runRecord({ number: 1, samples: [0, 1000, 2000].map((at) => sampleAt(at, at)) });
    const queued = runRecord({ number: 2, samples: [0, 1000, 2000].map((at) => sampleAt(at, 0)) });
    expect(latestThroughput([queued])).toBeNull();
    expect(latestThroughput([done, queued])?.number).toBe(1);
  });

  it("adds up to the rows that were done, however many stretches there are", () => {
    const steps = fc.array(
      fc.record({ ms: fc.integer({ min: 1, max: 9000 }), rows: fc.nat(5000) }),
      {
        minLength: 1,
        maxLength: 60,
      },
    );
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 30 }), (given, most) => {
        let [elapsed, done] = [0, 0];
        const samples = [sampleAt(0)];
        for (const { ms, rows } of given) {
          elapsed += ms;
          done += rows;
          samples.push(sampleAt(elapsed, done));
        }
        const stretches = stretchesOf(runRecord({ samples }), most);
        const sum = stretches.reduce(
          (rows, { fromMs, toMs, perSecond }) => rows + (perSecond * (toMs - fromMs)) / 1000,
          0,
        );
        expect(sum).toBeCloseTo(done, 3);
        // A rate reads as rows that came: no stretch of several is shorter than what it is of.
        if (stretches.length > 1) {
          for (const { fromMs, toMs } of stretches)
            expect(toMs - fromMs).toBeGreaterThanOrEqual(1000);
        }
        expect(stretches.length).toBeLessThanOrEqual(Math.max(most, 1));
        expect(stretches.at(-1)?.toMs).toBeCloseTo(elapsed, 6);
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    [7000, "0:07"],
    [750_000, "12:30"],
    [3_720_000, "1:02:00"],
  ])("says %i ms as a clock does", (ms, text) => {
    expect(clockText(ms)).toBe(text);
  });
});
