import { describe, expect, it } from "vitest";
import type { HashConfig, RawHash } from "../../src/hash/hash.js";
import { findLegacyHash } from "../../src/hash/legacy/find-legacy-hash.js";
import { normalizeHash } from "../../src/hash/normalize.js";
import { SIGNER_KEY } from "../support/known-hashes.js";
import exported from "./fixtures/exported-scrypt.json" with { type: "json" };

const BCRYPT = "$2a$05$K8fTGXk6.EXnmL83Zc20VOBWu3dKyj55dA.yvCUB7ydJbdnFTXWgm";
const ARGON2 =
  "$argon2id$v=19$m=1024,t=2,p=1$Eptj8qK6R+zcOx/uLU584w$XVTaw2GCZpRLtf7+eykZQ3Fpvdw/It3aFh8lnRyEqjo";
const KINDS = ["salted", "vendor_scrypt"] as const;
const { hash, salt, normalized } = exported.accepted[0]!;
const config: HashConfig = {
  signerKey: SIGNER_KEY,
  saltSeparator: "Bw==",
  rounds: 8,
  memCost: 14,
};

function salted(hashText: string, saltText: string, hashConfig: HashConfig | null = null) {
  return normalizeHash({ kind: "salted", hash: hashText, salt: saltText }, { hashConfig });
}

describe.each(KINDS)("a hash beside a salt (%s)", (kind) => {
  it.each([
    ["as it is", BCRYPT],
    ["in a wrapper", `{bcrypt}${BCRYPT}`],
    ["in quotation marks", `"${BCRYPT}"`],
    ["in hexadecimal", Buffer.from(BCRYPT).toString("hex")],
    ["in base64", Buffer.from(BCRYPT).toString("base64")],
    ["as 64 bytes of text in base64", Buffer.from(`"${BCRYPT}"\r\n`).toString("base64")],
    ["with blanks around", ` ${BCRYPT} `],
  ])("is refused where it is complete %s", (_what, text) => {
    for (const hashConfig of [null, config]) {
      const raw: RawHash = { kind, hash: text, salt: "Zs4c9yXq" };
      const verdict = normalizeHash(raw, { hashConfig, allowHash: ["as-typed"] });
      expect(verdict).toMatchObject({ verdict: "refused", code: "mcf_plus_salt_column" });
    }
  });

  it.each([
    ["bcrypt's head and salt", `$2b${BCRYPT.slice(3)}`, `$2b${BCRYPT.slice(3, 29)}`, BCRYPT],
    ["bcrypt's salt alone", BCRYPT, BCRYPT.slice(7, 29), BCRYPT],
    ["argon2's salt", ARGON2, "Eptj8qK6R+zcOx/uLU584w", ARGON2],
    ["argon2's salt with padding", ARGON2, "Eptj8qK6R+zcOx/uLU584w==", ARGON2],
  ])("is taken alone where the column only repeats %s", (_what, text, own, sent) => {
    expect(normalizeHash({ kind, hash: text, salt: own }, { hashConfig: config })).toMatchObject({
      hash: sent,
      steps: expect.arrayContaining(["salt_column_redundant"]) as string[],
      notices: ["prehash_possible"],
    });
  });

  it.each([
    ["bcrypt's salt of another cost", BCRYPT, `$2a$06${BCRYPT.slice(6, 29)}`],
    ["another bcrypt salt", BCRYPT, `a${BCRYPT.slice(8, 29)}`],
    ["a piece of bcrypt's salt", BCRYPT, BCRYPT.slice(7, 28)],
    ["another argon2 salt", ARGON2, "Eptj8qK6R+zcOx/uLU585w"],
  ])("is refused beside %s", (_what, text, other) => {
    expect(normalizeHash({ kind, hash: text, salt: other })).toMatchObject({
      code: "mcf_plus_salt_column",
    });
  });

  it("is built into the vendor's scrypt with the account's parameters", () => {
    const verdict = normalizeHash({ kind, hash, salt }, { hashConfig: config });
    expect(verdict).toMatchObject({ hash: normalized, steps: ["vendor_scrypt_built"] });
  });

  it("has the + back that form decoding made a blank of", () => {
    const raw: RawHash = { kind, hash: hash.replaceAll("+", " "), salt: salt.replaceAll("+", " ") };
    expect(normalizeHash(raw, { hashConfig: config })).toMatchObject({
      hash: normalized,
      steps: ["plus_restored", "vendor_scrypt_built"],
    });
  });

  it("asks for the account's parameters where it looks like the vendor's scrypt", () => {
    expect(normalizeHash({ kind, hash, salt })).toMatchObject({ code: "hash_config_missing" });
  });

  it.each([
    ["another algorithm's", "$P$B12345678abcdefghijklmnopqrstuv", "phpass"],
    ["a pre-hash's", `$wp${BCRYPT}`, "wordpress_6_8"],
    ["a broken one", BCRYPT.slice(0, -1), "bcrypt_length"],
    ["unknown before a hash", `acme1:${BCRYPT}`, "unknown_prefix"],
    ["withheld", "UkVEQUNURUQ=", "firebase_redacted"],
  ])("is called what it is where it is %s", (_what, text, code) => {
    expect(normalizeHash({ kind, hash: text, salt: "Zs4c9yXq" })).toMatchObject({ code });
  });
});

