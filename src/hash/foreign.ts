/** Encodings that no core imports, as a table: whose they are and what to do. It only names what is refused anyway; nothing is accepted for not being listed. */

import { defineFlaw, EXPORT_AGAIN, type Flaw, PASSWORDLESS } from "./flaw.js";
import type { HashVerdict } from "./hash.js";

interface Row {
  readonly pattern: RegExp;
  readonly flaw: Flaw;
}

const ASK_FIREBASE =
  "export again with an account that has the permission firebaseauth.configs.getHashConfig";

/** What stands where a hash should be when the vendor withheld it. */
const PLACEHOLDERS: readonly Row[] = [
  row(
    "firebase_redacted",
    /^UkVEQUNURUQ=?$/,
    "Firebase wrote a placeholder instead of the hash, because the exporting account may not read hashes",
    ASK_FIREBASE,
  ),
  row(
    "firebase_emulator",
    /^fakeHash:/,
    "this is the Firebase emulator's stand-in, which holds the password in plain text",
    "export from the real project, and delete this file if the passwords in it are anyone's",
  ),
];

/** Hashes of a password that was changed first: they look like bcrypt inside and would never verify. */
const PRE_HASHED: readonly Row[] = [
  row(
    "wordpress_6_8",
    /^\$wp\$/,
    "WordPress 6.8 and later hash an HMAC of the password, not the password",
  ),
  row(
    "django_bcrypt_sha256",
    /^bcrypt_sha256\$/,
    "Django's BCryptSHA256PasswordHasher hashes a SHA-256 of the password, not the password",
  ),
  row(
    "passlib_bcrypt_sha256",
    /^\$bcrypt-sha256\$/,
    "passlib's bcrypt_sha256 hashes a SHA-256 of the password, not the password",
  ),
  row(
    "bcrypt_sha512",
    /^\$bcrypt-sha512\$/,
    "this is bcrypt over a SHA-512 of the password, not over the password",
  ),
  row(
    "wrapped",
    /^[CMU]\$/,
    "TYPO3 or Drupal hashed an older hash of the password, not the password",
  ),
  row(
    "phpbb_wrapped",
    /^\$(?:H\\|CP\$)/,
    "phpBB hashed an older hash of the password, not the password",
  ),
];

/** Other algorithms. */
const OTHER_ALGORITHMS: readonly Row[] = [
  row(
    "pbkdf2",
    /^(?:pbkdf2[_:]|\$pbkdf2|\$p5k2\$|grub\.pbkdf2\.)/i,
    "this is PBKDF2, which a core doesn't import",
  ),
  row(
    "scrypt",
    /^(?:\$scrypt\$|scrypt[$:])/,
    "this is standard scrypt, which can't be turned into the vendor's scrypt",
  ),
  row("scrypt_crypt", /^\$7\$/, "this is crypt's scrypt, which can't become the vendor's scrypt"),
  row("yescrypt", /^\$g?y\$/, "this is yescrypt, which a core doesn't import"),
  row("md5_crypt", /^\$(?:1|apr1)\$/, "this is md5-crypt, which a core doesn't import"),
  row("sha1_crypt", /^\$sha1\$/, "this is sha1-crypt, which a core doesn't import"),
  row("sha256_crypt", /^\$5\$/, "this is sha256-crypt, which a core doesn't import"),
  row("sha512_crypt", /^\$6\$/, "this is sha512-crypt, which a core doesn't import"),
  row("phpass", /^\$[PH]\$/, "this is phpass (WordPress, phpBB), which a core doesn't import"),
  row("drupal7", /^\$S\$/, "this is Drupal 7's SHA-512, which a core doesn't import"),
  row("django_digest", /^(?:md5|sha1|unsalted_\w{1,8})\$/, "this is one of Django's plain digests"),
  row("mysql41", /^\*[0-9A-F]{40}$/i, "this is MySQL's own password digest"),
  row("lucia_scrypt", /^s2:/, "this is Lucia's scrypt, which can't become the vendor's scrypt"),
  row(
    "better_auth_scrypt",
    /^[0-9a-f]{32}:[0-9a-f]{128}$/i,
    "this is the scrypt of better-auth or Lucia, which can't become the vendor's scrypt",
  ),
  row(
    "aspnet_identity_v3",
    /^AQAAAA[A-Za-z0-9+/]{40,}={0,2}$/,
    "this is ASP.NET Identity's PBKDF2 (version 3), which a core doesn't import",
  ),
  row(
    "aspnet_identity_v2",
    // One zero byte, then 16 of salt and 32 of hash.
    /^A[A-P][A-Za-z0-9+/]{64}==$/,
    "this is ASP.NET Identity's PBKDF2 (version 2), which a core doesn't import",
  ),
  row(
    "raw_digest",
    /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})$/i,
    "this is a bare MD5, SHA-1, SHA-256 or SHA-512 digest, which a core doesn't import",
  ),
];

