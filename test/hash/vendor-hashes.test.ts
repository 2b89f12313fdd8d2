import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EmbeddedCore, openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import { normalizeHash } from "../../src/hash/normalize.js";
import { preHashCandidates } from "../../src/hash/prehash.js";
import { VENDORS } from "../../src/hash/vendors.js";
import { verifyPassword } from "../../src/hash/verify.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import {
  HASH_CONFIG,
  type Made,
  PEPPER,
  SIGNER_KEY,
  USER,
  VENDOR_HASHES,
} from "./support/vendor-hashes.js";

const ALL = VENDORS.flatMap((vendor) =>
  (VENDOR_HASHES[vendor.name] ?? []).map((made) => ({ ...made, vendor, label: vendor.label })),
);

function only(is: Made["is"]): typeof ALL {
  return ALL.filter((made) => made.is === is);
}

function accepted({ raw }: Made, vendor: string) {
  const verdict = normalizeHash(raw, { vendor, hashConfig: HASH_CONFIG });
  if (verdict.verdict !== "accepted") throw new Error(`not accepted: ${verdict.verdict}`);
  return verdict;
}

/** The vendors that a proof would name for a hash that what was typed doesn't fit. */
async function namedByProof(hash: string, typed: string): Promise<readonly string[]> {
  const context = { hash, salts: [PEPPER], userNames: [USER] };
  for await (const { form, password, argon2Secret } of preHashCandidates(typed, context)) {
    if (await verifyPassword(hash, password, { argon2Secret })) return form.vendors;
  }
  return [];
}

it("every vendor has hashes here, made as its software makes them", () => {
  const names = VENDORS.map(({ name }) => name);
  expect(Object.keys(VENDOR_HASHES).toSorted()).toEqual(names.toSorted());
});

describe("a hash of the password as typed, under its vendor's name", () => {
  const newPath = temporaryPaths();
  let core: EmbeddedCore;
  beforeAll(() => {
    core = openEmbeddedCore({ file: newPath("core.db"), signerKey: SIGNER_KEY });
  });
  afterAll(() => core.close());

  it.each(only("signs_in"))("is accepted and signs its owner in: $label, $how", async (made) => {
    const { algorithm, hash, notices } = accepted(made, made.vendor.name);
    const email = `user-${ALL.indexOf(made)}@example.com`;
    const scrypt = algorithm === "vendor_scrypt" ? { hashingAlgorithm: algorithm } : {};
    await core.importUser({ email, passwordHash: hash, ...scrypt });
    expect(await core.signIn({ email, password: made.typed })).toMatchObject({ status: "OK" });
    const wrong = { email, password: `${made.typed}.` };
    expect(await core.signIn(wrong)).toMatchObject({ status: "WRONG_CREDENTIALS_ERROR" });
    if (made.vendor.preHash === "never") expect(notices).toEqual([]);
  });
});

describe("a hash of something else, under its vendor's name", () => {
  it.each(only("refused"))("is refused by name: $label, $how", ({ raw, code, vendor }) => {
    const verdict = normalizeHash(raw, { vendor: vendor.name, allowHash: ["as-typed"] });
    expect(verdict).toMatchObject({ verdict: "refused", code });
  });

  it.each([...only("noticed"), ...only("excepted")])(
    "is accepted, and its vendor's way is told: $label, $how",
    async (made) => {
      const { hash, notices } = accepted(made, made.vendor.name);
      expect(await verifyPassword(hash, made.typed)).toBe(false);
      expect(made.vendor.what).not.toBe("");
      expect(notices).toEqual(made.is === "noticed" ? ["prehash_possible"] : []);
    },
  );

  it.each(
    ALL.filter(({ is, code = "prehashed_unmarked" }) => {
      return is !== "signs_in" && code === "prehashed_unmarked";
    }),
  )("is recognized by a proof, which names the vendor: $label, $how", async (made) => {
    // A vendor's refusal comes before the notice; without its name the hash is accepted.
    const { hash } = accepted(made, "csv");
    expect(await namedByProof(hash, made.typed)).toContain(made.vendor.name);
  });
});
