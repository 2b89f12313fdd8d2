import { describe, expect, it, test } from "vitest";
import type { HashConfig, RawHash } from "../../src/hash/hash.js";
import { normalizeHash } from "../../src/hash/normalize.js";
import acceptedTexts from "./fixtures/accepted-texts.json" with { type: "json" };
import exported from "./fixtures/exported-scrypt.json" with { type: "json" };
import refusedTexts from "./fixtures/refused-texts.json" with { type: "json" };

const config: HashConfig = {
  signerKey: exported.signerKey,
  saltSeparator: "Bw==",
  rounds: 8,
  memCost: 14,
};
const sample = exported.accepted[0]!;

function verdictOf(text: string, hashConfig: HashConfig | null = null) {
  return normalizeHash({ kind: "text", text }, { hashConfig });
}

function exportedVerdict(hash: string, salt: string, hashConfig: HashConfig | null = config) {
  return normalizeHash({ kind: "vendor_scrypt", hash, salt }, { hashConfig });
}

function scryptText(fields: { hash?: string; salt?: string; tail?: string }): string {
  const { hash = sample.hash, salt = sample.salt, tail = "$m=14$r=8$s=Bw==" } = fields;
  return `$f_scrypt$${hash}$${salt}${tail}`;
}

describe("bcrypt and argon2 texts", () => {
  it.each(acceptedTexts)("accepts $name", ({ raw, algorithm, normalized, steps }) => {
    expect(verdictOf(raw)).toMatchObject({
      verdict: "accepted",
      algorithm,
      hash: normalized,
      steps,
    });
  });

  it.each(acceptedTexts)("leaves the normalized form of $name as it is", ({ normalized }) => {
    expect(verdictOf(normalized)).toMatchObject({ hash: normalized, steps: [] });
  });

  it.each(refusedTexts)("refuses $name with a code and a hint", ({ raw, code }) => {
    const verdict = verdictOf(raw);
    expect(verdict).toMatchObject({ verdict: "refused", code });
    if (verdict.verdict !== "refused") return;
    expect(verdict.hint).toMatch(/^(?:[A-Z]|phpBB|vBulletin).*; .*\.$/);
    expect(verdict.hint).not.toContain(raw.slice(-12));
  });

  it("masks every setting of the salt's spare bits to the one that verifies", () => {
    const [head, tail] = ["$2a$05$K8fTGXk6.EXnmL83Zc20V", "BWu3dKyj55dA.yvCUB7ydJbdnFTXWgm"];
    for (const end of "PQRSTUVWXYZabcd") {
      expect(verdictOf(head + end + tail)).toMatchObject({ hash: `${head}O${tail}` });
    }
  });

  it("sees that a case was changed, whatever the salt's last character is", () => {
    for (const text of [
      "$2b$05$k8ftgxk6.exnml83zc20vAbwu3dkyj55da.yvcub7ydjbdnftxwgm",
      `$2a$05$${"a".repeat(53)}`,
    ]) {
      expect(verdictOf(text)).toMatchObject({ code: "bcrypt_casefold" });
    }
  });

  it("names the changed case of a whole column before what else it upsets", () => {
    const texts = acceptedTexts.flatMap(({ normalized }) => [
      normalized.toLowerCase(),
      normalized.toUpperCase(),
    ]);
    expect(texts.length).toBeGreaterThan(20);
    for (const text of texts) {
      const { code } = { code: "none", ...verdictOf(text) };
      expect(code, text).toMatch(/^(?:bcrypt|argon2|fscrypt)_casefold$/);
    }
  });

  it("refuses a text of hostile length unread", () => {
    expect(verdictOf(" ".repeat(5_000_000))).toMatchObject({ code: "too_long" });
    expect(verdictOf(`$argon2id$v=19$m=8,t=1,p=1$${"A".repeat(300)}$AAAA`)).toMatchObject({
      code: "too_long",
    });
    expect(exportedVerdict("A".repeat(5_000_000), "")).toMatchObject({ code: "too_long" });
  });
});

