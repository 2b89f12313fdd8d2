import { createHash, createHmac } from "node:crypto";
import { hashSync } from "bcryptjs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  PRE_HASH_FORMS,
  type PreHashCandidate,
  type PreHashContext,
  preHashCandidates,
} from "../../src/hash/prehash.js";
import { VENDORS } from "../../src/hash/vendors.js";
import { verifyPassword } from "../../src/hash/verify.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import knownAnswers from "./fixtures/known-answers.json" with { type: "json" };
import preHashed from "./fixtures/pre-hashed.json" with { type: "json" };
import { runs } from "../support/repeated.js";

const BCRYPT = knownAnswers.find(({ hash }) => hash.startsWith("$2a$05$"))!.hash;
const PASSWORD = "Tr0mbone & Kazoo";

function contextOf(fields: Partial<PreHashContext> = {}): PreHashContext {
  return { hash: BCRYPT, userNames: [], salts: [], ...fields };
}

/** The names of the forms whose changed password a hash was made from. */
async function formsThatFit(password: string, context: PreHashContext): Promise<string[]> {
  const names: string[] = [];
  for await (const { form, password: changed, argon2Secret } of preHashCandidates(
    password,
    context,
  )) {
    if (await verifyPassword(context.hash, changed, { argon2Secret })) names.push(form.name);
  }
  return names;
}

/** All candidates, in order. */
async function allOf(password: string, context: PreHashContext): Promise<PreHashCandidate[]> {
  const all: PreHashCandidate[] = [];
  for await (const candidate of preHashCandidates(password, context)) all.push(candidate);
  return all;
}

describe("hashes of changed passwords that look like plain ones", () => {
  it.each(preHashed)("are told apart: $who", async (entry) => {
    const { hash, password, form, who, salt, userName } = entry;
    const context = contextOf({
      hash: hash.replace(/^\$2[by]/, "$2a"),
      salts: salt === undefined ? [] : [salt],
      userNames: userName === undefined ? [] : [userName, "somebody"],
    });
    expect(await verifyPassword(context.hash, password)).toBe(false);
    expect(await formsThatFit(password, context)).toEqual([form]);
    expect(PRE_HASH_FORMS.find(({ name }) => name === form)?.who).toContain(who);
    expect(await formsThatFit("battery staple", context)).toEqual([]);
  });

  it("aren't found without the salt that went into them", async () => {
    const entry = preHashed.find(({ salt }) => salt !== undefined)!;
    const context = contextOf({ hash: entry.hash.replace("$2b", "$2a") });
    expect(await formsThatFit(entry.password, context)).toEqual([]);
  });
});

describe("the forms", () => {
  it("know every vendor that changes passwords, by the name that --from takes", () => {
    const named = new Set(PRE_HASH_FORMS.flatMap(({ vendors }) => vendors));
    const changing = VENDORS.filter(({ what }) => what !== "").map(({ name }) => name);
    expect([...named].toSorted()).toEqual(changing.toSorted());
  });
});

it("each form costs no more hashes than it says", async () => {
  const hostile = `${"\u0301<&> 'a\" \uff21e\u0301 ".repeat(5)}`;
  for (const password of [PASSWORD, hostile, ""]) {
    for (const hash of [BCRYPT, KNOWN_HASHES.argon2.passwordHash]) {
      const context = contextOf({ hash, salts: ["pepper"], userNames: ["ann"] });
      for (const { name, candidates, tries = 1 } of PRE_HASH_FORMS) {
        const inner = name === "bcrypt_twice" ? 1 : 0;
        const { length } = await candidates(password, context);
        expect(length === 0 ? 0 : length + inner, name).toBeLessThanOrEqual(tries);
      }
    }
  }
});

