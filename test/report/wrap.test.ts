import fc from "fast-check";
import { expect, it } from "vitest";
import { wrap } from "../../src/report/layout.js";

it("breaks at spaces and keeps a line's indentation", () => {
  expect(wrap("Scrypt hashes need four values.\n  a managed core: the field", 22)).toEqual([
    "Scrypt hashes need",
    "four values.",
    "  a managed core: the",
    "  field",
  ]);
});

it("leaves a line that fits as it is", () => {
  expect(wrap("rounds 8", 56)).toEqual(["rounds 8"]);
  expect(wrap("", 56)).toEqual([""]);
});

it("makes no line wider than it may be, and loses no character but spaces", () => {
  const word = fc.stringMatching(/^[a-z/:.-]{1,40}$/);
  const line = fc.array(word, { maxLength: 12 }).map((words) => words.join(" "));
  const text = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(text, fc.integer({ min: 20, max: 120 }), (given, width) => {
      const lines = wrap(given, width);
      expect(Math.max(...lines.map((each) => each.length))).toBeLessThanOrEqual(width);
      expect(lines.join("").replaceAll(" ", "")).toBe(given.replace(/\s/g, ""));
    }),
    { numRuns: 200 },
  );
});
