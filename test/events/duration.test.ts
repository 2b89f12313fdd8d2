import { describe, expect, it } from "vitest";
import { durationText } from "../../src/events/duration.js";

describe("a duration", () => {
  it.each([
    [0, "0ms"],
    [999, "999ms"],
    [1000, "1s"],
    [59_001, "1m"],
    [61_000, "1m1s"],
    [3_600_000, "1h"],
    [5_400_000, "1h30m"],
    [90_061_000, "1d1h"],
  ])("of %i ms is written as %s", (milliseconds, text) => {
    expect(durationText(milliseconds)).toBe(text);
  });
});
