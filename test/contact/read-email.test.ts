import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalizeEmail, readEmail } from "../../src/contact/email.js";
import { runs } from "../support/repeated.js";

describe("readEmail", () => {
  test.each([
    ["ann@example.com", null],
    ["\tann@example.com", null],
    ["ann@example.com\u00a0", null],
    ["\ufeffann@example.com\u3000 ", null],
    [" Ann@Example.com", "Ann@Example.com"],
  ])("reads an address, and how it was written where that has capitals (%#)", (text, asWritten) => {
    expect(readEmail(text)).toEqual({ value: "ann@example.com", asWritten, unwrapped: false });
  });

  test("leaves an apostrophe, a plus or a minus where they belong", () => {
    for (const address of ["o'neil@example.com", "+ann@example.com", "-ann-@example.com"]) {
      expect(readEmail(address)).toMatchObject({ value: address, unwrapped: false });
    }
  });

  test.each([
    ["mailto:ann@example.com", null],
    ["MAILTO:Ann@example.com", "Ann@example.com"],
    ["Ann Lee <ann@example.com>", null],
    ['"Lee, Ann" <Ann@Example.com>', "Ann@Example.com"],
    ["<ann@example.com>", null],
    ["Ann < ann@example.com >", null],
    ['"ann@example.com"', null],
    ["'ann@example.com'", null],
    ['="ann@example.com"', null],
    ["ann@example.com;", null],
    ["ann@example.com ,", null],
  ])("takes off what can only be packaging (%#)", (text, asWritten) => {
    expect(readEmail(text)).toEqual({ value: "ann@example.com", asWritten, unwrapped: true });
  });

  test.each([
    ["'ann@example.com", "email_escaped"],
    ["=ann@example.com", "email_escaped"],
    ["ann@example.com, ben@example.com", "email_several"],
    ["ann@example.com;ben@example.com", "email_several"],
    ["ann@example.com ben@example.com", "email_several"],
    ["ann@example.com|ann@example.org", "email_several"],
    ["ann@example.com\nben@example.com", "email_several"],
    ['"ben@example.com" <ann@example.com>', "email_several"],
    ["Ann <ann@example.com>, Ben <ben@example.com>", "email_several"],
    ["+15550100001", "email_holds_phone"],
    ["5550100001", "email_holds_phone"],
    ["'+1 (555) 010-0001", "email_holds_phone"],
    ["ann\u200b@example.com", "email_invisible_characters"],
    ["ann@exam\u00adple.com", "email_invisible_characters"],
    ["\u202eann@example.com", "email_invisible_characters"],
    ["ann", "email_invalid"],
    ["ann@localhost", "email_invalid"],
    ["ann at example.com", "email_invalid"],
    ["mailto:ann@example.com?subject=hello", "email_invalid"],
    ["mailto:'ann@example.com", "email_invalid"],
    ["<<ann@example.com>>", "email_invalid"],
    ["ann\u0000@example.com", "email_invalid"],
    [`${"a".repeat(500)}@example.com`, "email_invalid"],
  ])("says why there is none (%#)", (text, code) => {
    expect(readEmail(text)).toEqual({ code });
  });

  test("never throws, gives what the core stores, and reads that as the same", () => {
    const wrapped = fc
      .tuple(
        fc.constantFrom("", "mailto:", "<", '"', "'", '="', "Ann <", " "),
        fc.emailAddress(),
        fc.constantFrom("", ">", '"', "'", ";", ",b@example.com", "\u200b"),
      )
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.oneof(wrapped, fc.string({ unit: "binary" })), (text) => {
        const reading = readEmail(text);
        if (!("value" in reading)) return;
        expect(normalizeEmail(reading.value)).toBe(reading.value);
        expect(readEmail(reading.value)).toMatchObject({ value: reading.value, asWritten: null });
        expect(text.toLowerCase()).toContain(reading.value);
      }),
      { numRuns: runs(1500) },
    );
  });

  // With work that grew with the square of the length, or by powers, it would never come to an end.
  test("comes to an end on hostile input", () => {
    const hostile = [
      `${"<".repeat(5_000_000)}@`,
      `${"a@b.co ".repeat(57)}<`,
      `"${"a,".repeat(199)}`,
    ];
    for (const text of hostile) expect(readEmail(text)).not.toHaveProperty("value");
  });
});
