import fc from "fast-check";
import { expect, it } from "vitest";
import {
  beginningOf,
  columnsOf,
  cutTo,
  fitted,
  hanging,
  listed,
  wrap,
} from "../../src/report/layout.js";
import { runs } from "../support/repeated.js";

it.each([
  ["users.csv", 9],
  ["Zoë", 3],
  ["Zoe\u0308", 3],
  ["田中 さくら", 11],
  ["👩‍🚀", 2],
  ["", 0],
])("counts %j as %i columns", (text, columns) => {
  expect(columnsOf(text)).toBe(columns);
});

it("cuts between signs, and says that something is left out", () => {
  expect(beginningOf("田中さくら", 5)).toBe("田中");
  expect(cutTo("12,000 users", 12)).toBe("12,000 users");
  expect(cutTo("12,000 users", 8)).toBe("12,000…");
});

it("breaks a list only between its items", () => {
  expect(listed("  and 3 more: ", ["pbkdf2 1", "no_contact 12", "duplicate 7"], 32)).toEqual([
    "  and 3 more: pbkdf2 1,",
    "      no_contact 12, duplicate 7",
  ]);
});

it("puts a text beside its head, or below it where a word has no room", () => {
  expect(hanging("  rejected   10   ", "can't be migrated as they are at all", 46)).toEqual([
    "  rejected   10   can't be migrated as they",
    "                  are at all",
  ]);
  expect(hanging("  duplicate   1   ", "exports/2026/november/users.csv, row 7", 46)).toEqual([
    "  duplicate   1",
    "      exports/2026/november/users.csv, row 7",
  ]);
});

/** Words, whole, of lines of which those that are too wide are one word. */
function wordsOf(lines: readonly string[], width: number): string[] {
  for (const line of lines) if (columnsOf(line) > width) expect(line.trim()).not.toContain(" ");
  return lines.flatMap((line) => line.trim().split(/ +/)).filter((word) => word !== "");
}

it("breaks no word, and makes no line wider than the page but a word alone", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "é", "密", " ", "-"), maxLength: 200 });
  fc.assert(
    fc.property(text, fc.integer({ min: 20, max: 90 }), (given, width) => {
      const words = wordsOf([given.trim()], Number.POSITIVE_INFINITY);
      expect(wordsOf(fitted(given, width), width)).toEqual(words);
      const beside = wordsOf(hanging("  code   1   ", given, width), width);
      expect(beside).toEqual(["code", "1", ...words]);
    }),
  );
});

it("lets a command at the end of a long line stand apart, to be copied", () => {
  const line = "To begin: auth-migrate import users.json --hash-config hash-config.txt";
  expect(fitted(line, 80)).toEqual([line]);
  expect(fitted(line, 40)).toEqual([
    "To begin:",
    "  auth-migrate import users.json \\",
    "    --hash-config hash-config.txt",
  ]);
});

it("breaks nothing inside of what is typed as one, where that fits on a line", () => {
  const typed = [
    "auth-migrate status --checkpoint real.checkpoint",
    "--rejects-out FILE",
    "jq -c '.[] | .user' users.json",
    "'.password_hash = .credentials[0]'",
    "`auth-migrate validate`",
  ];
  for (const width of [60, 70, 80]) {
    for (const one of typed.map((text) => (text.startsWith("jq") ? `\`${text}\`` : text))) {
      for (let before = 1; before < width; before += 7) {
        const text = `      ${"x".repeat(before)} then ${one} says it`;
        const lines = wrap(text, width);
        expect(
          lines.some((line) => line.includes(one)),
          lines.join("\n"),
        ).toBe(true);
        const beside = hanging("  a_code_of_some_length   ", text.trim(), width);
        expect(
          beside.some((line) => line.includes(one)),
          beside.join("\n"),
        ).toBe(true);
      }
    }
  }
  // What has no room on any line goes on below.
  expect(wrap("auth-migrate import --rejects-out rejects-of-a-very-long-name.csv", 40)).toEqual([
    "auth-migrate import --rejects-out",
    "rejects-of-a-very-long-name.csv",
  ]);
});

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

it("loses no word", () => {
  const word = fc.stringMatching(/^[a-z/:.-]{1,40}$/);
  const line = fc.array(word, { maxLength: 12 }).map((words) => words.join(" "));
  const text = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(text, fc.integer({ min: 20, max: 120 }), (given, width) => {
      expect(wordsOf(wrap(given, width), width)).toEqual(given.split(/\s+/).filter(Boolean));
    }),
    { numRuns: runs(200) },
  );
});