describe("markers for no password", () => {
  const django = `!${"bHxErD9qI8XP3DWsbrACdsV7zyL4tC3up2vyONHm"}`;
  const nothing = [
    "NULL",
    "\\N",
    "None",
    "(null)",
    "<null>",
    "[NULL]",
    "nil",
    "undefined",
    "N/A",
    "-",
  ];
  it.each(["", "  ", ...nothing, "!", "!!", "*", "x", django])(
    "takes %j as a user without a password",
    (text) => {
      expect(verdictOf(text)).toEqual({ verdict: "none" });
      expect(exportedVerdict(text, "", null)).toEqual({ verdict: "none" });
    },
  );

  it.each(nothing)("takes a salt of %j for none", (salt) => {
    const hash = "$2a$05$K8fTGXk6.EXnmL83Zc20VOBWu3dKyj55dA.yvCUB7ydJbdnFTXWgm";
    expect(normalizeHash({ kind: "salted", hash, salt })).toMatchObject({ hash });
  });

  it("doesn't take a locked hash for a user without a password", () => {
    expect(
      verdictOf("!$2a$05$K8fTGXk6.EXnmL83Zc20VOBWu3dKyj55dA.yvCUB7ydJbdnFTXWgm"),
    ).toMatchObject({ verdict: "refused", code: "locked_account" });
  });
});

describe("an exported scrypt hash and salt", () => {
  it.each(exported.accepted)("builds the core's form from $name", (entry) => {
    const { hash, salt, memCost, rounds, steps } = entry;
    expect(exportedVerdict(hash, salt, { ...config, memCost, rounds })).toEqual({
      verdict: "accepted",
      algorithm: "vendor_scrypt",
      hash: entry.normalized,
      steps,
      notices: [],
    });
  });

  it("asks for the account's parameters where they are missing", () => {
    const verdict = exportedVerdict(sample.hash, sample.salt, null);
    expect(verdict).toMatchObject({ verdict: "refused", code: "hash_config_missing" });
    expect(verdict).toHaveProperty("hint", expect.stringContaining("--hash-config"));
  });

  it("names a withheld hash before it asks for parameters", () => {
    expect(exportedVerdict("UkVEQUNURUQ=", sample.salt, null)).toMatchObject({
      code: "firebase_redacted",
    });
    expect(exportedVerdict("fakeHash:salt=a:password=b", "a", null)).toMatchObject({
      code: "firebase_emulator",
    });
  });

  it("refuses an account without a salt separator, which the core's form can't carry", () => {
    expect(
      exportedVerdict(sample.hash, sample.salt, { ...config, saltSeparator: "" }),
    ).toMatchObject({ code: "fscrypt_separator" });
  });

  it("writes a separator unpadded where its padding would be misread", () => {
    const verdict = exportedVerdict(sample.hash, sample.salt, { ...config, saltSeparator: "AAs=" });
    expect(verdict).toMatchObject({
      hash: scryptText({ tail: "$m=14$r=8$s=AAs" }),
      steps: ["vendor_scrypt_separator_unpadded", "vendor_scrypt_built"],
    });
  });

  it("refuses a hash that another length of signer key must have made", () => {
    const short = { ...config, signerKey: Buffer.alloc(32, 7).toString("base64") };
    expect(exportedVerdict(sample.hash, sample.salt, short)).toMatchObject({
      code: "signer_key_length",
    });
    expect(verdictOf(scryptText({}), short)).toMatchObject({ code: "signer_key_length" });
  });

  it.each([
    ["isn't base64", `${sample.hash.slice(0, -3)}?==`, sample.salt, "fscrypt_hash"],
    ["was cut by a character", sample.hash.slice(0, -3), sample.salt, "fscrypt_hash"],
    ["was cut by four", sample.hash.slice(4), sample.salt, "fscrypt_hash_length"],
    ["has one letter case", sample.hash.toUpperCase(), sample.salt, "fscrypt_casefold"],
    ["has no salt", sample.hash, "", "fscrypt_salt"],
    ["has a damaged salt", sample.hash, "42xEC+ixf3L2lx==", "fscrypt_salt"],
  ])("refuses a hash that %s", (_what, hash, salt, code) => {
    expect(exportedVerdict(hash, salt)).toMatchObject({ code });
  });

  it.each([
    { rounds: 0 },
    { rounds: 17 },
    { memCost: 16 },
    { memCost: 1.5 },
    { memCost: Number.NaN },
  ])("refuses parameters beyond the vendor's: %j", (wrong) => {
    expect(exportedVerdict(sample.hash, sample.salt, { ...config, ...wrong })).toMatchObject({
      code: "hash_config_invalid",
    });
  });
});

