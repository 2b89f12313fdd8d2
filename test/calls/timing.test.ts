import { describe, expect, it } from "vitest";
import { SYSTEM_TIMING } from "../../src/calls/timing.js";

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
