import { describe, expect, it } from "vitest";
import type { NormalizeOptions } from "../../src/hash/hash.js";
import { normalizeHash } from "../../src/hash/normalize.js";

const BCRYPT = "$2a$05$K8fTGXk6.EXnmL83Zc20VOBWu3dKyj55dA.yvCUB7ydJbdnFTXWgm";
const [SALT, HASH] = [BCRYPT.slice(7, 29), BCRYPT.slice(29)];
const ARGON2 =
  "$argon2id$v=19$m=1024,t=2,p=1$Eptj8qK6R+zcOx/uLU584w$XVTaw2GCZpRLtf7+eykZQ3Fpvdw/It3aFh8lnRyEqjo";

function verdictOf(credential: object, options: NormalizeOptions = {}) {
  return normalizeHash({ kind: "credential", credential }, options);
}

const argon2Parameters = {
  hashLength: ["32"],
  memory: ["1024"],
  type: ["id"],
  version: ["1.3"],
  parallelism: ["1"],
};
const argon2Data = {
  hashIterations: 2,
  algorithm: "argon2",
  additionalParameters: argon2Parameters,
};
const argon2Secret = {
  value: "XVTaw2GCZpRLtf7+eykZQ3Fpvdw/It3aFh8lnRyEqjo=",
  salt: "Eptj8qK6R+zcOx/uLU584w==",
};

function keycloak(data: object, secret: object, type = "password") {
  return { type, credentialData: data, secretData: secret };
}

describe("Okta's password hash object", () => {
  const okta = { algorithm: "BCRYPT", workFactor: 5, salt: SALT, value: HASH };

  it("is joined, alone or inside a user", () => {
    const nested = { profile: { login: "ann" }, credentials: { password: { hash: okta } } };
    for (const credential of [okta, nested, { ...okta, workFactor: "5" }]) {
      expect(verdictOf(credential)).toMatchObject({
        hash: BCRYPT,
        steps: ["okta_joined"],
        notices: [],
      });
    }
  });

  it.each([
    ["a short salt", { salt: SALT.slice(1) }, "bcrypt_length"],
    [
      "a character moved from value to salt",
      { salt: SALT + HASH[0], value: HASH.slice(1) },
      "bcrypt_length",
    ],
    ["no salt", { salt: null }, "bcrypt_length"],
    ["no work factor", { workFactor: undefined }, "bcrypt_cost"],
    ["a work factor of three digits", { workFactor: 100 }, "bcrypt_cost"],
    ["a work factor that isn't whole", { workFactor: 5.5 }, "bcrypt_cost"],
    ["a work factor below bcrypt's", { workFactor: 3 }, "bcrypt_cost"],
    ["a character of another alphabet", { salt: `+${SALT.slice(1)}` }, "bcrypt_alphabet"],
    ["SHA-256", { algorithm: "SHA-256" }, "okta_sha_256"],
    ["an algorithm of tomorrow", { algorithm: "SHA-999" }, "okta_algorithm"],
  ])("is refused with %s", (_what, changes, code) => {
    expect(verdictOf({ ...okta, ...changes })).toMatchObject({ verdict: "refused", code });
  });
});

describe("FusionAuth's user", () => {
  const user = { encryptionScheme: "bcrypt", factor: 5, salt: SALT, password: HASH };

  it("is joined, from the API's names and the database's", () => {
    const { encryptionScheme, ...rest } = user;
    for (const credential of [user, { ...rest, encryption_scheme: encryptionScheme }]) {
      expect(verdictOf(credential)).toMatchObject({
        hash: BCRYPT,
        steps: ["fusionauth_joined"],
        notices: [],
      });
    }
  });

  it("may have the whole hash in its place, and blanks around its parts", () => {
    for (const salt of ["", SALT]) {
      expect(verdictOf({ ...user, salt, password: BCRYPT })).toMatchObject({ hash: BCRYPT });
    }
    expect(verdictOf({ ...user, salt: ` ${SALT}`, password: `${HASH} ` })).toMatchObject({
      hash: BCRYPT,
    });
    expect(verdictOf({ ...user, salt: "x", password: BCRYPT })).toMatchObject({
      code: "mcf_plus_salt_column",
    });
  });
});

