import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalizeEmail } from "../../src/contact/email.js";
import { isLookalike, skeletonOf } from "../../src/contact/lookalike.js";
import { runs } from "../support/repeated.js";

describe("isLookalike", () => {
  test.each([
    ["a Cyrillic а in a Latin word", "\u0430nn@example.com", "ann@example.com"],
    ["a Greek ο in a Latin word", "j\u03bfhn@example.com", "john@example.com"],
    ["an Armenian օ in the domain", "ann@ex\u0561mple.c\u0585m", null],
    ["a Cyrillic letter in the domain", "ann@ex\u0430mple.com", "ann@example.com"],
    [
      "a word of Cyrillic letters that all look Latin",
      "\u043e\u0441\u0430@example.com",
      "oca@example.com",
    ],
    ["a whole domain of them", "ann@\u0430\u0440\u0440\u04cf\u0435.com", "ann@apple.com"],
    ["the same domain in Punycode", "ann@xn--80ak6aa92e.com", "ann@apple.com"],
    ["full-width letters", "\uff41\uff4en@example.com", "ann@example.com"],
    ["letters of a mathematical script", "\u{1d41a}nn@example.com", "ann@example.com"],
    ["a dotless i", "d\u0131lara@example.com", "dilara@example.com"],
    ["the small form of İ", "i\u0307smail@example.com", "ismail@example.com"],
    ["a script g", "ma\u0261@example.com", "mag@example.com"],
    ["Cyrillic and Greek in one word", "\u043f\u03b1\u043f\u0430@example.com", null],
  ])("is true for %s", (_what, email, skeleton) => {
    expect(isLookalike(email)).toBe(true);
    if (skeleton !== null) expect(skeletonOf(email)).toBe(skeleton);
  });

  test.each([
    ["plain ASCII", "rn.modern+l1@example.com"],
    ["accents", "jos\u00e9.m\u00fcller@example.com"],
    ["Turkish letters with their marks", "\u015feyma.\u011f\u00fcl@example.com"],
    ["Polish letters", "\u0142ukasz@example.com"],
    ["a domain with an umlaut", "ann@b\u00fccher.example"],
    ["the same in Punycode", "ann@xn--bcher-kva.example"],
    [
      "Cyrillic with a Cyrillic domain",
      "\u0430\u043d\u043d\u0430@\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444",
    ],
    [
      "Cyrillic that could be Latin, throughout",
      "\u043e\u0441\u0430@\u0430\u0441\u0435.\u0440\u0443\u0441",
    ],
    ["Cyrillic before a Latin domain", "\u0438\u0432\u0430\u043d@example.com"],
    ["a Cyrillic name beside a Latin word", "\u0438\u0432\u0430\u043d.work@example.com"],
    ["a Latin name at a Cyrillic domain", "ivan@xn--e1afmkfd.xn--p1ai"],
    ["Greek before a Latin domain", "\u03bf\u03b4\u03cc\u03c2@example.com"],
    ["Japanese mixed with Latin", "\u592a\u90cetaro@example.com"],
    ["Punycode that means nothing", "ann@xn--999999999999.com"],
  ])("is false for %s", (_what, email) => {
    expect(normalizeEmail(email)).toBe(email);
    expect(isLookalike(email)).toBe(false);
  });

  test("is false for every plain address, whose skeleton is the address itself", () => {
    fc.assert(
      fc.property(fc.emailAddress(), (text) => {
        const email = text.toLowerCase();
        fc.pre(!email.includes("xn--"));
        expect(isLookalike(email)).toBe(false);
        expect(skeletonOf(email)).toBe(email);
      }),
      { numRuns: runs(500) },
    );
  });

  test("is false for addresses wholly of one script that isn't Latin", () => {
    const scripts = [
      [0x0430, 0x044f],
      [0x03b1, 0x03c9],
      [0x0561, 0x0586],
      [0x05d0, 0x05ea],
      [0x0627, 0x0628],
      [0x0e01, 0x0e2e],
      [0x4e00, 0x9fa5],
      [0xac00, 0xd7a3],
    ] as const;
    const address = fc.constantFrom(...scripts).chain(([first, last]) => {
      const letter = fc
        .integer({ min: first, max: last })
        .map((code) => String.fromCodePoint(code));
      const word = fc.array(letter, { minLength: 1, maxLength: 8 }).map((all) => all.join(""));
      return fc.tuple(word, word, word).map(([name, host, top]) => `${name}@${host}.${top}`);
    });
    fc.assert(
      fc.property(address, (email) => {
        expect(isLookalike(email)).toBe(false);
      }),
      { numRuns: runs(500) },
    );
  });

  test("is true wherever one letter of a plain address is replaced by its double", () => {
    const doubles: Record<string, string> = { a: "а", e: "е", o: "ο", p: "р", i: "ı", n: "ｎ" };
    fc.assert(
      fc.property(fc.emailAddress(), fc.constantFrom(...Object.keys(doubles)), (text, letter) => {
        const plain = text.toLowerCase();
        fc.pre(plain.includes(letter) && !plain.includes("xn--"));
        const email = plain.replace(letter, doubles[letter] ?? "");
        expect(isLookalike(email)).toBe(true);
        expect(skeletonOf(email)).toBe(plain);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("skeletonOf", () => {
  test("of a skeleton is the skeleton", () => {
    const letters = fc.string({
      unit: fc.oneof(
        fc.constantFrom(..."aeiоαοıіᴏｅ\u0307\u0301İ℡ﬁ.-_xn--"),
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
      ),
      maxLength: 20,
    });
    const text = fc.oneof(
      letters,
      fc.string({ unit: "binary" }),
      fc.tuple(letters, letters).map((p) => p.join("@")),
    );
    fc.assert(
      fc.property(text, (any) => {
        const skeleton = skeletonOf(any);
        expect(skeletonOf(skeleton)).toBe(skeleton);
      }),
      { numRuns: runs(2000) },
    );
  });
});
