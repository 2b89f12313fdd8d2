import fc from "fast-check";
import { expect, it } from "vitest";
import { globOf } from "../../../src/source/fields/field-tree.js";
import { runs } from "../../support/repeated.js";

it("a name fits a pattern as it fits the expression of it", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", ".", "*"), maxLength: 7 });
  const names = fc.string({ unit: fc.constantFrom("a", "b", "."), maxLength: 9 });
  fc.assert(
    fc.property(letters, names, (pattern, name) => {
      const parts = pattern.split("*").map((part) => part.replaceAll(".", "\\."));
      expect(globOf(pattern)(name)).toBe(new RegExp(`^${parts.join(".*")}$`).test(name));
    }),
    { numRuns: runs(2000) },
  );
});

it("a pattern with many stars takes no longer than the name is long", () => {
  const fits = globOf(`x.${"*a".repeat(30)}*b`);
  expect(fits(`x.${"a".repeat(200_000)}`)).toBe(false);
  expect(fits(`x.${"a".repeat(200_000)}b`)).toBe(true);
});
