import { describe, expect, it } from "vitest";
import type { HashConfig } from "../../src/hash/hash.js";
import { normalizeHash } from "../../src/hash/normalize.js";
import { SIGNER_KEY } from "../support/known-hashes.js";
import exported from "./fixtures/exported-scrypt.json" with { type: "json" };

const { hash, salt, normalized } = exported.accepted[0]!;
const URL_SAFE_KEY = Buffer.from(SIGNER_KEY, "base64").toString("base64url");
const OTHER_KEY = Buffer.alloc(64, 7).toString("base64");
const SHORT_KEY = Buffer.alloc(32, 7).toString("base64");

const WHOLE = { hash, salt, key: SIGNER_KEY, separator: "Bw==", memCost: "14", rounds: "8" };
type Parts = typeof WHOLE;

const clerkDigest = ({ hash, salt, key, separator, memCost, rounds }: Parts): string =>
  [hash, salt, key, separator, rounds, memCost].join("$");

/** The forms in which vendors keep the hashes that they took over from Firebase. */
const CARRIERS: readonly (readonly [vendor: string, write: (parts: Parts) => string])[] = [
  [
    "Supabase",
    ({ hash, salt, key, separator, memCost, rounds }) =>
      `$fbscrypt$v=1,n=${memCost},r=${rounds},p=1,ss=${separator},sk=${key}$${salt}$${hash}`,
  ],
  [
    "Ory Kratos",
    ({ hash, salt, key, separator, memCost, rounds }) =>
      `$firescrypt$ln=${memCost},r=${rounds},p=1$${salt}$${hash}$${separator}$${key}`,
  ],
  [
    "Authgear",
    ({ hash, salt, key, separator, memCost, rounds }) =>
      `$firebase-scrypt$hash=${hash}$salt=${salt}$sk=${key}$ss=${separator}$r=${rounds}$m=${memCost}`,
  ],
  [
    "Clerk",
    (parts) =>
      JSON.stringify({ password_digest: clerkDigest(parts), password_hasher: "scrypt_firebase" }),
  ],
];

function account(signerKey: string | null): HashConfig {
  return { signerKey, saltSeparator: "AA==", rounds: 1, memCost: 1 };
}

function verdictOf(text: string, hashConfig: HashConfig | null = null) {
  return normalizeHash({ kind: "text", text }, { hashConfig });
}

describe.each(CARRIERS)(
  "a vendor scrypt hash that carries its parameters, by %s",
  (_vendor, write) => {
    it("is rebuilt from them, whatever other account's are given", () => {
      for (const hashConfig of [null, account(null), account(SIGNER_KEY), account(URL_SAFE_KEY)]) {
        const verdict = verdictOf(write(WHOLE), hashConfig);
        expect(verdict).toMatchObject({ verdict: "accepted", hash: normalized, notices: [] });
      }
    });

    it("is refused where another signer key is given: a core holds one", () => {
      expect(verdictOf(write(WHOLE), account(OTHER_KEY))).toMatchObject({
        code: "signer_key_mismatch",
      });
    });

    it("has no key in any verdict", () => {
      const verdicts = [
        verdictOf(write(WHOLE)),
        verdictOf(write(WHOLE), account(OTHER_KEY)),
        verdictOf(write({ ...WHOLE, key: SHORT_KEY })),
        verdictOf(write({ ...WHOLE, salt: "" })),
      ];
      const told = JSON.stringify(verdicts);
      for (const key of [SIGNER_KEY, OTHER_KEY, SHORT_KEY])
        expect(told).not.toContain(key.slice(0, 20));
    });

    it.each<readonly [string, Partial<Parts>, string]>([
      ["a key that is none", { key: SHORT_KEY }, "signer_key_length"],
      ["a key that isn't base64", { key: "secret!" }, "signer_key_length"],
      ["an empty separator", { separator: "" }, "fscrypt_separator"],
      ["a memory cost beyond a core's", { memCost: "16" }, "fscrypt_parameters"],
      ["rounds beyond a core's", { rounds: "17" }, "fscrypt_parameters"],
      ["a number that is none", { rounds: "eight" }, "fscrypt_parameters"],
      ["no salt", { salt: "" }, "fscrypt_salt"],
      ["a short hash", { hash: hash.slice(4) }, "fscrypt_hash_length"],
      ["a damaged hash", { hash: `!${hash.slice(1)}` }, "fscrypt_hash"],
    ])("is refused with %s", (_what, parts, code) => {
      expect(verdictOf(write({ ...WHOLE, ...parts }))).toMatchObject({ verdict: "refused", code });
    });
  },
);

describe("Clerk's digest without the name of its hasher", () => {
  const whole = clerkDigest(WHOLE);

  it("is rebuilt, in either alphabet", () => {
    const urlSafe = whole.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    for (const text of [whole, `"${whole}"`, urlSafe]) {
      expect(verdictOf(text)).toMatchObject({ hash: normalized });
    }
    expect(verdictOf(whole, account(OTHER_KEY))).toMatchObject({
      code: "signer_key_mismatch",
    });
  });

  it("is nothing known with a field that isn't one of Clerk's", () => {
    for (const parts of [{ key: SHORT_KEY }, { rounds: "eight" }, { hash: hash.slice(4) }]) {
      expect(verdictOf(clerkDigest({ ...WHOLE, ...parts }))).toMatchObject({ code: "unknown" });
    }
    expect(verdictOf(`${whole}$1`)).toMatchObject({ code: "unknown" });
  });
});

/** What transport does to a text with parts of a hash in it. */
const DAMAGE: readonly (readonly [what: string, damage: (text: string) => string])[] = [
  ["a column's padding", (text) => `${text}   `],
  ["a no-break space", (text) => `${text}\u00A0`],
  ["a line's end", (text) => `${text}\r\n`],
  ["NUL padding", (text) => text + "\0".repeat(31)],
  ["NUL padding that is written out", (text) => text + "\\0".repeat(31)],
  ["escaped slashes", (text) => text.replaceAll("/", "\\/")],
  ["blanks that form decoding made of +", (text) => text.replaceAll("+", " ")],
];

describe.each(DAMAGE)("a carried hash with %s", (_what, damage) => {
  it.each(CARRIERS.slice(0, 3))("is rebuilt as one without, by %s", (_vendor, write) => {
    expect(verdictOf(damage(write(WHOLE)))).toMatchObject({ hash: normalized, notices: [] });
  });
});

describe("Supabase's and Kratos' scrypt", () => {
  it("is refused with another version or parallelism, or a field twice", () => {
    const [supabase, kratos] = [CARRIERS[0]![1](WHOLE), CARRIERS[1]![1](WHOLE)];
    for (const text of [
      supabase.replace("v=1,", "v=2,"),
      supabase.replace("p=1,", "p=2,"),
      supabase.replace("r=8,", "r=8,r=8,"),
      supabase.replace(/sk=[^$]*/, ""),
      kratos.replace("p=1", "p=2"),
      `${kratos}$more`,
    ]) {
      expect(verdictOf(text)).toMatchObject({ verdict: "refused", code: "fscrypt_format" });
    }
  });
});
