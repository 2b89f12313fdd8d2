/** Hashes as each vendor's software makes them, at the lowest cost: of the password as typed, and of what it hashes in the password's place. */

import { createHash, createHmac } from "node:crypto";
import argon2Package from "argon2";
import { hashSync } from "bcryptjs";
import type { RawHash } from "../../../src/hash/hash.js";
import { hashConfigOf, KEY, scryptOf } from "../../run/support/test-users.js";

/** A password with what HTML escapes in it. */
export const PASSWORD = 'Tr0mbone & "Kazoo"';
/** More than bcrypt reads. */
export const LONG = "Tr0mbone & Kazoo, ".repeat(5);
export const PEPPER = "pepper-of-the-site";
export const USER = "ann.lee";
export const HASH_CONFIG = hashConfigOf(KEY);
export const SIGNER_KEY = KEY.toString("base64");

/** A hash, what was typed, and what must become of it under its vendor's name. */
export interface Made {
  /** How the software makes it. */
  readonly how: string;
  readonly raw: RawHash;
  readonly typed: string;
  /**
   * `signs_in`: accepted, and its owner signs in. `refused`: never sent. `noticed`: accepted with a
   * notice, since it may be of something else, and it is. `excepted`: accepted without one, since
   * the vendor changes so few passwords that the docs alone say it.
   */
  readonly is: "signs_in" | "refused" | "noticed" | "excepted";
  /** The refusal's code, where a mark gives it away. */
  readonly code?: string;
}

const OLD_BCRYPT = "$2a$";
const PHP = "$2y$";
const BCRYPT_DIGITS = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const BASE64_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function bcrypt(password: string, identifier = "$2b$", cost = 4): string {
  return hashSync(password, cost).replace("$2b$", identifier);
}

/** What PHP's crypt makes of a password under the salt of another hash. */
function crypt(password: string, setting: string): string {
  return hashSync(password, setting.slice(0, 29));
}

function argon2(password: string, type: "argon2i" | "argon2id" = "argon2id"): Promise<string> {
  const options = { type: argon2Package[type], memoryCost: 64, timeCost: 2, parallelism: 1 };
  return argon2Package.hash(password, options);
}

function digest(algorithm: string, text: string, as: "hex" | "base64"): string {
  return createHash(algorithm).update(text).digest(as);
}

function text(made: string): RawHash {
  return { kind: "text", text: made };
}

function credential(made: object): RawHash {
  return { kind: "credential", credential: made };
}

function signsIn(how: string, raw: string | RawHash): Made {
  return { how, raw: typeof raw === "string" ? text(raw) : raw, typed: PASSWORD, is: "signs_in" };
}

function refused(how: string, raw: string | RawHash, code = "prehashed_unmarked"): Made {
  return { ...signsIn(how, raw), is: "refused", code };
}

function noticed(how: string, raw: string, typed = PASSWORD): Made {
  return { how, raw: text(raw), typed, is: "noticed" };
}

function excepted(how: string, raw: string, typed: string): Made {
  return { how, raw: text(raw), typed, is: "excepted" };
}

const SHA384 = digest("sha384", PASSWORD, "base64");
const FLASK_HMAC = createHmac("sha512", PEPPER).update(PASSWORD).digest("base64");
const PARTS = bcrypt(PASSWORD);
const [SALT, VALUE] = [PARTS.slice(7, 29), PARTS.slice(29)];
const ONCE = bcrypt(PASSWORD, OLD_BCRYPT);
const DOUBLE = crypt(crypt(PASSWORD, ONCE), ONCE);
const ARGON2 = await argon2(PASSWORD);
const ARGON2I = await argon2(PASSWORD, "argon2i");
const [ARGON2_SALT = "", ARGON2_HASH = ""] = ARGON2.split("$").slice(-2);

