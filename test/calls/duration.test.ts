import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { durationText, MOST_DURATION_MS, parseDuration } from "../../src/calls/duration.js";

describe("a duration", () => {
  it.each([
    ["30s", 30_000],
    ["0.5s", 500],
    ["250ms", 250],
    ["10m", 600_000],
    ["1h30m", 5_400_000],
    ["2d", 172_800_000],
    ["20d", MOST_DURATION_MS],
    ["0s", 0],
  ])("%s is read", (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each(["", "10", "m", "10 m", "-5s", "1.5h", "30m1h", "5x", "21d", "1e3s"])(
    "%j is none",
    (text) => {
      expect(parseDuration(text)).toBeNull();
    },
  );

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

  it("that was written is read again as no less, and hardly more", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MOST_DURATION_MS }), (milliseconds) => {
        const read = parseDuration(durationText(milliseconds)) ?? -1;
        expect(read).toBeLessThanOrEqual(milliseconds + 1000);
        expect(read).toBeGreaterThan(milliseconds * 0.95 - 1);
      }),
    );
  });
});
