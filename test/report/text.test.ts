import { describe, expect, it } from "vitest";
import { sentence } from "../../src/errors/run-error.js";
import { grouped, printableStyled } from "../../src/report/text.js";

describe("a number for people", () => {
  it.each([0, 7, 999, 1000, 12_345, 1_234_567, 1_000_000_000, 1234.5, 0.5, -1234])(
    "is written as Intl writes it: %d",
    (value) => {
      expect(grouped(value)).toBe(value.toLocaleString("en-US"));
    },
  );
});

it("keeps a layout's bold and faint in a line, and nothing else that moves a screen", () => {
  expect(printableStyled("\u001b[1mSkipped\u001b[22m \u001b[2mfaint\u001b[22m")).toBe(
    "\u001b[1mSkipped\u001b[22m \u001b[2mfaint\u001b[22m",
  );
  expect(printableStyled("a\u001b[2Jb\u001b[8mc\u0007\u202e\n")).toBe(
    "a\\u{1b}[2Jb\\u{1b}[8mc\\u{7}\\u{202e}\\u{a}",
  );
});

it.each([
  ["Give --yes", "Give --yes."],
  ["It was said. Why?", "It was said. Why?"],
  ["Write: auth-migrate hash < hashes.txt", "Write: auth-migrate hash < hashes.txt"],
  [
    "Leave it out: tail a | auth-migrate validate -",
    "Leave it out: tail a | auth-migrate validate -",
  ],
  ["As in: auth-migrate split a.csv. Run it", "As in: auth-migrate split a.csv. Run it."],
])("a sentence ends with a full stop, and a command as it is typed: %s", (text, ended) => {
  expect(sentence(text)).toBe(ended);
});
