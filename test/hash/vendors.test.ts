import { describe, expect, it } from "vitest";
import type { NormalizeOptions } from "../../src/hash/hash.js";
import { normalizeHash } from "../../src/hash/normalize.js";
import { findVendor, VENDORS } from "../../src/hash/vendors.js";
import exported from "./fixtures/exported-scrypt.json" with { type: "json" };

const BCRYPT = "$2a$05$K8fTGXk6.EXnmL83Zc20VOBWu3dKyj55dA.yvCUB7ydJbdnFTXWgm";
const BCRYPT_2Y = BCRYPT.replace("$2a$", "$2y$");
const ARGON2 =
  "$argon2id$v=19$m=1024,t=2,p=1$Eptj8qK6R+zcOx/uLU584w$XVTaw2GCZpRLtf7+eykZQ3Fpvdw/It3aFh8lnRyEqjo";
const SCRYPT = exported.accepted[0]!.normalized;
const ALWAYS = VENDORS.filter(({ preHash }) => preHash === "always");
const POSSIBLE = VENDORS.filter(({ preHash }) => preHash === "possible");
const NEVER = VENDORS.filter(({ preHash }) => preHash === "never");

function verdictOf(text: string, options: NormalizeOptions = {}) {
  return normalizeHash({ kind: "text", text }, options);
}

describe("vendors", () => {
  it("have names and aliases of their own, in kebab-case", () => {
    const names = VENDORS.flatMap(({ name, aliases }) => [name, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z0-9]+(?:[-.][a-z0-9]+)*$/.test(name))).toEqual([]);
  });

  it("are found by name and by alias", () => {
    expect(findVendor("meteor")?.label).toBe("Meteor");
    expect(findVendor("rocket-chat")?.name).toBe("rocketchat");
    expect(findVendor("__proto__")).toBeNull();
    expect(findVendor("acme")).toBeNull();
  });

  it("that change the password say how", () => {
    expect([...ALWAYS, ...POSSIBLE].filter(({ what }) => what === "")).toEqual([]);
  });

  it.each(VENDORS)("are known from a file or a page: $label", ({ source }) => {
    expect(source).toMatch(/^(?:[\w.-]+\/[\w.-]+|[\w.]+\.com(?:\/docs)?|XenForo 2)[,:] .*\w\)?$/);
  });
});

describe("a bare hash", () => {
  it.each(ALWAYS)("of $label is refused, and the hint says why", ({ name, aliases, what }) => {
    for (const vendor of [name, ...aliases]) {
      for (const text of [BCRYPT_2Y, `"${BCRYPT_2Y}"`, `{bcrypt}${BCRYPT_2Y}`]) {
        const verdict = verdictOf(text, { vendor });
        expect(verdict).toMatchObject({ verdict: "refused", code: "prehashed_unmarked" });
        expect(verdict).toHaveProperty("hint", expect.stringContaining(what.slice(1)));
      }
    }
  });

  it.each(ALWAYS)("of $label is refused on the operator's word, too", ({ name }) => {
    const verdict = verdictOf(BCRYPT_2Y, { vendor: name, allowHash: ["as-typed"] });
    expect(verdict).toMatchObject({ code: "prehashed_unmarked" });
  });

  it.each(ALWAYS.filter(({ name }) => name !== "typo3"))(
    "of $label is refused whatever its algorithm",
    ({ name }) => {
      for (const text of [BCRYPT, ARGON2]) {
        expect(verdictOf(text, { vendor: name })).toMatchObject({ code: "prehashed_unmarked" });
      }
    },
  );

  it.each(POSSIBLE)("of $label is accepted with a notice", ({ name }) => {
    for (const text of [BCRYPT, ARGON2]) {
      expect(verdictOf(text, { vendor: name })).toMatchObject({ notices: ["prehash_possible"] });
    }
  });

  it.each(NEVER)("of $label is accepted without a notice", ({ name }) => {
    for (const text of [BCRYPT, ARGON2]) {
      expect(verdictOf(text, { vendor: name })).toMatchObject({ hash: text, notices: [] });
    }
  });

  it("of nobody, or of a source that is no vendor, is accepted with a notice", () => {
    for (const vendor of [null, "csv", "", "acme"]) {
      expect(verdictOf(BCRYPT, { vendor })).toMatchObject({ notices: ["prehash_possible"] });
    }
  });

  it("has no notice on the operator's word", () => {
    expect(verdictOf(BCRYPT, { allowHash: ["as-typed"] })).toMatchObject({ notices: [] });
    expect(verdictOf(BCRYPT, { allowHash: ["as-typed"], vendor: "devise" })).toMatchObject({
      notices: [],
    });
  });

  it("keeps its other notices beside it, in any vendor's name", () => {
    const text = BCRYPT.replace("$2a$", "$2x$");
    const notices = ["proof_needed", "prehash_possible"];
    expect(verdictOf(text, { allowHash: ["2x"] })).toMatchObject({ hash: BCRYPT, notices });
    expect(verdictOf(text, { allowHash: ["2x"], vendor: "laravel" })).toMatchObject({
      notices: ["proof_needed"],
    });
    expect(verdictOf(text, { allowHash: ["2x"], vendor: "meteor" })).toMatchObject({
      code: "prehashed_unmarked",
    });
  });
});

