import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { momentOf } from "../../src/source/point-in-time.js";

const two = (most: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: most }).map((number) => String(number).padStart(2, "0"));

/** Times as most exports write them, and texts of their form that name no time. */
const isoText = fc
  .record({
    year: fc.integer({ min: 1000, max: 2999 }),
    month: two(13),
    day: two(32),
    hour: two(25),
    minute: two(61),
    second: two(61),
    fraction: fc.constantFrom("", ".000", ".007", ".999"),
  })
  .map(
    ({ year, month, day, hour, minute, second, fraction }) =>
      `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}Z`,
  );

describe("the moment that a text names", () => {
  it("is the one that JavaScript's dates find in it", () => {
    const property = fc.property(isoText, (text) => {
      const time = Date.parse(text);
      expect(momentOf(text)).toBe(time > 0 ? time : null);
    });
    fc.assert(property, { numRuns: 2000 });
  });

  it.each([
    ["2024-05-01T09:00:00Z", 1_714_554_000_000],
    ["2024-05-01T09:00:00.007Z", 1_714_554_000_007],
    ["2024-02-29T23:59:59.999Z", 1_709_251_199_999],
    ["2023-12-31T23:59:59Z", 1_704_067_199_000],
    ["2024-13-01T09:00:00Z", null],
    ["2024-05-01T09:60:00Z", null],
    ["1970-01-01T00:00:00Z", null],
  ])("is read of %s by its digits", (text, moment) => {
    expect(momentOf(text)).toBe(moment);
  });
});
