import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeDomain, mailboxOf, normalizeEmail, spellingsOf } from "../../src/contact/email.js";
import { runs } from "../support/repeated.js";

describe("mailboxOf", () => {
  test.each([
    ["ann@xn--bcher-kva.example", "ann@b\u00fccher.example"],
    ["ann@b\u00fccher.example", "ann@b\u00fccher.example"],
    ["ann@xn--bcher-kva.xn--p1ai", "ann@b\u00fccher.\u0440\u0444"],
    ["ann@b\u00fccher.xn--p1ai", "ann@b\u00fccher.\u0440\u0444"],
    ["jos\u00e9@example.com", "jos\u00e9@example.com"],
    ["ann@fa\u00df.example", "ann@fa\u00df.example"],
    ["xn--bcher-kva@example.com", "xn--bcher-kva@example.com"],
    ["ann@xn--999999999999.com", "ann@xn--999999999999.com"],
  ])("of %s is %s", (email, mailbox) => {
    expect(normalizeEmail(email)).toBe(email);
    expect(mailboxOf(email)).toBe(mailbox);
  });

  test("is one for all spellings, and a plain address is its own", () => {
    const letters =
      "abcxyz019-\u00e4\u00f6\u00fc\u00df\u00e9\u00f1\u0436\u0434\u0442\u4f8b\u5b50\u3072\ud55c\u05d0";
    const label = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(label, (name) => {
        const email = normalizeEmail(`ann@${name}.example`);
        fc.pre(email !== null);
        const mailbox = mailboxOf(email);
        expect(mailboxOf(mailbox)).toBe(mailbox);
        for (const spelling of spellingsOf(email)) expect(mailboxOf(spelling)).toBe(mailbox);
      }),
      { numRuns: runs(1000) },
    );
    fc.assert(
      fc.property(fc.emailAddress(), (text) => {
        fc.pre(!text.includes("xn--"));
        expect(mailboxOf(text)).toBe(text);
        expect(spellingsOf(text)).toEqual([text]);
      }),
    );
  });
});

describe("spellingsOf", () => {
  test.each(["ann@xn--bcher-kva.example", "ann@b\u00fccher.example"])(
    "begins with the given one: %s",
    (email) => {
      const spellings = spellingsOf(email);
      expect(spellings[0]).toBe(email);
      expect(spellings.sort()).toEqual(
        ["ann@b\u00fccher.example", "ann@xn--bcher-kva.example"].sort(),
      );
    },
  );
});

describe("decodeDomain", () => {
  test("agrees with the URL standard's own on names that may exist", () => {
    const label = fc.string({
      unit: fc.constantFrom(
        ..."abcxyz019-",
        ..."äößéñçøłžабвгдежзийклмнопрстуфхцчшщ例子测试ひらがな한국어עברית",
      ),
      minLength: 1,
      maxLength: 12,
    });
    let seen = 0;
    fc.assert(
      fc.property(label, (name) => {
        const text = `http://${name}.example`;
        if (!URL.canParse(text)) return;
        const { hostname } = new URL(text);
        if (!hostname.includes("xn--")) return;
        seen += 1;
        const unicode = decodeDomain(hostname);
        expect(unicode).not.toContain("xn--");
        expect(new URL(`http://${unicode}`).hostname).toBe(hostname);
      }),
      { numRuns: runs(1000) },
    );
    expect(seen).toBeGreaterThan(100);
  });

  test.each(["example.com", "xn--.com", "xn--a!b.com", "xn--999999999999.com", "xn--ÿ.com"])(
    "leaves what it can't decode (%#)",
    (domain) => {
      expect(decodeDomain(domain)).toBe(domain);
    },
  );

  test("never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."az09-é"), maxLength: 70 }), (name) => {
        expect(typeof decodeDomain(`xn--${name}.com`)).toBe("string");
      }),
      { numRuns: runs(1000) },
    );
  });
});