describe("each form", () => {
  const long = "0123456789".repeat(8);
  const salt = "pepper-of-the-site";
  const hmac = (algorithm: string, key: string, text: string): string =>
    createHmac(algorithm, key).update(text).digest("base64");
  const digest = (algorithm: string, text: string, as: "hex" | "base64"): string =>
    createHash(algorithm).update(text).digest(as);

  it.each([
    ["sha256_hex", PASSWORD, digest("sha256", PASSWORD, "hex")],
    ["sha384_base64", PASSWORD, digest("sha384", PASSWORD, "base64")],
    ["md5_hex", PASSWORD, digest("md5", PASSWORD, "hex")],
    ["hmac_sha512_base64", PASSWORD, hmac("sha512", salt, PASSWORD)],
    ["user_name_before", PASSWORD, `ann.lee${PASSWORD}`],
    ["wordpress_hmac_sha384", PASSWORD, hmac("sha384", "wp-sha384", PASSWORD)],
    ["wordpress_hmac_sha384", ` ${PASSWORD} `, hmac("sha384", "wp-sha384", PASSWORD)],
    ["passlib_sha256_base64", PASSWORD, digest("sha256", PASSWORD, "base64")],
    ["passlib_sha256_base64", PASSWORD, hmac("sha256", BCRYPT.slice(7, 29), PASSWORD)],
    ["sha512_hex", PASSWORD, digest("sha512", PASSWORD, "hex")],
    ["salt_joined", PASSWORD, `${PASSWORD}${salt}`],
    ["salt_joined", PASSWORD, `${salt}${PASSWORD}`],
    ["long_sha512_base64", long, digest("sha512", long, "base64")],
    ["trimmed", `${PASSWORD} `, PASSWORD],
    ["hmac_pepper", PASSWORD, hmac("sha384", salt, PASSWORD)],
    ["hmac_pepper", PASSWORD, createHmac("sha256", salt).update(PASSWORD).digest("hex")],
    ["html_escaped", PASSWORD, "Tr0mbone &amp; Kazoo"],
    ["html_escaped", "a<b> \"c\" 'd'", "a&lt;b&gt; &quot;c&quot; 'd'"],
    ["html_escaped", "d'arc", "d&#039;arc"],
    ["bcrypt_twice", PASSWORD, hashSync(PASSWORD, BCRYPT.slice(0, 29))],
    ["unicode_normalized", "cafe\u0301 au lait", "caf\u00e9 au lait"],
    ["unicode_normalized", "\uff21\uff22\uff23 and tea", "ABC and tea"],
    ["unicode_normalized", "caf\u00e9 au lait", "cafe\u0301 au lait"],
  ])("makes of a password what its vendor hashes: %s", async (name, password, changed) => {
    const context = contextOf({ salts: [salt], userNames: ["Ann.Lee"] });
    const candidates = await allOf(password, context);
    const found = candidates.find((candidate) => candidate.password === changed);
    expect(found?.form.name).toBe(name);
  });

  it("is tried with bcrypt itself, long passwords included", async () => {
    const changed = digest("sha512", long, "base64");
    const hash = hashSync(changed, 4).replace("$2b$", "$2a$");
    expect(await formsThatFit(long, contextOf({ hash }))).toEqual(["long_sha512_base64"]);
  });

  it("gives argon2 the pepper as its secret key, and bcrypt none", async () => {
    const secretsOf = async (hash: string) =>
      (await allOf(PASSWORD, contextOf({ hash, salts: [salt] }))).flatMap(({ argon2Secret }) =>
        argon2Secret === null ? [] : [argon2Secret],
      );
    expect(await secretsOf(KNOWN_HASHES.argon2.passwordHash)).toEqual([salt]);
    expect(await secretsOf(BCRYPT)).toEqual([]);
  });

  it("leaves passwords alone that its vendor leaves alone", async () => {
    const names = (await allOf("Tr0mbone", contextOf())).map(({ form }) => form.name);
    const asTyped = ["trimmed", "unicode_normalized", "latin1_bytes", "salt_joined", "hmac_pepper"];
    asTyped.push("html_escaped", "argon2_secret");
    expect(names.filter((name) => name.startsWith("long_") || asTyped.includes(name))).toEqual([]);
  });

  it("makes the bytes of Latin-1 where a password has them, and not of other scripts", async () => {
    const latin1 = async (password: string): Promise<unknown> =>
      (await allOf(password, contextOf())).find(({ form }) => form.name === "latin1_bytes")
        ?.password;
    expect(await latin1("pässwörd")).toEqual(Buffer.from("pässwörd", "latin1"));
    expect(await latin1("пароль")).toBeUndefined();
  });
});

it("tries nothing twice and never the password itself", async () => {
  const text = fc.string({ unit: "grapheme", maxLength: 90 });
  const salt = fc.string({ unit: "grapheme", minLength: 1, maxLength: 90 });
  const hash = fc.constantFrom(BCRYPT, KNOWN_HASHES.argon2.passwordHash);
  await fc.assert(
    fc.asyncProperty(text, fc.array(salt, { maxLength: 2 }), hash, async (password, salts, one) => {
      const context = contextOf({ hash: one, salts, userNames: salts });
      const tried = (await allOf(password, context)).map((candidate) =>
        [Buffer.from(candidate.password).toString("hex"), candidate.argon2Secret].join(" "),
      );
      expect(new Set(tried).size).toBe(tried.length);
      expect(tried).not.toContain(`${Buffer.from(password).toString("hex")} `);
    }),
    { numRuns: runs(200) },
  );
});
