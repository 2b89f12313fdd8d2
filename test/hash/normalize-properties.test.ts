import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { definedCodes } from "../../src/hash/flaw.js";
import { checkHash } from "../../src/hash/grammar.js";
import type { HashConfig, RawHash } from "../../src/hash/hash.js";
import { normalizeHash } from "../../src/hash/normalize.js";
import acceptedTexts from "./fixtures/accepted-texts.json" with { type: "json" };
import exported from "./fixtures/exported-scrypt.json" with { type: "json" };
import refusedTexts from "./fixtures/refused-texts.json" with { type: "json" };
import vectors from "./fixtures/vectors.json" with { type: "json" };
import { repeated, runs } from "../support/repeated.js";

const NUM_RUNS = repeated({ variable: "MUTATED_HASHES", few: 2_000, full: 20_000 });

const config: HashConfig = {
  signerKey: exported.signerKey,
  saltSeparator: "Bw==",
  rounds: 8,
  memCost: 14,
};
const VENDORS = [null, "csv", "django", "meteor", "devise", "nextcloud", "htpasswd", "__proto__"];
const credentials = vectors.flatMap(({ raw }) => (typeof raw === "string" ? [] : [raw]));
const refusedSeeds = [
  ...refusedTexts.map(({ raw }) => raw),
  ...credentials.map((raw) => JSON.stringify(raw)),
];
const acceptedSeeds = [
  ...vectors.flatMap(({ raw, normalized }) =>
    typeof raw === "string" && normalized !== undefined ? [raw] : [],
  ),
  ...acceptedTexts.map(({ raw }) => raw),
  ...exported.accepted.map(({ normalized }) => normalized),
];

/** Random text, or a hash from the wild with a piece of it replaced, doubled or dropped. */
const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ unit: fc.constantFrom(..."$2abxy{}=,.:/+-_!*mtprs0A\0 \uFEFF"), maxLength: 200 }),
  fc
    .tuple(
      fc.oneof(fc.constantFrom(...acceptedSeeds), fc.constantFrom(...refusedSeeds)),
      fc.nat(160),
      fc.nat(3),
      fc.oneof(
        fc.constant(""),
        fc.string({ maxLength: 4 }),
        fc.constantFrom(
          "$",
          "=",
          "==",
          "$2a$",
          "$v=19",
          ",data=AA",
          "-",
          "_",
          " ",
          "\0",
          "{bcrypt}",
        ),
      ),
    )
    .map(([seed, at, length, piece]) => seed.slice(0, at) + piece + seed.slice(at + length)),
);

/** The fields that credentials have, with values that they may have and others. */
const fieldNames = fc.oneof(
  fc.constantFrom(
    ...["password", "hash", "passwordHash", "salt", "type", "algorithm", "value", "workFactor"],
    ...["credentialData", "secretData", "additionalParameters", "credentials", "config", "data"],
    ...["encryptionScheme", "factor", "password_digest", "password_hasher", "hashOptions"],
    ...["scheme_class", "services", "bcrypt", "password:shaWrapped", "__proto__", "constructor"],
  ),
  fc.string({ maxLength: 6 }),
);
const fieldValues = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    hostileText,
    fc.constantFrom("bcrypt", "BCRYPT", "argon2", "argon2id", "scrypt_firebase", "scryptMod"),
    fc.constantFrom(null, true, 0, 10, -1, 1.5, "10", "XF:Core12", "1.3", "id"),
    fc.dictionary(fieldNames, tie("value"), { maxKeys: 5 }),
    fc.array(tie("value"), { maxLength: 3 }),
  ),
})).value;
const hostileCredential = fc.oneof(
  fc.dictionary(fieldNames, fieldValues, { maxKeys: 6 }),
  fc.array(fieldValues, { maxLength: 3 }),
  fc
    .tuple(fc.constantFrom(...credentials), fieldNames, fieldValues)
    .map(([credential, name, value]) => ({ ...credential, [name]: value })),
  fc.object({ maxDepth: 4 }),
);

