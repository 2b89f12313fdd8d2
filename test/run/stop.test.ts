import { describe, expect, it } from "vitest";
import { createStop } from "../../src/run/stop.js";

function scene() {
  const operator = new AbortController();
  return { operator, stop: createStop(operator.signal) };
}

describe("the end of a run before its end", () => {
  it("is for the first error, and its consequences are none", () => {
    const { stop } = scene();
    const first = new Error("the first");
    stop.fail(first);
    stop.fail(stop.signal.reason);
    stop.fail(new Error("the second"));
    expect(() => stop.throwIfFailed()).toThrow(first);
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
