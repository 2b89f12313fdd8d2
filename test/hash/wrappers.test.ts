import { describe, expect, it } from "vitest";
import { normalizeHash } from "../../src/hash/normalize.js";

const BCRYPT = "$2y$05$K8fTGXk6.EXnmL83Zc20VOBWu3dKyj55dA.yvCUB7ydJbdnFTXWgm";
const PLAIN = BCRYPT.replace("$2y$", "$2a$");
const [SALT, HASH] = [BCRYPT.slice(7, 29), BCRYPT.slice(29)];
const ARGON2 =
  "$argon2id$v=19$m=1024,t=2,p=1$Eptj8qK6R+zcOx/uLU584w$XVTaw2GCZpRLtf7+eykZQ3Fpvdw/It3aFh8lnRyEqjo";

function verdictOf(text: string) {
  return normalizeHash({ kind: "text", text });
}

describe("a name before a hash", () => {
  const USERS = [
    "alice",
    "blake",
    "user1",
    "legacy.user",
    "müller",
    "md.rahman",
    "Ödön",
    "ann lee",
  ];

  it.each(USERS)("is dropped where the operator says that it is htpasswd's: %s", (user) => {
    for (const vendor of ["htpasswd", "apache"]) {
      const raw = { kind: "text", text: `${user}:${BCRYPT}` } as const;
      expect(normalizeHash(raw, { vendor })).toMatchObject({
        hash: PLAIN,
        steps: ["htpasswd_user_stripped", "bcrypt_2y_to_2a"],
        notices: [],
      });
    }
  });

  it.each([
    ...[...USERS, "ann@example.com", "md5", "digest", "onion", "stretched", "bcryptsha", "keyed"],
    ...["vanilla", "punbb", "custom", "kdf", "v1", "1", "-", "user\0"],
  ])("stays where nobody says so, since it may mark a pre-hash: %s", (mark) => {
    for (const vendor of [null, "csv", "laravel"]) {
      const raw = { kind: "text", text: `${mark}:${BCRYPT}` } as const;
      expect(normalizeHash(raw, { vendor })).toMatchObject({ code: "unknown_prefix" });
    }
  });

  it("is one name, and what follows is judged as it is", () => {
    const told = (text: string) => normalizeHash({ kind: "text", text }, { vendor: "htpasswd" });
    expect(told(`alice:bob:${BCRYPT}`)).toMatchObject({ code: "unknown_prefix" });
    expect(told(`alice:wp:${BCRYPT}`)).toMatchObject({ code: "unknown_prefix" });
    expect(told("alice:$apr1$plR2ywqQ$93dxv0BwZ7VQUDnquSb8y1")).toMatchObject({
      code: "md5_crypt",
    });
    expect(told("alice:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=")).toMatchObject({ verdict: "refused" });
    expect(told(`alice:$wp${BCRYPT}`)).toMatchObject({ code: "wordpress_6_8" });
  });
});

describe("a scheme in braces", () => {
  it.each([
    ["{ARGON2D}", ARGON2.replace("argon2id", "argon2d"), ["ldap_scheme_stripped"]],
    [
      "{CRYPT} around base64",
      Buffer.from(PLAIN).toString("base64"),
      ["ldap_scheme_stripped", "base64_decoded"],
    ],
    ["{CRYPT} around quotation marks", `"${PLAIN}"`, ["ldap_scheme_stripped", "unquoted"]],
  ])("is dropped: %s", (scheme, rest, steps) => {
    const text = `${scheme.slice(0, scheme.indexOf("}") + 1)}${rest}`;
    expect(verdictOf(text)).toMatchObject({ verdict: "accepted", steps });
  });

  it.each([
    ["{CRYPT}$6$rounds=5000$abcdefgh$x", "sha512_crypt"],
    ["{crypt}$5$abcdefgh$x", "sha256_crypt"],
    ["{CRYPT}$1$abcdefgh$x", "md5_crypt"],
    ["{CRYPT}rl.3StKT.4T8M", "des_crypt"],
    [`{CRYPT}${PLAIN.slice(0, 40)}`, "bcrypt_length"],
    ["{CRYPT}nothing that is known", "scheme_mismatch"],
    [`{ARGON2}${PLAIN}`, "scheme_mismatch"],
  ])("is told by what stands in it: %s", (text, code) => {
    expect(verdictOf(text)).toMatchObject({ code });
  });
});

