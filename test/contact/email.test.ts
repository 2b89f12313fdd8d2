import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalizeEmail } from "../../src/contact/email.js";

describe("normalizeEmail", () => {
  test.each([
    ["Ann@Example.COM", "ann@example.com"],
    [" ann.Lee+news@example.com ", "ann.lee+news@example.com"],
    ["\tann@example.com\r\n", "ann@example.com"],
    ["ann@example.com\u00a0", "ann@example.com"],
    ["o'neil_7%x@mail.example.co.uk", "o'neil_7%x@mail.example.co.uk"],
    ["ÄÖ@EXAMPLE.test", "äö@example.test"],
    ["\u0130@example.test", "i\u0307@example.test"],
    ["ΟΔΟΣ@example.test", "οδος@example.test"],
    ["ＡＢ@example.test", "ａｂ@example.test"],
    ["ann@bücher.example", "ann@bücher.example"],
    ["ann@xn--bcher-kva.example", "ann@xn--bcher-kva.example"],
    ["ann..lee.@mobile.example", "ann..lee.@mobile.example"],
  ])("stores a usable address trimmed and lower-cased (%#)", (text, expected) => {
    expect(normalizeEmail(text)).toBe(expected);
  });

  test.each([
    ["nothing", ""],
    ["white space only", "  "],
    ["no at sign", "ann.example.com"],
    ["no local part", "@example.com"],
    ["no domain", "ann@"],
    ["two at signs", "ann@lee@example.com"],
    ["two addresses", "ann@example.com,bob@example.com"],
    ["a domain without a dot", "ann@localhost"],
    ["an empty label", "ann@example..com"],
    ["a dot at the end", "ann@example.com."],
    ["a hyphen at a label's end", "ann@example-.com"],
    ["an IP address", "ann@192.0.2.1"],
    ["a space inside", "ann lee@example.com"],
    ["a tab inside", "ann\t@example.com"],
    ["a NUL character", "ann\u0000@example.com"],
    ["a NUL character in the domain", "ann@exam\u0000ple.com"],
    ["a zero-width space", "ann\u200b@example.com"],
    ["a bidi override", "ann\u202e@example.com"],
    ["a lone surrogate", "ann\ud800@example.com"],
    ["a display name around it", "<ann@example.com>"],
    ["a quoted local part", '"ann"@example.com'],
    ["a local part over 64 characters", `${"a".repeat(65)}@example.com`],
    ["a label over 63 characters", `ann@${"a".repeat(64)}.com`],
    ["an address over 254 characters", `ann@${"abcdefghi.".repeat(25)}com`],
  ])("refuses %s", (_name, text) => {
    expect(normalizeEmail(text)).toBeNull();
  });

  test("never throws, and what it returns it returns unchanged", () => {
    const anything = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.emailAddress(),
      fc.tuple(fc.string({ unit: "grapheme" }), fc.domain()).map((parts) => parts.join("@")),
    );
    fc.assert(
      fc.property(anything, (text) => {
        const email = normalizeEmail(text);
        if (email !== null) expect(normalizeEmail(email)).toBe(email);
      }),
      { numRuns: 2000 },
    );
  });

  test("takes linear time on hostile input", () => {
    const started = performance.now();
    normalizeEmail(`${"a.".repeat(500_000)}@`);
    normalizeEmail(`a@${"a-".repeat(120)}`);
    expect(performance.now() - started).toBeLessThan(500);
  });
});