describe("Keycloak's credential", () => {
  const texts = {
    type: "password",
    credentialData: JSON.stringify(argon2Data),
    secretData: JSON.stringify(argon2Secret),
  };

  it("of argon2 is built, from objects, from JSON in JSON, and from a user's list", () => {
    const user = { username: "ann", credentials: [{ type: "otp" }, texts] };
    for (const credential of [keycloak(argon2Data, argon2Secret), texts, [texts], user]) {
      expect(verdictOf(credential)).toMatchObject({
        hash: ARGON2,
        steps: ["keycloak_argon2_built"],
        notices: [],
      });
    }
  });

  it("of argon2 may name its values alone, and version 1.0", () => {
    const additionalParameters = {
      hashLength: 32,
      memory: 1024,
      type: "id",
      version: "1.0",
      parallelism: 1,
    };
    expect(
      verdictOf(keycloak({ ...argon2Data, additionalParameters }, argon2Secret)),
    ).toMatchObject({ hash: ARGON2.replace("v=19", "v=16") });
  });

  it("of argon2 may have an output of any length, since its length stands beside it", () => {
    const bytes = Buffer.alloc(48, 0x5b);
    const additionalParameters = { ...argon2Parameters, hashLength: ["48"] };
    const secret = { ...argon2Secret, value: bytes.toString("base64") };
    expect(verdictOf(keycloak({ ...argon2Data, additionalParameters }, secret))).toMatchObject({
      verdict: "accepted",
      hash: expect.stringMatching(/\$W1tb[^$]{60}$/) as string,
    });
  });

  it.each([
    ["another length than it says", { hashLength: ["64"] }, "credential_malformed"],
    ["an unknown type", { type: ["ds"] }, "credential_malformed"],
    ["an unknown version", { version: ["1.2"] }, "credential_malformed"],
    ["two types", { type: ["id", "i"] }, "credential_malformed"],
    ["no memory", { memory: [] }, "argon2_parameters"],
    ["a parallelism beyond its memory", { parallelism: ["200"] }, "argon2_parameters"],
  ])("of argon2 is refused with %s", (_what, changes, code) => {
    const additionalParameters = { ...argon2Parameters, ...changes };
    const credential = keycloak({ ...argon2Data, additionalParameters }, argon2Secret);
    expect(verdictOf(credential)).toMatchObject({ verdict: "refused", code });
  });

  it("of the bcrypt extension hands on its text", () => {
    const credential = keycloak({ algorithm: "bcrypt" }, { value: BCRYPT, salt: "" });
    expect(verdictOf(credential)).toMatchObject({
      hash: BCRYPT,
      steps: ["keycloak_value_taken"],
      notices: [],
    });
  });

  it("of the bcrypt extension in the old form holds its own salt", () => {
    const old = { type: "password", hashedSaltedValue: BCRYPT, salt: "x", hashIterations: 10 };
    expect(verdictOf({ ...old, algorithm: "bcrypt" })).toMatchObject({ hash: BCRYPT });
    expect(verdictOf({ ...old, algorithm: "pbkdf2" })).toMatchObject({ code: "keycloak_pbkdf2" });
  });

  it.each([
    ["its own PBKDF2", keycloak({ algorithm: "pbkdf2-sha512" }, {}), "keycloak_pbkdf2_sha512"],
    ["its oldest form", { hashedSaltedValue: "x", algorithm: "pbkdf2" }, "keycloak_pbkdf2"],
    ["another algorithm", keycloak({ algorithm: "md5" }, {}), "keycloak_algorithm"],
    [
      "a password of the history",
      keycloak(argon2Data, argon2Secret, "password-history"),
      "keycloak_not_password",
    ],
    ["a one-time password", keycloak({ subType: "totp" }, {}, "otp"), "keycloak_not_password"],
    [
      "a password in plain text, of a file for an import",
      [{ type: "password", value: "marigold-lantern", temporary: false }],
      "keycloak_plain_password",
    ],
    ["two passwords", { credentials: [texts, texts] }, "unknown_credential"],
  ])("is refused where it is %s", (_what, credential, code) => {
    const verdict = verdictOf(credential);
    expect(verdict).toMatchObject({ verdict: "refused", code });
    expect(JSON.stringify(verdict)).not.toContain("marigold");
  });
});

