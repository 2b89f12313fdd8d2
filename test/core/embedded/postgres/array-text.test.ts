import fc from "fast-check";
import { expect, it } from "vitest";
import { bareArray, textArray } from "../../../../src/core/embedded/postgres/array-text.js";

/** Reads an array as PostgreSQL's manual has it (8.15.6): elements between quotation marks, a backslash before what stands for itself. */
function parse(text: string): (string | null)[] {
  const inner = text.slice(1, -1);
  return [...inner.matchAll(/"((?:[^"\\]|\\.)*)"|NULL/gs)].map(([whole, quoted]) =>
    whole === "NULL" ? null : (quoted ?? "").replace(/\\(.)/gs, "$1"),
  );
}

it("a list comes back as it was, whatever is in its texts", () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.string({ unit: "binary" }))), (values) => {
      expect(parse(textArray(values))).toEqual(values);
    }),
  );
});

it("quotation marks, backslashes and the word NULL are texts like any other", () => {
  expect(textArray(['a"b', "c\\d", "NULL", "", null])).toBe(
    String.raw`{"a\"b","c\\d","NULL","",NULL}`,
  );
  expect(textArray([])).toBe("{}");
});

it("numbers and ids go without quotation marks", () => {
  expect(bareArray([1, 1_700_000_000_000])).toBe("{1,1700000000000}");
  expect(bareArray([])).toBe("{}");
});