describe("a salt column of unknown meaning", () => {
  it.each(["", " ", "NULL", "\\N"])("counts for nothing where it holds %j", (blank) => {
    expect(salted(BCRYPT, blank)).toMatchObject({ verdict: "accepted", hash: BCRYPT });
  });

  it("means no password where there is no hash", () => {
    expect(salted("NULL", "Zs4c9yXq")).toEqual({ verdict: "none" });
  });

  it("names a digest, and says of others that the parameters may be missing", () => {
    expect(salted("5f4dcc3b5aa765d61d8327deb882cf99", "ab")).toMatchObject({ code: "raw_digest" });
    const verdict = salted("c2FsdGVkIGhhc2g", "ab");
    expect(verdict).toMatchObject({ code: "salted_unknown" });
    expect(verdict).toHaveProperty("hint", expect.stringContaining("--hash-config"));
  });
});

describe("a hash that was folded after 76 characters, as SQL's encoders do", () => {
  it.each(["\n", "\r\n"])("is joined", (lineEnd) => {
    const folded = `${hash.slice(0, 76)}${lineEnd}${hash.slice(76)}${lineEnd}`;
    expect(salted(folded, salt, config)).toMatchObject({
      hash: normalized,
      steps: ["trim", "lines_joined", "vendor_scrypt_built"],
    });
  });
});

describe("a hash or a salt that was damaged on the way", () => {
  it.each<readonly [string, string, (text: string) => string]>([
    ["quotation marks", "unquoted", (text) => `'${text}'`],
    ["escaped slashes", "unescaped", (text) => text.replaceAll(/[/=]/g, "\\$&")],
    ["percent-encoding", "percent_decoded", encodeURIComponent],
    ["HTML entities", "entities_decoded", (text) => text.replaceAll("=", "&#x3D;")],
    ["a JSON text", "unquoted", (text) => JSON.stringify(`${text}\n`)],
  ])("is mended where it is %s", (_what, step, damage) => {
    for (const [one, other] of [
      [damage(hash), salt],
      [hash, damage(salt)],
      [damage(hash), damage(salt)],
    ] as const) {
      const verdict = salted(one, other, config);
      expect(verdict).toMatchObject({ hash: normalized });
      expect(verdict).toHaveProperty("steps", expect.arrayContaining([step]));
    }
  });

  it("loses the mark that keeps a spreadsheet from running it", () => {
    const begunWithPlus = (text: string): string => `+${text.slice(1)}`;
    const [plusHash, plusSalt] = [begunWithPlus(hash), begunWithPlus(salt)];
    const expected = { hash: `$f_scrypt$${plusHash}$${plusSalt}$m=14$r=8$s=Bw==` };
    expect(salted(`'${plusHash}`, plusSalt, config)).toMatchObject(expected);
    expect(salted(plusHash, `'${plusSalt}`, config)).toMatchObject(expected);
    const urlSafe = plusHash.replaceAll("+", "-").replaceAll("/", "_");
    expect(salted(`'${urlSafe}`, plusSalt, config)).toMatchObject(expected);
  });

  it("is mended where the hash is PostgreSQL's bytea, not told to be of one case", () => {
    const bytea = `\\x${Buffer.from(hash).toString("hex")}`;
    expect(salted(bytea, salt, config)).toMatchObject({ hash: normalized });
  });
});