describe("Clerk's row", () => {
  it.each([
    ["bcrypt", BCRYPT],
    ["argon2id", ARGON2],
    ["argon2", ARGON2],
  ])("hands on a digest of %s", (password_hasher, password_digest) => {
    expect(verdictOf({ password_digest, password_hasher })).toMatchObject({
      hash: password_digest,
      steps: ["clerk_digest_taken"],
      notices: [],
    });
  });

  it.each([
    ["a pre-hash", "bcrypt_sha256_django", BCRYPT, "clerk_bcrypt_sha256_django"],
    ["a pepper", "bcrypt_peppered", BCRYPT, "clerk_bcrypt_peppered"],
    ["an unknown hasher", "rot13", BCRYPT, "clerk_algorithm"],
    ["another algorithm than the hasher's", "bcrypt", ARGON2, "credential_mismatch"],
    ["another variant than the hasher's", "argon2i", ARGON2, "credential_mismatch"],
    ["fields too few", "scrypt_firebase", "a$b$c", "credential_malformed"],
  ])("is refused with %s", (_what, password_hasher, password_digest, code) => {
    expect(verdictOf({ password_digest, password_hasher })).toMatchObject({ code });
  });

  it("may have no password", () => {
    for (const password_digest of ["", " ", null, "NULL"]) {
      expect(verdictOf({ password_digest, password_hasher: "" })).toEqual({ verdict: "none" });
    }
  });

  it("is no user without a password where a hasher is named and the digest is gone", () => {
    for (const password_digest of ["", null]) {
      expect(verdictOf({ password_digest, password_hasher: "bcrypt" })).toMatchObject({
        code: "credential_malformed",
      });
    }
  });
});

describe("Appwrite's user", () => {
  it("hands on bcrypt and argon2, and nothing that contradicts its name", () => {
    expect(verdictOf({ hash: "bcrypt", password: BCRYPT })).toMatchObject({
      hash: BCRYPT,
      steps: ["appwrite_hash_taken"],
    });
    expect(verdictOf({ hash: "argon2", password: ARGON2, hashOptions: {} })).toMatchObject({
      hash: ARGON2,
    });
    expect(verdictOf({ hash: "argon2", password: BCRYPT })).toMatchObject({
      code: "credential_mismatch",
    });
    expect(verdictOf({ hash: "md5", password: "x" })).toMatchObject({ code: "appwrite_md5" });
  });

  it("may have no password", () => {
    expect(verdictOf({ hash: "argon2", password: "" })).toEqual({ verdict: "none" });
  });

  it("is refused where its scrypt lacks an option", () => {
    expect(verdictOf({ hash: "scryptMod", password: "x", hashOptions: {} })).toMatchObject({
      code: "fscrypt_format",
    });
  });
});

describe("XenForo's row", () => {
  const serialized = `a:1:{s:4:"hash";s:60:"${BCRYPT}";}`;

  it("hands on the hash in it, serialized by PHP or as JSON", () => {
    for (const data of [serialized, JSON.stringify({ hash: BCRYPT }), { hash: BCRYPT }]) {
      for (const scheme_class of ["XF:Core12", "XF\\Core12"]) {
        expect(verdictOf({ scheme_class, data })).toMatchObject({
          hash: BCRYPT,
          steps: ["xenforo_unserialized"],
          notices: [],
        });
      }
    }
  });

  it("is refused with another scheme, and may have no password", () => {
    expect(verdictOf({ scheme_class: "XF:vBulletin", data: serialized })).toMatchObject({
      code: "xenforo_scheme",
    });
    expect(verdictOf({ scheme_class: "XF:NoPassword", data: "a:0:{}" })).toEqual({
      verdict: "none",
    });
  });
});

describe("Meteor's user", () => {
  it.each([
    ["whole", { services: { password: { bcrypt: BCRYPT } } }],
    ["of argon2", { services: { password: { argon2: ARGON2 } } }],
    ["flattened", { "services.password.bcrypt": BCRYPT }],
    ["the services alone", { password: { bcrypt: BCRYPT }, resume: {} }],
    ["the password alone", { bcrypt: BCRYPT }],
  ])("is refused: %s", (_what, credential) => {
    for (const options of [{}, { allowHash: ["as-typed"] as const }, { vendor: "django" }]) {
      expect(verdictOf(credential, options)).toMatchObject({ code: "prehashed_unmarked" });
    }
  });
});

