import { describe, expect, it } from "vitest";
import { grouped } from "../../src/report/text.js";

describe("a number for people", () => {
  it.each([0, 7, 999, 1000, 12_345, 1_234_567, 1_000_000_000, 1234.5, 0.5, -1234])(
    "is written as Intl writes it: %d",
    (value) => {
      expect(grouped(value)).toBe(value.toLocaleString("en-US"));
    },
  );
});