describe("a salt whose first + may have become a blank", () => {
  const plusSalt = Buffer.from([0xf8, ...Buffer.from("nine byte")]).toString("base64");

  it("is mended where its padding tells", () => {
    expect(plusSalt).toMatch(/^\+.*=$/);
    const expected = salted(hash, plusSalt, config);
    expect(salted(hash, plusSalt.replace("+", " "), config)).toMatchObject({
      hash: (expected as { hash: string }).hash,
    });
  });

  it("is refused where a stray blank would look the same", () => {
    const twelveBytes = Buffer.from([0xf8, ...Buffer.from("eleven byte")]).toString("base64");
    expect(twelveBytes).toMatch(/^\+[^=]*$/);
    expect(salted(hash, twelveBytes.replace("+", " "), config)).toMatchObject({
      code: "fscrypt_salt",
    });
  });

  it("is trimmed where a + can't have been there", () => {
    expect(salted(hash, ` ${salt}`, config)).toMatchObject({ hash: normalized });
  });
});

describe("a hash beside a salt and the name of its algorithm", () => {
  const bytes = Buffer.alloc(64, 7).toString("base64");
  const named = (algorithm: string) => ({ password_hash: bytes, algorithm, salt: "wNq8Kd2T" });

  it.each([
    ["pbkdf2-salt", "pbkdf2"],
    ["PBKDF2-SHA512", "pbkdf2"],
    ["scrypt$65536$16$2$50", "scrypt"],
    ["sha512-salt", "credential_algorithm"],
    ["hmac_sha512", "credential_algorithm"],
  ])(
    "is what the name says and not the vendor's scrypt, with its parameters or without: %s",
    (algorithm, code) => {
      for (const hashConfig of [null, config]) {
        const verdict = normalizeHash(
          { kind: "credential", credential: named(algorithm) },
          { hashConfig },
        );
        expect(verdict).toMatchObject({ verdict: "refused", code });
      }
    },
  );

  it.each([
    ["argon_2id", "credential_algorithm"],
    ["pbkdf2_sha256", "pbkdf2"],
    ["md5", "raw_digest"],
  ])("is no digest by its looks where another algorithm is named: %s", (algorithm, code) => {
    const credential = { ...named(algorithm), password_hash: "5f".repeat(32) };
    expect(normalizeHash({ kind: "credential", credential })).toMatchObject({ code });
  });

  it.each(["SCRYPT", "firebase-scrypt", "custom"])("may be the vendor's under %s", (algorithm) => {
    const verdict = normalizeHash({ kind: "credential", credential: named(algorithm) });
    expect(verdict).toMatchObject({ code: "hash_config_missing" });
  });

  it("goes to the bridge as a digest alone where it is named as one", () => {
    const format = (algorithm: string) => {
      const found = findLegacyHash(
        { kind: "credential", credential: named(algorithm) },
        { vendor: null, pepper: null, userNames: [] },
      );
      return found !== null && "format" in found ? found.format : null;
    };
    expect([format("sha512-salt"), format("pbkdf2-salt")]).toEqual(["column_salted_sha512", null]);
  });
});
