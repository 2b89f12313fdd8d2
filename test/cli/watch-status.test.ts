import { describe, expect, it } from "vitest";
import type { CheckpointStatus, Statuses } from "../../src/checkpoint/status.js";
import { watchStatus } from "../../src/cli/watch-status.js";
import { STATUS } from "../report/support/reports.js";
import { virtualTiming } from "../run/support/virtual-timing.js";

function reading(changes: Partial<CheckpointStatus>): Statuses {
  const sum = { ...STATUS, ...changes };
  return { sum, each: [{ checkpoint: sum.checkpoint, status: sum }] };
}

/** Watches a run that goes on for so many readings. */
async function watch(readings: number, { took = 0, stopAfter = Number.POSITIVE_INFINITY } = {}) {
  const timing = virtualTiming();
  const controller = new AbortController();
  const shown: string[] = [];
  let now = 0;
  const read = (): Statuses => {
    now += took;
    return reading({ running: shown.length < readings });
  };
  const show = (): void => {
    shown.push("shown");
    if (shown.length === stopAfter) controller.abort();
  };
  const display = { intervalMs: 2000, show, end: () => void shown.push("end") };
  await watchStatus(read, display, { ...timing, now: () => now }, controller.signal);
  return { shown, waits: timing.waits };
}

describe("status --watch", () => {
  it("shows each reading until no run is going on, which it shows as the end", async () => {
    const { shown, waits } = await watch(3);
    expect(shown).toEqual(["shown", "shown", "shown", "end"]);
    expect(waits).toEqual([2000, 2000, 2000]);
  });

  it("ends at once where no run is going on", async () => {
    expect(await watch(0)).toEqual({ shown: ["end"], waits: [] });
  });

  it("reads a large checkpoint less often: reading is a fifth of the time at most", async () => {
    expect((await watch(1, { took: 3000 })).waits).toEqual([12_000]);
  });

  it("ends where it is stopped, without an end of the run", async () => {
    expect((await watch(9, { stopAfter: 2 })).shown).toEqual(["shown", "shown"]);
  });
});
