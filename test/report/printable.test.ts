import fc from "fast-check";
import { expect, it } from "vitest";
import { printable } from "../../src/report/text.js";

it("leaves text of any script as it is", () => {
  for (const text of [
    "Zoë Müller",
    "田中 さくら",
    "Ελένη",
    "users (2).csv",
    "👩‍🚀",
    "",
    "a\u00a0b",
  ]) {
    expect(printable(text)).toBe(text);
  }
});

it("shows control, line-breaking and bidirectional characters by their numbers", () => {
  expect(printable("a\u001b[31mb\r\nc\u202egnp.exe\u2066\u2028\u0085")).toBe(
    "a\\u{1b}[31mb\\u{d}\\u{a}c\\u{202e}gnp.exe\\u{2066}\\u{2028}\\u{85}",
  );
});

it("never lets one through, whatever surrounds it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(printable(text)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
      expect(printable(printable(text))).toBe(printable(text));
    }),
  );
});