describe("a system that a mapping says to hash passwords as typed", () => {
  it("needs no row of its own for its bare hashes to be sure", () => {
    for (const text of [BCRYPT, ARGON2]) {
      expect(verdictOf(text, { vendor: "as-typed" })).toMatchObject({ hash: text, notices: [] });
      expect(verdictOf(text, { vendor: "as-typed", onWord: true })).toMatchObject({
        notices: ["prehash_possible"],
      });
    }
  });
});

describe("a vendor scrypt hash", () => {
  it("is never doubted", () => {
    for (const vendor of [null, "csv", "devise", "meteor"]) {
      expect(verdictOf(SCRYPT, { vendor })).toMatchObject({ hash: SCRYPT, notices: [] });
    }
  });
});

describe("a vendor's own form of plain hashes", () => {
  it("is accepted, though its bare hashes are refused", () => {
    expect(verdictOf(`1|${BCRYPT}`, { vendor: "nextcloud" })).toMatchObject({
      hash: BCRYPT,
      notices: [],
    });
    const user = { password: BCRYPT, "password:shaWrapped": 0 };
    expect(
      normalizeHash({ kind: "credential", credential: user }, { vendor: "nodebb" }),
    ).toMatchObject({ hash: BCRYPT, notices: [] });
  });

  it("is TYPO3's argon2 and its $2a$ of before version 9, no other bcrypt", () => {
    const told = (text: string) => verdictOf(text, { vendor: "typo3" });
    const old = BCRYPT.replace("$05$", "$07$");
    expect(told(ARGON2)).toMatchObject({ hash: ARGON2, notices: [] });
    expect(told(old)).toMatchObject({ hash: old, notices: [] });
    for (const text of [BCRYPT_2Y, old.replace("$2a$", "$2b$"), BCRYPT.replace("$05$", "$12$")]) {
      expect(told(text)).toMatchObject({ code: "prehashed_unmarked" });
    }
  });

  it("is WoltLab's with the algorithm's name before it", () => {
    const told = (text: string) => verdictOf(text, { vendor: "woltlab" });
    expect(told(`Bcrypt:${BCRYPT_2Y}`)).toMatchObject({ hash: BCRYPT, notices: [] });
    expect(told(`Argon2:${ARGON2}`)).toMatchObject({ hash: ARGON2, notices: [] });
    expect(told(`Argon2:${BCRYPT}`)).toMatchObject({ code: "unknown_prefix" });
    expect(told(`Vb5argon2:${ARGON2}`)).toMatchObject({ code: "unknown_prefix" });
  });

  it("is of no help to another vendor", () => {
    expect(verdictOf(`1|${BCRYPT}`, { vendor: "meteor" })).toMatchObject({
      code: "prehashed_unmarked",
    });
  });
});