const hostileHash: fc.Arbitrary<RawHash> = fc.oneof(
  { weight: 4, arbitrary: hostileText.map((text): RawHash => ({ kind: "text", text })) },
  fc
    .tuple(
      fc.constantFrom("vendor_scrypt", "salted"),
      fc.oneof(hostileText, fc.constantFrom(...exported.accepted.map(({ hash }) => hash))),
      fc.oneof(hostileText, fc.base64String({ maxLength: 24 })),
    )
    .map(([kind, hash, salt]): RawHash => ({ kind, hash, salt })),
  hostileCredential.map((credential): RawHash => ({ kind: "credential", credential })),
  hostileCredential.map(
    (credential): RawHash => ({
      kind: "text",
      text: JSON.stringify(credential),
    }),
  ),
);
const hostileConfig = fc.option(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(config) },
    fc.record({
      signerKey: fc.string({ maxLength: 90 }),
      saltSeparator: fc.oneof(fc.base64String({ maxLength: 8 }), fc.string({ maxLength: 8 })),
      rounds: fc.oneof(fc.integer({ min: -1, max: 10 }), fc.double()),
      memCost: fc.oneof(fc.integer({ min: -1, max: 16 }), fc.double()),
    }),
  ),
  { nil: null },
);

const hostileOptions = fc.record({
  hashConfig: hostileConfig,
  vendor: fc.constantFrom(...VENDORS),
  allowHash: fc.subarray(["2x", "as-typed", "argon2-24", "argon2-40", "argon2-any"] as const),
});

/** What a changed character does in a text, as the least of a transport's damage. */
const mutations = fc.array(
  fc.tuple(
    fc.constantFrom("replace", "insert", "drop"),
    fc.nat(255),
    fc.constantFrom(..."abcXYZ019./+=$-_,"),
  ),
  { minLength: 1, maxLength: 3 },
);

function mutated(text: string, changes: readonly (readonly [string, number, string])[]): string {
  return changes.reduce((before, [kind, place, character]) => {
    const at = place % before.length;
    const rest = before.slice(kind === "insert" ? at : at + 1);
    return before.slice(0, at) + (kind === "drop" ? "" : character) + rest;
  }, text);
}

/** Of an accepted argon2 or vendor scrypt hash, in characters; null for bcrypt, which is cut at fixed places. */
function saltLength(hash: string): number | null {
  if (hash.startsWith("$f_scrypt$")) return hash.split("$")[3]?.replaceAll("=", "").length ?? 0;
  return hash.startsWith("$argon2") ? (hash.split("$").at(-2)?.length ?? 0) : null;
}

describe("a hash of which a few characters were changed", () => {
  const seeds = acceptedSeeds.flatMap((raw) => {
    const verdict = normalizeHash({ kind: "text", text: raw });
    return verdict.verdict === "accepted" ? [verdict.hash] : [];
  });
  it("is never accepted outside a core's grammar, and a salt of another length is told", () => {
    const seen = { accepted: 0, otherSalts: 0 };
    fc.assert(
      fc.property(fc.constantFrom(...seeds), mutations, (hash, changes) => {
        const text = mutated(hash, changes);
        const verdict = normalizeHash({ kind: "text", text }, { hashConfig: config });
        if (verdict.verdict !== "accepted") return;
        seen.accepted += 1;
        const { algorithm } = verdict;
        expect(checkHash(verdict.hash)).toEqual({ ok: true, algorithm });
        if (saltLength(verdict.hash) === saltLength(hash)) return;
        seen.otherSalts += 1;
        expect(verdict.notices.join(), text).toMatch(/proof_needed/);
      }),
      { numRuns: NUM_RUNS, seed: 20 },
    );
    // Else the property would hold for want of examples.
    expect(seen.accepted).toBeGreaterThan(NUM_RUNS / 20);
    expect(seen.otherSalts).toBeGreaterThan(NUM_RUNS / 1000);
  });
});

