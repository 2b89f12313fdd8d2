import { expect, it } from "vitest";
import { sourceFiles } from "./source-files.js";

/** A number in a text, which may be one, and behind it a verb that goes with several; "the passwords of 1 user are" is right. */
const SEVERAL =
  /(?<!s of )\$\{(?:count|grouped)\([^`$]*?\)\}[^`$.;:,]*? (?:are|were|have|aren't|haven't)\b/g;

it("no text has a verb in the plural behind a number that may be one", () => {
  const found = sourceFiles().flatMap(({ text }) => text.match(SEVERAL) ?? []);
  expect(found).toEqual([]);
});