/** `{SCHEME}` texts of LDAP servers, Dovecot, Atlassian and Spring Security. */
const SCHEMES: readonly Row[] = [
  ...[
    ...["SHA", "SSHA", "SHA256", "SSHA256", "SHA384", "SSHA384", "SHA512", "SSHA512"],
    ...["MD4", "MD5", "SMD5", "PKCS5S2", "scrypt", "ldap"],
  ].map((name) =>
    row(
      `scheme_${name.toLowerCase()}`,
      new RegExp(`^\\{${name}(?:@[^}]{0,40})?\\}`, "i"),
      `the scheme {${name}} is neither bcrypt nor argon2`,
    ),
  ),
  row(
    "scheme_pbkdf2",
    /^\{PBKDF2[^}]{0,40}\}/i,
    "the scheme {PBKDF2} is neither bcrypt nor argon2",
  ),
  row(
    "scheme_noop",
    /^\{noop\}/i,
    "the scheme {noop} holds the password in plain text",
    "have your application hash it with bcrypt first, or use --on-unusable-hash passwordless",
  ),
  row(
    "scheme_mismatch",
    /^\{(?:bcrypt|argon2|crypt|blf-crypt)[^}]{0,40}\}(?!\$2|\$argon2)/i,
    "what follows the scheme in braces is neither bcrypt nor argon2",
  ),
];

const LOCKED: readonly Row[] = [
  row(
    "locked_account",
    /^(?:[!*]{1,2}\$|\*(?:LK|NP)\*)/,
    "the account was locked by a mark before its hash",
    "decide whether this user may sign in, and unlock the account or leave it out",
  ),
];

const TABLE: readonly Row[] = [
  ...PLACEHOLDERS,
  ...PRE_HASHED,
  ...OTHER_ALGORITHMS,
  ...SCHEMES,
  ...LOCKED,
];

const UNKNOWN_PREFIX = defineFlaw(
  "unknown_prefix",
  "an unknown text stands before a hash, and it may mark a password that was changed before hashing",
  `find out what the text means, then strip it in the export or ${PASSWORDLESS}`,
);

const UNKNOWN = defineFlaw(
  "unknown",
  "this is no encoding of a password that is known here",
  EXPORT_AGAIN,
);

/** The refusal for a vendor's placeholder, or null for any other text. */
export function recognizePlaceholder(text: string): HashVerdict | null {
  return find(PLACEHOLDERS, text);
}

/** The refusal for an encoding that no core imports, or null for a text that isn't in the table. */
export function recognizeForeign(text: string): HashVerdict | null {
  return find(TABLE, text);
}

/** The refusal for a text that isn't in the table: with a valid hash at its end, or without. */
export function refuseUnknown(endsWithHash: boolean): HashVerdict {
  return (endsWithHash ? UNKNOWN_PREFIX : UNKNOWN).refusal;
}

function row(code: string, pattern: RegExp, what: string, remedy?: string): Row {
  return { pattern, flaw: defineFlaw(code, what, remedy) };
}

function find(rows: readonly Row[], text: string): HashVerdict | null {
  return rows.find(({ pattern }) => pattern.test(text))?.flaw.refusal ?? null;
}