describe("NodeBB's user", () => {
  it.each([1, "1", true, "true", "yes"])("is refused where shaWrapped is %j", (mark) => {
    expect(verdictOf({ password: BCRYPT, "password:shaWrapped": mark })).toMatchObject({
      code: "nodebb_sha_wrapped",
    });
  });

  it.each([0, "0", false, "", null])("is accepted where shaWrapped is %j", (mark) => {
    expect(verdictOf({ password: BCRYPT, "password:shaWrapped": mark })).toMatchObject({
      hash: BCRYPT,
      notices: [],
    });
  });
});

describe("a row of a users table", () => {
  it.each([
    ["Auth0's", { email: "ann@example.com", passwordHash: BCRYPT, tenant: "acme" }],
    ["Supabase's or Devise's", { encrypted_password: BCRYPT, role: "authenticated" }],
    [
      "Kratos'",
      { credentials: { password: { type: "password", config: { hashed_password: BCRYPT } } } },
    ],
    ["with an empty salt", { crypted_password: BCRYPT, salt: "" }],
    ["with a null for a salt", { crypted_password: BCRYPT, salt: "NULL" }],
    ["that names bcrypt", { hash: BCRYPT, algorithm: "bcrypt" }],
  ])("hands on its one hash: %s", (_what, credential) => {
    expect(verdictOf(credential)).toMatchObject({
      hash: BCRYPT,
      steps: ["credential_hash_taken"],
      notices: ["prehash_possible"],
    });
  });

  it.each([
    ..."Account::BCrypt bcrypt$12 crypt_blowfish BCRYPT_2A bcrypt10 php-bcrypt".split(" "),
    ..."BCryptPasswordHasher PASSWORD_BCRYPT org.acme.BcryptEncoder".split(" "),
  ])("that words its algorithm as %s hands on its hash", (algorithm) => {
    expect(verdictOf({ hash: BCRYPT, algorithm })).toMatchObject({ hash: BCRYPT });
  });

  it.each(
    "bcrypt_sha256 BCryptSHA256PasswordHasher md5-bcrypt bcrypt+hmac bcrypt_peppered double_bcrypt argon2-bcrypt salted_bcrypt".split(
      " ",
    ),
  )("that names more than bcrypt isn't taken: %s", (algorithm) => {
    expect(verdictOf({ hash: BCRYPT, algorithm })).toMatchObject({ code: "credential_algorithm" });
  });

  it.each(["salt", "password_salt", "passwordSalt", "Salt", "user_salt", "pwd_salt", "saltKey"])(
    "is refused with a filled %s",
    (name) => {
      for (const salt of ["Zs4c9yXq", "x", "!"]) {
        expect(verdictOf({ crypted_password: BCRYPT, [name]: salt })).toMatchObject({
          code: "mcf_plus_salt_column",
        });
      }
    },
  );

  it.each(["pepper", "isPeppered", "peppered", "preHash", "pre_hash", "prehashed", "sha_wrapped"])(
    "is refused with a mark %s, unless it is off",
    (name) => {
      for (const mark of [true, 1, "v1"]) {
        expect(verdictOf({ hash: BCRYPT, [name]: mark })).toMatchObject({
          code: "credential_marked",
        });
      }
      for (const mark of [false, 0, "0", "", null]) {
        expect(verdictOf({ hash: BCRYPT, [name]: mark })).toMatchObject({ hash: BCRYPT });
      }
    },
  );

  it.each([
    ["algorithm", "sha512"],
    ["hash_algo", "md5bcrypt"],
    ["algo", "bcrypt-sha256"],
    ["digest", "sha512"],
    ["hasher", "bcrypt_sha256"],
    ["method", "bcrypt_sha256"],
    ["type", "sha512+bcrypt"],
    ["encoding", "hmac"],
    ["algorithm", 7],
  ])("is refused with %s %j", (name, algorithm) => {
    expect(verdictOf({ hash: BCRYPT, [name]: algorithm })).toMatchObject({
      code: "credential_algorithm",
    });
  });

  it("is refused where it names the other algorithm", () => {
    expect(verdictOf({ hash: BCRYPT, algorithm: "argon2id" })).toMatchObject({
      code: "credential_mismatch",
    });
  });

  it("isn't searched for a hash in other fields, nor past a salt or an algorithm outside", () => {
    expect(verdictOf({ note: BCRYPT })).toMatchObject({ code: "unknown_credential" });
    expect(verdictOf({ a: { b: { hash: BCRYPT } } })).toMatchObject({ code: "unknown_credential" });
    expect(verdictOf({ salt: "Zs4c9yXq", password: { hash: BCRYPT } })).toMatchObject({
      code: "unknown_credential",
    });
    expect(verdictOf({ algorithm: "sha256", hash: { value: BCRYPT } })).toMatchObject({
      verdict: "refused",
    });
  });

  it("is refused with two hashes, and takes the only filled one of two", () => {
    expect(verdictOf({ passwordHash: BCRYPT, password: ARGON2 })).toMatchObject({
      code: "credential_ambiguous",
    });
    expect(verdictOf({ passwordHash: BCRYPT, password: "" })).toMatchObject({ hash: BCRYPT });
  });

  it("may hold its hash in a list of one, as LDAP's tools write it, and in no longer one", () => {
    expect(verdictOf({ userPassword: [`{CRYPT}${BCRYPT}`] })).toMatchObject({ hash: BCRYPT });
    expect(verdictOf([BCRYPT])).toMatchObject({ hash: BCRYPT });
    expect(verdictOf({ userPassword: [BCRYPT], salt: ["Zs4c9yXq"] })).toMatchObject({
      verdict: "refused",
    });
    expect(verdictOf({ userPassword: [BCRYPT, ARGON2] })).toMatchObject({ verdict: "refused" });
    expect(verdictOf([BCRYPT, ARGON2])).toMatchObject({ verdict: "refused" });
  });

  it("has its fields' damage undone", () => {
    expect(verdictOf({ passwordHash: `"${BCRYPT}" ` })).toMatchObject({
      hash: BCRYPT,
      steps: ["credential_hash_taken", "trim", "unquoted"],
    });
  });

  it("takes __proto__ for just a key", () => {
    const credential: object = JSON.parse(`{"__proto__":{"passwordHash":"${BCRYPT}"}}`);
    expect(verdictOf(credential)).toMatchObject({ code: "unknown_credential" });
    for (const inherited of [
      { passwordHash: BCRYPT },
      { password_digest: BCRYPT, password_hasher: "bcrypt" },
    ]) {
      expect(verdictOf(Object.create(inherited))).toMatchObject({ code: "unknown_credential" });
    }
  });
});