/** bcrypt's own base64 in the standard alphabet, as PHC's form has it. */
function standard(digits: string): string {
  return digits.replace(/./g, (digit) => BASE64_DIGITS.charAt(BCRYPT_DIGITS.indexOf(digit)));
}

/** By the name that `--from` takes. A vendor without a hash here fails the test. */
export const VENDOR_HASHES: Readonly<Record<string, readonly Made[]>> = {
  firebase: [signsIn("vendor scrypt", { kind: "vendor_scrypt", ...scryptOf(PASSWORD) })],
  auth0: [signsIn("node's bcrypt", bcrypt(PASSWORD))],
  supabase: [signsIn("Go's bcrypt", bcrypt(PASSWORD, OLD_BCRYPT))],
  clerk: [
    signsIn("a digest", credential({ password_digest: PARTS, password_hasher: "bcrypt" })),
    signsIn("a bare digest", ARGON2I),
  ],
  keycloak: [
    signsIn(
      "argon2 in two JSON texts",
      credential({
        type: "password",
        credentialData: JSON.stringify({
          hashIterations: 2,
          algorithm: "argon2",
          additionalParameters: {
            hashLength: ["32"],
            memory: ["64"],
            type: ["id"],
            version: ["1.3"],
            parallelism: ["1"],
          },
        }),
        secretData: JSON.stringify({ value: `${ARGON2_HASH}=`, salt: `${ARGON2_SALT}==` }),
      }),
    ),
  ],
  okta: [
    signsIn(
      "a hash object",
      credential({ algorithm: "BCRYPT", workFactor: 4, salt: SALT, value: VALUE }),
    ),
  ],
  fusionauth: [
    signsIn(
      "salted bcrypt",
      credential({ encryptionScheme: "bcrypt", factor: 4, salt: SALT, password: VALUE }),
    ),
  ],
  kratos: [signsIn("Go's bcrypt", bcrypt(PASSWORD, OLD_BCRYPT))],
  appwrite: [signsIn("argon2", credential({ hash: "argon2", password: ARGON2 }))],
  authgear: [signsIn("Go's bcrypt", bcrypt(PASSWORD, OLD_BCRYPT))],
  nhost: [signsIn("node's bcrypt", bcrypt(PASSWORD))],
  supertokens: [
    signsIn("jBCrypt", bcrypt(PASSWORD, OLD_BCRYPT)),
    signsIn("argon2 of Java", ARGON2),
  ],
  htpasswd: [signsIn("a line of htpasswd -B", `müller:${bcrypt(PASSWORD, PHP)}`)],
  dovecot: [
    signsIn("doveadm pw -s BLF-CRYPT", `{BLF-CRYPT}${bcrypt(PASSWORD, PHP)}`),
    signsIn("the default scheme", bcrypt(PASSWORD, PHP)),
  ],
  openldap: [signsIn("pw-argon2", `{ARGON2}${ARGON2}`)],
  spring: [
    signsIn("BCryptPasswordEncoder", bcrypt(PASSWORD, OLD_BCRYPT)),
    signsIn("DelegatingPasswordEncoder", `{bcrypt}${bcrypt(PASSWORD, OLD_BCRYPT)}`),
  ],
  laravel: [signsIn("Hash::make", bcrypt(PASSWORD, PHP)), signsIn("argon2id", ARGON2)],
  rails: [signsIn("has_secure_password", bcrypt(PASSWORD, OLD_BCRYPT))],
  adonisjs: [
    signsIn("PHC's form", `$bcrypt$v=98$r=4$${standard(SALT)}$${standard(VALUE)}`),
    signsIn("version 4's", bcrypt(PASSWORD)),
  ],
  shiro: [signsIn("Shiro2CryptFormat", `$shiro2$2y$04$${SALT}$${VALUE}`)],
  symfony: [
    signsIn("NativePasswordHasher", bcrypt(PASSWORD, PHP)),
    excepted("a long password", bcrypt(digest("sha512", LONG, "base64"), PHP), LONG),
  ],
  bun: [signsIn("Bun.password with bcrypt", bcrypt(PASSWORD))],
  lucia: [
    signsIn("oslo's Bcrypt", bcrypt(PASSWORD)),
    excepted("a password that NFKC changes", bcrypt("Caf\u00e9"), "Cafe\u0301"),
  ],
  django: [
    signsIn("BCryptPasswordHasher", `bcrypt$${PARTS}`),
    signsIn("Argon2PasswordHasher", `argon2${ARGON2}`),
    refused(
      "BCryptSHA256PasswordHasher",
      `bcrypt_sha256$${bcrypt(digest("sha256", PASSWORD, "hex"))}`,
      "django_bcrypt_sha256",
    ),
    noticed("the same without its mark", bcrypt(digest("sha256", PASSWORD, "hex"))),
  ],
  meteor: [refused("accounts-password", bcrypt(digest("sha256", PASSWORD, "hex")))],
  "codeigniter-shield": [
    signsIn("since 1.0.0-beta.4", bcrypt(PASSWORD, PHP)),
    noticed("before 1.0.0-beta.4", bcrypt(SHA384, PHP)),
  ],
  "myth-auth": [refused("Password::hash", bcrypt(SHA384, PHP))],
  codeigniter: [
    signsIn("password_hash", bcrypt(PASSWORD, PHP)),
    noticed("Myth:Auth", bcrypt(SHA384, PHP)),
  ],
  "bcrypt-net-enhanced": [refused("EnhancedHashPassword", bcrypt(SHA384, OLD_BCRYPT))],
  "bcrypt-net": [
    signsIn("HashPassword", bcrypt(PASSWORD, OLD_BCRYPT)),
    noticed("EnhancedHashPassword", bcrypt(SHA384, OLD_BCRYPT)),
  ],
  "flask-security": [refused("hash_password", bcrypt(FLASK_HMAC))],
  "flask-bcrypt-long": [refused("long passwords", bcrypt(digest("sha256", PASSWORD, "hex")))],
  "flask-bcrypt": [
    signsIn("generate_password_hash", bcrypt(PASSWORD)),
    noticed("long passwords", bcrypt(digest("sha256", PASSWORD, "hex"))),
  ],
  flask: [signsIn("bcrypt", bcrypt(PASSWORD)), noticed("Flask-Security", bcrypt(FLASK_HMAC))],
  "laminas-bcryptsha": [
    refused("BcryptSha::create", bcrypt(digest("sha256", PASSWORD, "hex"), PHP)),
  ],
  devise: [
    signsIn("without a pepper", bcrypt(PASSWORD, OLD_BCRYPT)),
    noticed("with config.pepper", bcrypt(PASSWORD + PEPPER, OLD_BCRYPT)),
  ],
  sorcery: [
    signsIn("without a salt", bcrypt(PASSWORD, OLD_BCRYPT)),
    noticed("with a salt", bcrypt(PASSWORD + PEPPER, OLD_BCRYPT)),
  ],
  authlogic: [
    signsIn("without a salt", bcrypt(PASSWORD, OLD_BCRYPT)),
    noticed("with a salt", bcrypt(PASSWORD + PEPPER, OLD_BCRYPT)),
  ],
  jenkins: [signsIn("JBCryptEncoder", `#jbcrypt:${bcrypt(PASSWORD, OLD_BCRYPT)}`)],
  joomla: [signsIn("UserHelper::hashPassword", bcrypt(PASSWORD, PHP))],
  flarum: [signsIn("BcryptHasher", bcrypt(PASSWORD, PHP))],
  craft: [signsIn("generatePasswordHash", bcrypt(PASSWORD, PHP))],
  moodle: [signsIn("before 4.3", bcrypt(PASSWORD, PHP))],
  ghost: [signsIn("bcryptjs", bcrypt(PASSWORD, OLD_BCRYPT))],
  strapi: [signsIn("bcryptjs", bcrypt(PASSWORD, OLD_BCRYPT))],
  directus: [signsIn("argon2", ARGON2)],
  "parse-server": [signsIn("bcryptjs", bcrypt(PASSWORD))],
  mattermost: [signsIn("Go's bcrypt", bcrypt(PASSWORD, OLD_BCRYPT))],
  drupal: [
    signsIn("PhpPassword", bcrypt(PASSWORD, PHP)),
    excepted("a password with a blank at its end", bcrypt(PASSWORD, PHP), `${PASSWORD} `),
  ],
  xenforo: [
    signsIn("XF:Core12", `a:1:{s:4:"hash";s:60:"${bcrypt(PASSWORD, PHP)}";}`),
    excepted("a password with a blank at its end", bcrypt(PASSWORD, PHP), `${PASSWORD} `),
  ],
  mediawiki: [
    signsIn("BcryptPassword", `:bcrypt:4$${SALT}$${VALUE}`),
    signsIn("Argon2Password", `:argon2:${ARGON2I}`),
    noticed("a password that NFC changes", bcrypt("Caf\u00e9", PHP), "Cafe\u0301"),
  ],
  phpbb: [
    { ...signsIn("a password that HTML leaves alone", bcrypt("Tuba", PHP)), typed: "Tuba" },
    noticed("a password that HTML escapes", bcrypt("Tr0mbone &amp; &quot;Kazoo&quot;", PHP)),
  ],
  wordpress: [
    signsIn("a plugin's bcrypt", bcrypt(PASSWORD, PHP)),
    refused(
      "wp_hash_password",
      `$wp${bcrypt(createHmac("sha384", "wp-sha384").update(PASSWORD).digest("base64"), PHP)}`,
      "wordpress_6_8",
    ),
  ],
  synapse: [
    signsIn("without a pepper", bcrypt(PASSWORD)),
    noticed("with password_config.pepper", bcrypt(PASSWORD + PEPPER)),
  ],
  woltlab: [
    signsIn("Bcrypt", `Bcrypt:${bcrypt(PASSWORD, PHP)}`),
    signsIn("Argon2", `Argon2:${ARGON2I}`),
    refused("DoubleBcrypt", DOUBLE),
    refused("a double-salted SHA-1 in bcrypt", `wcf2:${DOUBLE}`, "woltlab_double_salted"),
  ],
  typo3: [
    refused("BcryptPasswordHash", bcrypt(SHA384, PHP)),
    signsIn("Argon2iPasswordHash", ARGON2I),
    signsIn("BlowfishPasswordHash", bcrypt(PASSWORD, OLD_BCRYPT, 7)),
    refused("an old MD5 in argon2", `M${ARGON2}`, "wrapped"),
  ],
  rocketchat: [refused("Meteor's accounts", bcrypt(digest("sha256", PASSWORD, "hex")))],
  vbulletin: [refused("a blowfish token", bcrypt(digest("md5", PASSWORD, "hex"), PHP))],
  smf: [refused("hash_password", bcrypt(`${USER}${PASSWORD}`, PHP))],
  nodebb: [
    refused("SHA-512 first, the hash alone", bcrypt(digest("sha512", PASSWORD, "hex"))),
    refused(
      "SHA-512 first, in a user object",
      credential({
        password: bcrypt(digest("sha512", PASSWORD, "hex")),
        "password:shaWrapped": 1,
      }),
      "nodebb_sha_wrapped",
    ),
    signsIn("before 1.13", credential({ password: PARTS, "password:shaWrapped": 0 })),
  ],
  nextcloud: [
    signsIn("version 1", `1|${bcrypt(PASSWORD, PHP)}`),
    signsIn("version 3", `3|${ARGON2}`),
    refused("without a version", bcrypt(PASSWORD + PEPPER, PHP)),
  ],
};
