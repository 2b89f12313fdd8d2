import { describe, expect, it } from "vitest";
import { createStop } from "../../src/run/stop.js";
import { virtualTime } from "./support/virtual-time.js";

function scene(maxDurationMs?: number) {
  const operator = new AbortController();
  const timing = virtualTime();
  const stop = createStop({ given: operator.signal, timing, maxDurationMs });
  return { operator, timing, stop };
}

describe("the end of a run before its end", () => {
  it("is for the reason that came first", async () => {
    const { operator, stop, timing } = scene(1000);
    await timing.run(timing.sleep(2000));
    operator.abort();
    expect([stop.signal.aborted, stop.reason]).toEqual([true, "max_duration"]);
    const other = scene();
    other.operator.abort();
    expect(other.stop.reason).toBe("signal");
  });

  it("isn't brought about by a deadline of a run that has ended by itself", async () => {
    const { stop, timing } = scene(1000);
    stop.dispose();
    await timing.run(timing.sleep(2000));
    expect([stop.signal.aborted, stop.reason]).toEqual([false, null]);
  });

  it("is for the first error, and its consequences are none", () => {
    const { stop } = scene();
    const first = new Error("the first");
    stop.fail(first);
    stop.fail(stop.signal.reason);
    stop.fail(new Error("the second"));
    expect(() => stop.throwIfFailed()).toThrow(first);
    expect(stop.reason).toBe(null);
  });

  it("is no error for whoever waited when it came", () => {
    const { operator, stop } = scene();
    operator.abort();
    stop.fail(stop.signal.reason);
    expect(stop.isCauseOf(stop.signal.reason)).toBe(true);
    expect(() => stop.throwIfFailed()).not.toThrow();
  });

  it("is an error where one comes after it", () => {
    const { operator, stop } = scene();
    operator.abort();
    stop.fail(new Error("the disk is full"));
    expect(() => stop.throwIfFailed()).toThrow("the disk is full");
  });
});