describe("a credential as JSON text", () => {
  function textVerdict(text: string) {
    return normalizeHash({ kind: "text", text });
  }
  const row = { passwordHash: BCRYPT };

  it("may have white space, a byte-order mark or quotation marks around it", () => {
    const text = JSON.stringify(row, null, 2);
    for (const around of [
      `${text} `,
      `${text}\0\0`,
      text,
      `\uFEFF${text}\n`,
      `"${JSON.stringify(row).replaceAll('"', '""')}"`,
    ]) {
      expect(textVerdict(around)).toMatchObject({ hash: BCRYPT });
    }
    expect(textVerdict(JSON.stringify(JSON.stringify(row)))).toMatchObject({ hash: BCRYPT });
  });

  it("may be longer than a hash, within a bound", () => {
    const padded = (length: number) => JSON.stringify({ ...row, note: "x".repeat(length) });
    expect(textVerdict(padded(2_000))).toMatchObject({ hash: BCRYPT });
    expect(textVerdict(padded(4_096))).toMatchObject({ code: "too_long" });
  });

  it("is refused where it is no whole JSON, and never searched for a hash", () => {
    for (const text of [
      '{"passwordHash":',
      `{"passwordHash":"${BCRYPT}"`,
      `{"a"}${BCRYPT}`,
      `{"a} `,
    ]) {
      expect(textVerdict(text)).toMatchObject({ code: "credential_json" });
    }
    for (const text of ["{", "{}", "[]"]) {
      expect(textVerdict(text)).toMatchObject({ verdict: "refused" });
    }
  });

  it("is opened to a bounded depth", () => {
    let text = JSON.stringify(row);
    for (let depth = 0; depth < 6; depth++) text = JSON.stringify({ password: text });
    expect(textVerdict(text)).toMatchObject({ verdict: "refused" });
  });
});

