import { describe, expect, it } from "vitest";
import type { RunLog, RunNote } from "../../src/checkpoint/run-history.js";
import { MOST_SAMPLES, recordRun } from "../../src/run/run-recorder.js";
import { virtualTiming } from "./support/virtual-timing.js";

/** When the samples that would stand in the checkpoint were taken, after progress at these times. */
async function kept(times: readonly number[]): Promise<number[]> {
  let last: number[] = [];
  const note = async ({ kept: { samples } }: RunNote): Promise<void> => {
    last = samples.map(({ elapsedMs }) => elapsedMs);
  };
  const recorder = await recordRun(async () => ({ note }) as unknown as RunLog, {
    source: "csv",
    command: null,
    unlimited: null,
    unproved: null,
    check: null,
    proof: false,
    written: 0,
    timing: virtualTiming(),
    onFailure: (error) => expect.fail(String(error)),
  });
  for (const elapsedMs of times) {
    recorder.hear({ type: "progress", elapsedMs } as Parameters<typeof recorder.hear>[0]);
  }
  return last;
}

describe("the samples of a run", () => {
  it("are one a second at first", async () => {
    expect(await kept([0, 400, 1000, 1900, 2000])).toEqual([0, 1000, 2000]);
  });

  it("are never more than may be, and stay evenly spread over a whole day", async () => {
    const times = await kept(Array.from({ length: 86_400 }, (_time, second) => second * 1000));
    expect(times.length).toBeLessThanOrEqual(MOST_SAMPLES);
    expect(times.length).toBeGreaterThan(MOST_SAMPLES / 4);
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(4 * Math.min(...gaps));
    expect(times[0]).toBe(0);
  });
});
