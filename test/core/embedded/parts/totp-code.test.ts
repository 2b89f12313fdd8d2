import { expect, it } from "vitest";
import {
  codeAt,
  fromBase32,
  stepOf,
  toBase32,
} from "../../../../src/core/embedded/parts/totp-code.js";

/** RFC 6238 appendix B: the secret of its SHA-1 rows. */
const KEY = Buffer.from("12345678901234567890");
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

it.each([
  // The last six of the eight digits that the RFC shows.
  [59, "287082"],
  [1111111109, "081804"],
  [1111111111, "050471"],
  [1234567890, "005924"],
  [2000000000, "279037"],
  [20000000000, "353130"],
])("a device shows at second %i what RFC 6238 says", (second, code) => {
  expect(codeAt(KEY, Math.floor(second / 30))).toBe(code);
  expect(stepOf({ secret: SECRET, period: 30, skew: 0 }, code, second * 1000)).toBe(
    Math.floor(second / 30),
  );
});

it.each([
  ["", ""],
  ["f", "MY"],
  ["fo", "MZXQ"],
  ["foo", "MZXW6"],
  ["foob", "MZXW6YQ"],
  ["fooba", "MZXW6YTB"],
  ["foobar", "MZXW6YTBOI"],
])("Base32 of %j is RFC 4648's, without padding", (text, encoded) => {
  expect(toBase32(Buffer.from(text))).toBe(encoded);
  if (text !== "") expect(fromBase32(encoded)?.toString()).toBe(text);
});

it("Base32 is read as people and vendors write it", () => {
  expect(fromBase32("mzxw 6ytb-OI======")?.toString()).toBe("foobar");
  for (const text of ["", "A", "MZXW1", "MZXW8", "====", "öäü"]) {
    expect(fromBase32(text)).toBeNull();
  }
});

it("digits that aren't six ASCII ones are of no period", () => {
  for (const code of ["", "28708", "2870820", "２８７０８２"]) {
    expect(stepOf({ secret: SECRET, period: 30, skew: 1 }, code, 59_000)).toBeNull();
  }
});