describe("whatever comes in", () => {
  it("never throws, is idempotent and sends nothing that a core refuses", () => {
    let accepted = 0;
    const codes = new Set(definedCodes());
    fc.assert(
      fc.property(hostileHash, hostileOptions, (raw, options) => {
        const verdict = normalizeHash(raw, options);
        if (verdict.verdict === "refused") expect(codes).toContain(verdict.code);
        if (verdict.verdict !== "accepted") return;
        accepted += 1;
        const { algorithm, hash } = verdict;
        expect(checkHash(hash)).toEqual({ ok: true, algorithm });
        expect(hash.length).toBeLessThanOrEqual(256);
        const again = normalizeHash(
          { kind: "text", text: hash },
          { ...options, vendor: "laravel" },
        );
        // What the text itself shows is told again; of the vendor `laravel` no more is.
        const notices =
          algorithm === "bcrypt" ? [] : verdict.notices.filter((one) => one === "proof_needed");
        expect(again).toEqual({ verdict: "accepted", algorithm, hash, steps: [], notices });
      }),
      { numRuns: NUM_RUNS },
    );
    // Else the property would hold for want of examples.
    expect(accepted).toBeGreaterThan(NUM_RUNS / 100);
  });

  it("says nothing of a refused text, a salt or a key", () => {
    fc.assert(
      fc.property(hostileHash, hostileOptions, (raw, options) => {
        const verdict = normalizeHash(raw, options);
        if (verdict.verdict !== "refused") return;
        expect(verdict).toBe(normalizeHash(raw, options));
        expect(Object.keys(verdict)).toEqual(["verdict", "code", "hint"]);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it("is as good as its JSON, where it is a credential", () => {
    fc.assert(
      fc.property(hostileCredential, hostileOptions, (credential, options) => {
        const text = JSON.stringify(credential);
        fc.pre(text.length <= 1024 && /^\[?\{/.test(text));
        const parsed: object = JSON.parse(text);
        const verdict = normalizeHash({ kind: "credential", credential: parsed }, options);
        expect(normalizeHash({ kind: "text", text }, options)).toEqual(verdict);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it("takes every argon2 hash that its encoder can write, whatever the parameters' order", () => {
    const parameters = fc.record({
      memory: fc.integer({ min: 1024, max: 4_000_000 }),
      iterations: fc.integer({ min: 1, max: 20 }),
      parallelism: fc.integer({ min: 1, max: 128 }),
      salt: fc.uint8Array({ minLength: 16, maxLength: 24 }),
      output: fc
        .constantFrom(32, 64)
        .chain((length) => fc.uint8Array({ minLength: length, maxLength: length })),
      order: fc.shuffledSubarray(["m", "t", "p"], { minLength: 3 }),
    });
    fc.assert(
      fc.property(parameters, ({ memory, iterations, parallelism, salt, output, order }) => {
        const values: Record<string, number> = { m: memory, t: iterations, p: parallelism };
        const [saltText, outputText] = [salt, output].map((bytes) =>
          Buffer.from(bytes).toString("base64url"),
        );
        const text = `$argon2id$v=19$${order.map((name) => `${name}=${values[name]}`)}$${saltText}$${outputText}`;
        const mended = normalizeHash({ kind: "text", text });
        // Bytes like all zeros, which fast-check likes to try, are doubted for their one letter case.
        if (mended.verdict === "refused" && mended.code === "argon2_casefold") return;
        expect(mended).toMatchObject({ verdict: "accepted", algorithm: "argon2" });
      }),
      { numRuns: runs(500) },
    );
  });

  it("names the changed case of short argon2 hashes and of PHC's bcrypt", () => {
    const bytes = (...lengths: number[]) =>
      fc
        .constantFrom(...lengths)
        .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }))
        .map((some) => Buffer.from(some).toString("base64").replaceAll("=", ""));
    const folded = fc.oneof(
      fc
        .tuple(bytes(8, 12, 16), bytes(16))
        .map(([salt, hash]) => `$argon2i$v=19$m=512,t=2,p=2$${salt}$${hash}`.toLowerCase()),
      fc
        .tuple(bytes(16), bytes(23))
        .map(([salt, hash]) => `$bcrypt$v=98$r=10$${salt}$${hash}`.toLowerCase()),
    );
    fc.assert(
      fc.property(folded, (text) => {
        const verdict = normalizeHash({ kind: "text", text });
        expect(verdict).toHaveProperty(
          "code",
          expect.stringMatching(/^(?:argon2|bcrypt)_casefold$/),
        );
      }),
      { numRuns: runs(500) },
    );
  });

  it("never strips an unknown text before a valid hash", () => {
    const valid = acceptedTexts.map(({ normalized }) => normalized);
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."abcXYZ019:|#._-"), minLength: 1, maxLength: 20 }),
        fc.constantFrom(...valid),
        (before, hash) => {
          const verdict = normalizeHash({ kind: "text", text: before + hash });
          if (["argon2", "bcrypt$", "1|", "2|", "3|", "Bcrypt:"].includes(before)) return;
          expect(verdict).toMatchObject({ verdict: "refused" });
        },
      ),
      { numRuns: runs(1_000) },
    );
  });
});
