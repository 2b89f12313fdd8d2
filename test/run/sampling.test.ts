import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSampling, MOST_SAMPLES } from "../../src/run/run-recorder.js";
import { sampleAt } from "../report/support/reports.js";

/** What would stand in the checkpoint after samples were offered at these times. */
function kept(times: readonly number[]): number[] {
  const sampling = createSampling();
  const stored = new Set<number>();
  for (const at of times) {
    const change = sampling.take(sampleAt(at));
    for (const time of change?.thinned ?? []) stored.delete(time);
    if (change?.sample !== undefined) stored.add(change.sample.elapsedMs);
  }
  return [...stored];
}

describe("a series of samples", () => {
  it("has one a second at first", () => {
    expect(kept([0, 400, 1000, 1900, 2000])).toEqual([0, 1000, 2000]);
  });

  it("never holds more than it may, and stays evenly spread over a whole day", () => {
    const times = kept(Array.from({ length: 86_400 }, (_time, second) => second * 1000));
    expect(times.length).toBeLessThanOrEqual(MOST_SAMPLES);
    expect(times.length).toBeGreaterThan(MOST_SAMPLES / 4);
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(4 * Math.min(...gaps));
    expect(times[0]).toBe(0);
  });

  it("has the end of the run, however soon after the last sample it is", () => {
    const sampling = createSampling();
    sampling.take(sampleAt(1000));
    expect(sampling.take(sampleAt(1100))).toBeNull();
    expect(sampling.last(sampleAt(1100)).sample?.elapsedMs).toBe(1100);
  });

  it("joins pauses that follow each other, and forgets no time in which all waited", () => {
    const pauses = fc.array(
      fc.record({ gap: fc.nat(60_000), wait: fc.integer({ min: 1, max: 9000 }) }),
      {
        minLength: 1,
        maxLength: 2000,
      },
    );
    fc.assert(
      fc.property(pauses, (given) => {
        const sampling = createSampling();
        let at = 0;
        const moments = given.map(({ gap, wait }) => {
          at += gap;
          sampling.pause(at, wait);
          at += wait;
          return at - wait / 2;
        });
        const spans = sampling.last(sampleAt(at)).pauseSpans ?? [];
        expect(spans.length).toBeLessThanOrEqual(MOST_SAMPLES);
        const covered = (time: number): boolean =>
          spans.some(({ beganMs, endedMs }) => beganMs <= time && time <= endedMs);
        expect(moments.every(covered)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});
