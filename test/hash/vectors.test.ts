import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import { openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import type { HashConfig, RawHash } from "../../src/hash/hash.js";
import { normalizeHash } from "../../src/hash/normalize.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { SIGNER_KEY } from "../support/known-hashes.js";
import vectors from "./fixtures/vectors.json" with { type: "json" };

interface Vector {
  readonly name: string;
  readonly raw: string | object;
  /** One of these three says what is expected. */
  readonly normalized?: string;
  readonly code?: string;
  readonly verdict?: string;
  readonly password?: string;
  /** Vendors of which every hash is like this, where the text doesn't show it. */
  readonly vendors?: readonly string[];
  readonly hashConfig?: HashConfig;
}

const VECTORS: readonly Vector[] = vectors;
const DETECTABLE = VECTORS.filter(({ vendors }) => vendors === undefined);
const UNMARKED = VECTORS.filter(({ vendors }) => vendors !== undefined);
const NON_ASCII_2X = "bcrypt of the sign-extension fault";

function rawOf({ raw }: Vector): RawHash {
  return typeof raw === "string"
    ? { kind: "text", text: raw }
    : { kind: "credential", credential: raw };
}

function verdictOf(vector: Vector, options = {}) {
  return normalizeHash(rawOf(vector), { hashConfig: vector.hashConfig ?? null, ...options });
}

/** What a vector expects of a verdict. */
function expected({ normalized, code, verdict }: Vector): object {
  if (normalized !== undefined) return { verdict: "accepted", hash: normalized };
  return code === undefined ? { verdict } : { verdict: "refused", code };
}

describe("every encoding of the vectors", () => {
  it.each(DETECTABLE)("gets its verdict: $name", (vector) => {
    expect(verdictOf(vector)).toMatchObject(expected(vector));
  });

  it.each(DETECTABLE.filter(({ raw }) => typeof raw === "object"))(
    "gets the same verdict as JSON text: $name",
    (vector) => {
      const text = JSON.stringify(vector.raw);
      expect(
        normalizeHash({ kind: "text", text }, { hashConfig: vector.hashConfig ?? null }),
      ).toEqual(verdictOf(vector));
    },
  );

  it.each(UNMARKED)("is refused where its vendor is named: $name", (vector) => {
    for (const vendor of vector.vendors ?? []) {
      const verdict = verdictOf(vector, { vendor });
      expect(verdict).toMatchObject({ verdict: "refused", code: "prehashed_unmarked" });
    }
  });

  it.each(UNMARKED)("is accepted with a notice where no vendor is named: $name", (vector) => {
    for (const vendor of [null, "csv"]) {
      const verdict = verdictOf(vector, { vendor });
      expect(verdict).toMatchObject({ verdict: "accepted", notices: ["prehash_possible"] });
    }
  });
});

describe("every accepted encoding with a password, imported into the embedded core", () => {
  const newPath = temporaryPaths();
  let core: EmbeddedCore;
  beforeAll(() => {
    core = openEmbeddedCore({ file: newPath("core.db"), signerKey: SIGNER_KEY });
  });
  afterAll(() => core.close());

  const known = VECTORS.flatMap((vector) => {
    const { name, password, normalized } = vector;
    return password === undefined || normalized === undefined ? [] : [{ name, password, vector }];
  });

  it.each(known)(
    "signs in with it and with no other: $name",
    async ({ name, password, vector }) => {
      const verdict = verdictOf(vector);
      if (verdict.verdict !== "accepted") throw new Error("not accepted");
      const email = `user-${known.findIndex((one) => one.name === name)}@example.com`;
      const isScrypt = verdict.algorithm === "vendor_scrypt";
      await core.importUser({
        email,
        passwordHash: verdict.hash,
        ...(isScrypt ? { hashingAlgorithm: "vendor_scrypt" } : {}),
      });
      expect(await core.signIn({ email, password })).toMatchObject({ status: "OK" });
      const wrong = { email, password: `${password}.` };
      expect(await core.signIn(wrong)).toMatchObject({ status: "WRONG_CREDENTIALS_ERROR" });
    },
  );

  it("has examples of all three algorithms", () => {
    const algorithms = known
      .map(({ vector }) => verdictOf(vector))
      .map((verdict) => (verdict.verdict === "accepted" ? verdict.algorithm : ""));
    expect(new Set(algorithms)).toEqual(new Set(["bcrypt", "argon2", "vendor_scrypt"]));
    expect(known.length).toBeGreaterThan(35);
  });
});

describe("bcrypt of the sign-extension fault, taken on the operator's word", () => {
  it("is written $2a$, with a notice that only ASCII passwords verify", () => {
    const vector = VECTORS.find(({ name }) => name === NON_ASCII_2X)!;
    expect(verdictOf(vector, { allowHash: ["2x"], vendor: "laravel" })).toMatchObject({
      hash: String(vector.raw).replace("$2x$", "$2a$"),
      steps: ["bcrypt_2x_to_2a"],
      notices: ["proof_needed"],
    });
  });
});
