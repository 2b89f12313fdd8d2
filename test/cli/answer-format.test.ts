import { describe, expect, it } from "vitest";
import { AnswerTally, jsonLine, textOf } from "../../src/cli/answers.js";
import type { HashVerdict } from "../../src/hash/hash.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";

const HASH = KNOWN_HASHES.bcrypt.passwordHash;
const ACCEPTED: HashVerdict = {
  verdict: "accepted",
  algorithm: "bcrypt",
  hash: HASH,
  steps: ["trim", "bcrypt_2b_to_2a"],
  notices: ["prehash_possible"],
};
const REFUSED: HashVerdict = { verdict: "refused", code: "bcrypt_length", hint: 'Not "whole".' };
const NONE: HashVerdict = { verdict: "none" };

describe("an answer as a JSON line", () => {
  it.each([ACCEPTED, REFUSED, NONE])(
    "has the verdict's fields behind its own ($verdict)",
    (verdict) => {
      // Twice: what is remembered of a refusal must not hold a line's number.
      for (const line of [7, 8]) {
        const text = jsonLine({ line, verdict });
        expect(text).toBe(`${JSON.stringify({ type: "hash", v: 1, line, ...verdict })}\n`);
      }
    },
  );
});

describe("an answer for people", () => {
  it("says what an accepted hash is, what was done to it and what it is sent as", () => {
    expect(textOf({ line: 3, verdict: ACCEPTED })).toBe(
      `3  accepted  bcrypt: trim, bcrypt_2b_to_2a, notice prehash_possible\n     ${HASH}\n`,
    );
    const untouched = { ...ACCEPTED, steps: [], notices: [] };
    expect(textOf({ line: 4, verdict: untouched })).toContain("bcrypt: sent as it is\n");
  });

  it("says why a refused one is refused, and what to do", () => {
    expect(textOf({ line: 5, verdict: REFUSED })).toBe(
      '5  refused   bcrypt_length\n     Not "whole".\n',
    );
  });

  it("says where there is no password", () => {
    expect(textOf({ line: 6, verdict: NONE })).toBe("6  none      no password\n");
  });
});

it("the counts at the end are of all answers", () => {
  const tally = new AnswerTally();
  const format = tally.counting(jsonLine);
  for (const verdict of [ACCEPTED, REFUSED, NONE, REFUSED]) {
    expect(format({ line: 1, verdict })).toBe(jsonLine({ line: 1, verdict }));
  }
  expect(tally.text()).toBe("4 lines answered: 1 accepted, 2 refused, 1 without a password");
});
