import { describe, expect, it } from "vitest";
import { SYSTEM_TIMING, workTiming } from "../../src/events/timing.js";
import { virtualTiming } from "../run/support/virtual-timing.js";

describe("a wait by the clock of this machine", () => {
  it("that is longer than any timer isn't over at once", async () => {
    const stop = new AbortController();
    let isOver = false;
    const wait = SYSTEM_TIMING.sleep(2 ** 40, stop.signal).then(() => {
      isOver = true;
    });
    await SYSTEM_TIMING.sleep(20);
    expect(isOver).toBe(false);
    stop.abort();
    await wait;
  });

  it("ends at once when the run is stopped, and leaves no timer behind", async () => {
    const timers = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = timers();
    const stop = new AbortController();
    const wait = SYSTEM_TIMING.sleep(3_600_000, stop.signal);
    stop.abort();
    await wait;
    await SYSTEM_TIMING.sleep(3_600_000, stop.signal);
    expect(timers()).toBe(before);
  });
});

describe("a clock of work alone", () => {
  it("stands still while a person is asked, and goes on from there", async () => {
    const given = virtualTiming();
    const timing = workTiming(given);
    await timing.sleep(1000);
    const seen = await timing.away(async () => {
      await given.sleep(24_000);
      return timing.now();
    });
    await timing.sleep(500);
    expect([seen, timing.now()]).toEqual([1000, 1500]);
  });

  it("goes on after a question that was declined", async () => {
    const given = virtualTiming();
    const timing = workTiming(given);
    const declined = timing.away(async () => {
      await given.sleep(9000);
      throw new Error("declined");
    });
    await expect(declined).rejects.toThrow("declined");
    await timing.sleep(200);
    expect(timing.now()).toBe(200);
  });
});