describe("an object that holds one whole hash", () => {
  it.each([
    ["Akamai", { password: { type: "password-bcrypt", value: BCRYPT } }],
    ["Auth0", { custom_password_hash: { algorithm: "bcrypt", hash: { value: BCRYPT } } }],
    [
      "Auth0, with its encodings",
      {
        algorithm: "bcrypt",
        hash: { value: BCRYPT, encoding: "utf8" },
        password: { encoding: "utf8" },
      },
    ],
    ["Zitadel", { hashedPassword: { value: BCRYPT, algorithm: "bcrypt" } }],
    ["Zitadel's second version", { hashedPassword: { hash: BCRYPT } }],
    ["Descope", { hashedPassword: { bcrypt: { hash: BCRYPT } } }],
    ["Logto", { passwordEncrypted: BCRYPT, passwordEncryptionMethod: "Bcrypt" }],
    ["Parse", { _hashed_password: BCRYPT }],
    ["a column of passwords' types", { password_hash: BCRYPT, algorithm: "password-bcrypt" }],
  ])("gives it up: %s", (_vendor, credential) => {
    expect(verdictOf(credential)).toMatchObject({
      hash: BCRYPT,
      steps: ["credential_hash_taken"],
      notices: ["prehash_possible"],
    });
  });

  it("gives up argon2 beside its name", () => {
    for (const credential of [
      { custom_password_hash: { algorithm: "argon2", hash: { value: ARGON2 } } },
      { passwordEncrypted: ARGON2, passwordEncryptionMethod: "Argon2id" },
      { hashedPassword: { value: ARGON2, algorithm: "argon2id" } },
    ]) {
      expect(verdictOf(credential)).toMatchObject({ hash: ARGON2 });
    }
  });

  it.each([
    ["Akamai's MD5", { type: "password-md5", value: "0".repeat(32) }, "akamai_algorithm"],
    [
      "Akamai's bcrypt of something else",
      { type: "password-bcrypt", value: ARGON2 },
      "credential_mismatch",
    ],
    ["Auth0's HMAC", { algorithm: "hmac", hash: { value: "00", digest: "sha1" } }, "auth0_hmac"],
    [
      "Auth0's hash of UTF-16",
      { algorithm: "bcrypt", hash: { value: BCRYPT }, password: { encoding: "utf16le" } },
      "auth0_more",
    ],
    [
      "Auth0's hash with a salt",
      { algorithm: "bcrypt", hash: { value: BCRYPT }, salt: { value: "x" } },
      "auth0_more",
    ],
    ["Auth0's hash without a value", { algorithm: "bcrypt", hash: {} }, "credential_malformed"],
    [
      "Logto's SHA-256",
      { passwordEncrypted: BCRYPT, passwordEncryptionMethod: "SHA256" },
      "credential_algorithm",
    ],
    [
      "a word that stands over pre-hashes, too",
      { password_hash: BCRYPT, scheme: "blowfish" },
      "credential_algorithm",
    ],
    [
      "bcrypt over a digest",
      { password_hash: BCRYPT, algorithm: "sha256-bcrypt" },
      "credential_algorithm",
    ],
  ])("is refused by its right name: %s", (_what, credential, code) => {
    expect(verdictOf(credential)).toMatchObject({ code });
  });
});

describe("an object of bytes", () => {
  const bytes = Buffer.from(BCRYPT);
  const base64 = bytes.toString("base64");

  it.each([
    ["Node.js' Buffer", JSON.parse(JSON.stringify(bytes))],
    ["MongoDB's extended JSON", { $binary: { base64, subType: "00" } }],
    ["MongoDB's first extended JSON", { $binary: base64, $type: "00" }],
  ])("is the text that they are: %s", (_what, credential: object) => {
    expect(verdictOf(credential)).toMatchObject({ hash: BCRYPT, steps: ["bytes_taken"] });
    expect(verdictOf({ name: "ann", password: credential })).toMatchObject({
      hash: BCRYPT,
      steps: ["credential_hash_taken", "bytes_taken"],
    });
  });

  it("is refused where the bytes are no text", () => {
    const credential = { type: "Buffer", data: [0x24, 0xff, 0x80] };
    expect(verdictOf(credential)).toMatchObject({ code: "credential_malformed" });
    expect(verdictOf({ password: credential })).toMatchObject({ code: "credential_malformed" });
  });
});