describe("a wrapper", () => {
  it.each([
    ["1|", ARGON2],
    ["2|", PLAIN],
    ["4|", ARGON2],
    ["#jbcrypt:", ARGON2],
    ["Bcrypt:", ARGON2],
    ["bcrypt:", PLAIN],
    [":argon2:", PLAIN],
    ["argon2", PLAIN],
    ["bcrypt$", ARGON2],
    ["$unixcrypt", ARGON2],
  ])("isn't one before another algorithm: %s", (prefix, hash) => {
    expect(verdictOf(prefix + hash)).toMatchObject({ code: "unknown_prefix" });
  });

  it.each([
    ["{ARGON2}", PLAIN],
    ["{bcrypt}", ARGON2],
    ["{BLF-CRYPT.b64}", PLAIN],
    ["{BLF-CRYPT.hex}", Buffer.from(PLAIN).toString("base64")],
    ["{CRYPT}", `$wp${PLAIN}`],
  ])("in braces says what follows, and is refused where that isn't so: %s", (scheme, hash) => {
    expect(verdictOf(scheme + hash)).toMatchObject({ verdict: "refused" });
  });

  it("in braces is known in any case but Spring's", () => {
    expect(verdictOf(`{crypt}${PLAIN}`)).toMatchObject({ steps: ["ldap_scheme_stripped"] });
    expect(verdictOf(`{bcrypt}${PLAIN}`)).toMatchObject({ steps: ["spring_bcrypt_stripped"] });
    expect(verdictOf(`{BCRYPT}${PLAIN}`)).toMatchObject({ steps: ["ldap_scheme_stripped"] });
  });

  it("may be encoded behind its scheme, as Dovecot names it", () => {
    const encodings = [
      ["b64", "base64", "base64_decoded"],
      ["base64", "base64", "base64_decoded"],
      ["hex", "hex", "hex_decoded"],
    ] as const;
    for (const [name, encoding, step] of encodings) {
      const encoded = Buffer.from(ARGON2).toString(encoding);
      for (const suffix of [name, name.toUpperCase()]) {
        expect(verdictOf(`{ARGON2ID.${suffix}}${encoded}`)).toMatchObject({
          hash: ARGON2,
          steps: ["ldap_scheme_stripped", step],
        });
      }
    }
  });

  it("of LDIF is text behind one colon and base64 behind two", () => {
    const encoded = Buffer.from(`{CRYPT}${PLAIN}`).toString("base64");
    expect(verdictOf(`userPassword: {CRYPT}${PLAIN}`)).toMatchObject({ hash: PLAIN });
    for (const attribute of ["userPassword", "userpassword", "USERPASSWORD"]) {
      expect(verdictOf(`${attribute}:: ${encoded}`)).toMatchObject({
        hash: PLAIN,
        steps: ["ldif_attribute_stripped", "base64_decoded", "ldap_scheme_stripped"],
      });
    }
  });

  it("shows no doubt about the password where only hashes of plain ones are written so", () => {
    expect(verdictOf(`{bcrypt}${PLAIN}`)).toMatchObject({ notices: [] });
    expect(verdictOf(`1|${PLAIN}`)).toMatchObject({ notices: [] });
    expect(verdictOf(`"${PLAIN}"`)).toMatchObject({ notices: ["prehash_possible"] });
  });
});

describe("a container", () => {
  it.each([
    ["a cost of three digits", `:bcrypt:005$${SALT}$${HASH}`],
    ["a short salt", `:bcrypt:5$${SALT.slice(1)}$${HASH}`],
    [
      "a character moved from hash to salt",
      `:bcrypt:5$${SALT}${HASH.slice(0, 1)}$${HASH.slice(1)}`,
    ],
    [
      "PHC's form of another version",
      "$bcrypt$v=97$r=10$tAe1bhm5zoo0Sx7ZfrCd7w$0T4Cf8htpt/8FbjK+cErdaTh8T6ClYQ",
    ],
    [
      "PHC's form with spare bits",
      "$bcrypt$v=98$r=10$tAe1bhm5zoo0Sx7ZfrCd7x$0T4Cf8htpt/8FbjK+cErdaTh8T6ClYQ",
    ],
    ["Shiro's form without its prefix", `$2y$05$${SALT}$${HASH}`],
    ["a serialized text of a wrong length", `a:1:{s:4:"hash";s:59:"${BCRYPT}";}`],
    ["a serialized text with more in it", `a:2:{s:4:"hash";s:60:"${BCRYPT}";s:4:"salt";s:1:"x";}`],
  ])("is refused with %s", (_what, text) => {
    expect(verdictOf(text)).toMatchObject({ verdict: "refused" });
  });

  it("has its cost checked like any other", () => {
    expect(verdictOf(`:bcrypt:3$${SALT}$${HASH}`)).toMatchObject({ code: "bcrypt_cost" });
    expect(verdictOf(`:bcrypt:31$${SALT}$${HASH}`)).toMatchObject({ code: "bcrypt_cost" });
    expect(verdictOf(`:bcrypt:30$${SALT}$${HASH}`)).toMatchObject({ verdict: "accepted" });
  });

  it("of a serialized hash may hold what is refused by name", () => {
    const inner = "$P$B12345678abcdefghijklmnopqrstuv";
    expect(verdictOf(`a:1:{s:4:"hash";s:${inner.length}:"${inner}";}`)).toMatchObject({
      code: "phpass",
    });
  });
});