describe("a vendor scrypt text", () => {
  it("is left as it is in the core's form, with or without the account's parameters", () => {
    const text = scryptText({});
    for (const hashConfig of [null, config]) {
      expect(verdictOf(text, hashConfig)).toMatchObject({ hash: text, steps: [] });
    }
  });

  it.each([
    ["its parameters' order", { tail: "$s=Bw==$r=8$m=14" }, "vendor_scrypt_parameters_ordered"],
    ["a hash without padding", { hash: sample.hash.slice(0, -2) }, "vendor_scrypt_base64_standard"],
    ["a url-safe salt", { salt: "42xEC-ixf3L2lw" }, "vendor_scrypt_base64_standard"],
    ["a separator without padding", { tail: "$m=14$r=8$s=Bw" }, "vendor_scrypt_base64_standard"],
  ])("mends %s", (_what, fields, step) => {
    expect(verdictOf(scryptText(fields))).toMatchObject({ hash: scryptText({}), steps: [step] });
  });

  it("writes a separator that a core would cut in two without its padding", () => {
    expect(verdictOf(scryptText({ tail: "$m=14$r=8$s=AAs=" }))).toMatchObject({
      hash: scryptText({ tail: "$m=14$r=8$s=AAs" }),
      steps: ["vendor_scrypt_separator_unpadded"],
    });
  });

  it.each([
    ["mem_cost 0", "$m=0$r=8$s=Bw==", "fscrypt_parameters"],
    ["mem_cost 16", "$m=16$r=8$s=Bw==", "fscrypt_parameters"],
    ["rounds 17", "$m=14$r=17$s=Bw==", "fscrypt_parameters"],
    ["an empty separator", "$m=14$r=8$s=", "fscrypt_separator"],
    ["no separator", "$m=14$r=8", "fscrypt_format"],
    ["a parameter twice", "$m=14$m=14$s=Bw==", "fscrypt_format"],
    ["a leading zero", "$m=14$r=08$s=Bw==", "fscrypt_format"],
    ["something after it", "$m=14$r=8$s=Bw==$", "fscrypt_format"],
  ])("refuses %s", (_what, tail, code) => {
    expect(verdictOf(scryptText({ tail }))).toMatchObject({ verdict: "refused", code });
  });
});

describe("a password in plain text", () => {
  const codeOf = (raw: RawHash) => {
    const verdict = normalizeHash(raw);
    return verdict.verdict === "refused" ? verdict.code : verdict.verdict;
  };
  test.each(["Sommer2024!", "hunter2", "correct horse", "qwerty", "$ecret!", "a{b}c", "пароль1"])(
    "is called so by its looks, and told to be hashed first: case %#",
    (text) => {
      const verdict = normalizeHash({ kind: "text", text });
      expect(verdict).toMatchObject({ verdict: "refused", code: "plain_text" });
      expect(JSON.stringify(verdict)).not.toContain(text);
      expect(JSON.stringify(verdict)).toContain("plain text");
    },
  );

  test.each(["plaintext", "PLAIN", "clear_text", "Plain Text", "cleartext"])(
    "is called so by the algorithm beside it: %s",
    (algorithm) => {
      const credential = { password_hash: "9f3c9f3c9f3c9f3c9f3c9f3c9f3c9f3c", algorithm };
      expect(codeOf({ kind: "credential", credential })).toBe("plain_text");
    },
  );

  test.each([
    "9f3c0a1b9f3c0a1b",
    "3f2b8a9c1d",
    "WjU1c0xqUmFrcE5kUW1vPQ==",
    "$zz$9f3c",
    "{ZZ}abc",
    "acme:9f3c:WjU1c0",
  ])("isn't what may be an encoding: %s", (text) => {
    expect(codeOf({ kind: "text", text })).not.toBe("plain_text");
  });

  test.each(["not cached", "to be generated", "nopass", "No Password", "not set", "<unset>"])(
    "is none where words say that there is no password: %s",
    (text) => expect(codeOf({ kind: "text", text })).toBe("none"),
  );
});
