import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { trim } from "../../../src/hash/damage.js";
import { findLegacyHash } from "../../../src/hash/legacy/find-legacy-hash.js";
import { runs } from "../../support/repeated.js";
import { ANSWERS, contextOf, type KnownAnswer, rawOf } from "./support/known-answers.js";

const MEBIBYTE = 1024 * 1024;
/** One changed character makes of these a hash that takes a second or more. */
const COSTLY = /kratos_pbkdf2|atlassian|phpass|phpbb|drupal|bcrypt|typo3|scrypt_other/;

/** ASP.NET Identity's lengths are its users' choice, and Magento 2's hash without its version is Magento 1's. */
const WHOLE_WHEN_CUT = new Set(["aspnet_identity_3", "magento_2"]);

/** Answers whose verification takes a millisecond, also where a character of a parameter changes. */
const CHEAP = ANSWERS.filter((answer) => {
  const parsed = findLegacyHash(rawOf(answer), contextOf(answer));
  const memory = parsed === null || "outOfBounds" in parsed ? Infinity : parsed.memory;
  return answer.hash !== undefined && memory < MEBIBYTE && !COSTLY.test(answer.format);
});

const CHARACTERS = [..."abcdefABCDEF0123456789./+-_=$:{}, \0é"];

/** A text with one character replaced, dropped, doubled or put in, or with its end cut off. */
const mutation = fc.record({
  at: fc.nat(200),
  kind: fc.constantFrom("replace", "drop", "insert", "cut"),
  character: fc.constantFrom(...CHARACTERS),
});

type Mutation = typeof mutation extends fc.Arbitrary<infer Value> ? Value : never;

function mutated(text: string, { at, kind, character }: Mutation): string {
  const index = at % text.length;
  if (kind === "cut") return text.slice(0, index);
  const put = kind === "drop" ? "" : character;
  return text.slice(0, index) + put + text.slice(kind === "insert" ? index : index + 1);
}

/** What says the same: base64 in either alphabet and padded or not, hexadecimal in either case, white space and NULs around. */
function sameAs(text: string): string {
  return trim(text).replaceAll("=", "").replaceAll("-", "+").replaceAll("_", "/").toLowerCase();
}

describe("a text that isn't what a library wrote", () => {
  it("never throws, and never takes the right password for right", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...CHEAP), mutation, async (answer: KnownAnswer, change) => {
        const text = mutated(answer.hash ?? "", change);
        fc.pre(sameAs(text) !== sameAs(answer.hash ?? ""));
        fc.pre(change.kind !== "cut" || !WHOLE_WHEN_CUT.has(answer.format));
        const raw = rawOf({ ...answer, hash: text });
        const parsed = findLegacyHash(raw, contextOf(answer));
        if (parsed === null || "outOfBounds" in parsed) return;
        expect(await parsed.verify(answer.password)).toBe(false);
      }),
      { numRuns: runs(800) },
    );
  });

  it("never throws, whatever it is", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.string({ unit: fc.constantFrom(...CHARACTERS), maxLength: 300 }),
      fc
        .tuple(fc.constantFrom(...ANSWERS), fc.constantFrom(...ANSWERS), fc.nat(120), fc.nat(120))
        .map(
          ([one, other, end, start]) =>
            (one.hash ?? "").slice(0, end) + (other.hash ?? "").slice(start),
        ),
    );
    fc.assert(
      fc.property(text, text, (hash, salt) => {
        findLegacyHash({ kind: "text", text: hash }, contextOf());
        findLegacyHash({ kind: "salted", hash, salt }, contextOf());
        findLegacyHash({ kind: "vendor_scrypt", hash, salt }, contextOf());
      }),
      { numRuns: runs(1_000) },
    );
  });

  it("never throws as an object", () => {
    const names = ["credentialData", "secretData", "algorithm", "value", "salt", "hash"];
    const values = fc.oneof(
      fc.constantFrom(
        "pbkdf2",
        "pbkdf2-sha256",
        "AAAA",
        '{"algorithm":"pbkdf2"}',
        0,
        -1,
        1e300,
        null,
      ),
      fc.jsonValue(),
    );
    const keys = fc.constantFrom(
      ...names,
      "hashIterations",
      "scrypt_config",
      "n_parameter",
      "services",
      "password",
      "bcrypt",
    );
    fc.assert(
      fc.property(
        fc.dictionary(keys, fc.oneof(values, fc.dictionary(keys, values))),
        (credential) => {
          findLegacyHash({ kind: "credential", credential }, contextOf());
        },
      ),
      { numRuns: runs(800) },
    );
  });
});
