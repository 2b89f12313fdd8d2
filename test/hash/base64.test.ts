import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { base64ByteLength, padBase64, toStandardBase64 } from "../../src/hash/base64.js";
import { runs } from "../support/repeated.js";

describe("canonical base64", () => {
  it("reads every way of writing bytes and gives back the standard one", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (array) => {
        const bytes = Buffer.from(array);
        const padded = bytes.toString("base64");
        const digits = padded.replaceAll("=", "");
        const urlPadded = padded.replaceAll("+", "-").replaceAll("/", "_");
        for (const text of [padded, digits, bytes.toString("base64url"), urlPadded]) {
          expect(toStandardBase64(text)).toBe(digits);
        }
        expect(padBase64(digits)).toBe(padded);
        expect(base64ByteLength(digits)).toBe(bytes.length);
      }),
      { numRuns: runs(300) },
    );
  });

  it.each([
    ["both alphabets at once", "ab+_"],
    ["one digit too many", "AAAAA"],
    ["half the padding", "QQ="],
    ["padding where none belongs", "AAAA="],
    ["spare bits after two digits", "QR"],
    ["spare bits after three digits", "QUJ"],
    ["white space", "QUJD "],
    ["padding in the middle", "QQ==QQ=="],
  ])("refuses %s", (_what, text) => {
    expect(toStandardBase64(text)).toBeNull();
  });
});
