import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalizeEmail } from "../../src/contact/email.js";
import { runs } from "../support/repeated.js";

describe("normalizeEmail", () => {
  test.each([
    ["Ann@Example.COM", "ann@example.com"],
    [" ann.Lee+news@example.com ", "ann.lee+news@example.com"],
    ["\tann@example.com\r\n", "ann@example.com"],
    ["ann@example.com\u00a0", "ann@example.com"],
    ["o'neil_7%x@mail.example.co.uk", "o'neil_7%x@mail.example.co.uk"],
    ["ÄÖ@EXAMPLE.test", "äö@example.test"],
    ["Jose\u0301@example.test", "jos\u00e9@example.test"],
    ["ann@bu\u0308cher.example", "ann@b\u00fccher.example"],
    ["d\u0131lara@example.test", "d\u0131lara@example.test"],
    ["stra\u00dfe@example.test", "stra\u00dfe@example.test"],
    ["ΟΔΟΣ@example.test", "οδος@example.test"],
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
    ["the Kelvin sign, which lower-cases to k", "\u212aelvin@example.com"],
    ["a dotted İ, which lower-cases to an i", "\u0130smail@example.com"],
    ["a long s", "\u017fam@example.com"],
    ["a long s with its dot", "\u1e9bam@example.com"],
    ["a long s with a dot beside it", "\u017f\u0307am@example.com"],
    ["an I with the dot of an İ beside it", "I\u0307smail@example.com"],
    ["full-width letters", "\uff21nn@example.com"],
    ["a letter of a mathematical script", "\u{1d41a}nn@example.com"],
    ["the Kelvin sign in the domain", "ann@\u212aelvin.com"],
    ["a full-width letter in the domain", "ann@\uff45xample.com"],
    ["a full-width at sign", "ann\uff20example.com"],
    ["a Greek question mark", "ann\u037e@example.com"],
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
      { numRuns: runs(2000) },
    );
  });

  test("never makes plain ASCII of what isn't: a stranger may have that address", () => {
    const letter = fc
      .integer({ min: 0x80, max: 0x10ffff })
      .map((code) => String.fromCodePoint(code));
    const address = fc.tuple(fc.emailAddress(), letter, fc.nat()).map(([plain, other, at]) => {
      const place = at % plain.length;
      return plain.slice(0, place) + other + plain.slice(place);
    });
    fc.assert(
      fc.property(address, (text) => {
        fc.pre(text.trim() === text);
        const email = normalizeEmail(text);
        if (email === null) return;
        expect(email).toMatch(/[^\0-\x7f]/);
        expect(email.normalize("NFKC").toLowerCase()).toMatch(/[^\0-\x7f]/);
      }),
      { numRuns: runs(3000) },
    );
    // All that Unicode has, once each.
    for (let code = 0x80; code <= 0x2ffff; code += 1) {
      const email = normalizeEmail(`a${String.fromCodePoint(code)}b@example.com`);
      if (email !== null && /^[\0-\x7f]*$/.test(email.normalize("NFKC"))) expect(code).toBe(0);
    }
  });

  test("is one for an address with its accents put together and apart", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }), (name) => {
        const composed = normalizeEmail(`${name.normalize("NFC")}@example.com`);
        fc.pre(composed !== null);
        expect(normalizeEmail(`${name.normalize("NFD")}@example.com`)).toBe(composed);
      }),
      { numRuns: runs(1000) },
    );
  });

  // With work that grew with the square of the length, or by powers, it would never come to an end.
  test("comes to an end on hostile input", () => {
    expect(normalizeEmail(`${"a.".repeat(5_000_000)}@`)).toBeNull();
    expect(normalizeEmail(`a@${"a-".repeat(120)}`)).toBeNull();
  });
});
