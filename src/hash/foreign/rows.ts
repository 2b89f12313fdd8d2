/** Texts that no core imports, by what they start with or the shape of the whole, and what the operator is told of each. */

import { defineFlaw, EXPORT_AGAIN, ONE_CASE_ONLY, type Refusal, type Remedy } from "../flaw.js";

/** One kind of text that no core imports. */
export interface ForeignRow {
  /** What such a text starts with, or its shape, which is linear: no repetition inside a repetition. */
  readonly shape: readonly string[] | RegExp;
  readonly refusal: Refusal;
}

/** A row; see {@link defineFlaw} for `code`, `what` and `remedy`. */
function row(code: string, shape: ForeignRow["shape"], what: string, remedy?: Remedy): ForeignRow {
  return { shape, refusal: defineFlaw(code, what, remedy).refusal };
}

/** What stands where a hash should be: withheld by the vendor, made up by a test tool, or locked by an administrator. */
export const PLACEHOLDERS: readonly ForeignRow[] = [
  row(
    "firebase_redacted",
    ["UkVEQUNURUQ"],
    "Firebase wrote a placeholder instead of the hash, because the exporting account may not read hashes (firebaseauth.configs.getHashConfig)",
    () => "export again with an account that has that permission",
  ),
  row(
    "firebase_emulator",
    ["fakeHash:"],
    "this is the Firebase emulator's stand-in, which holds the password in plain text",
    () => "export from the real project, and delete this file if the passwords in it are real",
  ),
  row(
    "redacted",
    /^(?:[*•.-]{3,40}|x{3,40}|[[(<]?(?:redacted|hidden|masked|filtered|removed|protected|secret)[\])>]?)$/i,
    "a placeholder stands where the hash should be",
    "export again with an account or tool that may read hashes",
  ),
  row(
    "locked_account",
    ["!$", "!!$", "*$", "*LK*", "*NP*"],
    "the account was locked by a mark before its hash",
    () => "decide whether this user may sign in, and unlock the account or leave it out",
  ),
];

/** Hashes of a password that was changed first, and say so: they look like bcrypt or argon2 inside and would never verify. */
const PRE_HASHED: readonly ForeignRow[] = [
  // wp_hash_password since 6.8.
  row(
    "wordpress_6_8",
    ["$wp$"],
    "WordPress 6.8 and later hash an HMAC of the password, not the password",
  ),
  row(
    "django_bcrypt_sha256",
    ["bcrypt_sha256$"],
    "Django's BCryptSHA256PasswordHasher hashes a SHA-256 of the password, not the password",
  ),
  row(
    "passlib_bcrypt_sha256",
    ["$bcrypt-sha256$"],
    "passlib's bcrypt_sha256 hashes a SHA-256 of the password, not the password",
  ),
  // Authgear.
  row(
    "bcrypt_sha512",
    ["$bcrypt-sha512$"],
    "this is bcrypt over a SHA-512 of the password, not over the password",
  ),
  row(
    "wrapped",
    ["C$", "M$", "U$"],
    "TYPO3 or Drupal hashed an older hash of the password, not the password",
  ),
  row(
    "phpbb_wrapped",
    ["$H\\", "$CP$"],
    "phpBB hashed an older hash of the password, not the password",
  ),
  row(
    "woltlab_double_salted",
    /^(?:wcf|wbb)\d{1,2}:/i,
    "WoltLab hashed a salted hash of the password, not the password",
  ),
  // LayeredParameterizedPassword: "!" between the layers.
  row(
    "mediawiki_layered",
    [":pbkdf2-legacyA:", ":pbkdf2-legacyB:", ":bcrypt-legacyA:", ":bcrypt-legacyB:"],
    "MediaWiki hashed an older hash of the password, not the password",
  ),
];

/** Hashes of a column that was turned to upper case, identifiers included. In lower case they still open as what they are. */
const UPPER_CASED: readonly ForeignRow[] = (
  [
    ["bcrypt", "bcrypt", /^\$2[ABXY]\$\d\d\$[^a-z]+$/],
    ["argon2", "argon2", /^\$ARGON2(?:ID|I|D)\$[^a-z]+$/],
    ["fscrypt", "vendor scrypt", /^\$F_SCRYPT\$[^a-z]+$/],
  ] as const
).map(([code, name, shape]) =>
  row(`${code}_casefold`, shape, `the ${name} hash ${ONE_CASE_ONLY}`, EXPORT_AGAIN),
);

const NO_SCRYPT =
  "the vendor's scrypt encrypts with the account's signer key, so it can't become that";

/** One that a core doesn't import, by its name. */
function other(code: string, shape: ForeignRow["shape"], name: string): ForeignRow {
  return row(code, shape, `this is ${name}, which a core doesn't import`);
}

/** Hashes of other algorithms. */
const ALGORITHMS: readonly ForeignRow[] = [
  other(
    "pbkdf2",
    /^(?:pbkdf2[-_:$]|\$pbkdf2|\$8\$|\$ml\$|\$p5k2\$|\$7\$\d{1,9}\$|grub\.pbkdf2\.|sha(?:1|224|256|384|512)(?::\d{1,9}:|\$\d{1,9}\$\d{1,4}\$))/i,
    "PBKDF2",
  ),
  other("mediawiki_pbkdf2", [":pbkdf2:"], "MediaWiki's PBKDF2"),
  other("mediawiki_md5", [":A:", ":B:"], "MediaWiki's old MD5"),
  // Go's and PHP's scrypt packages write $s0$, Spring's encoder the parameters as hex digits, Tarsnap's in base64 behind its name.
  row(
    "scrypt",
    /^(?:\$scrypt\$|scrypt[$:]|\$s[012]\$|\$[0-9a-f]{5,6}\$[A-Za-z0-9+/]{8}|c2NyeXB0AA[A-Za-z0-9+/]{118}$)/i,
    `this is standard scrypt; ${NO_SCRYPT}`,
  ),
  row("scrypt_crypt", ["$7$", "$9$"], `this is scrypt as crypt or Cisco write it; ${NO_SCRYPT}`),
  row("lucia_scrypt", ["s2:"], `this is Lucia's scrypt; ${NO_SCRYPT}`),
  row(
    "better_auth_scrypt",
    /^[0-9a-f]{32}:[0-9a-f]{128}$/i,
    `this is the scrypt of better-auth or Lucia; ${NO_SCRYPT}`,
  ),
  other("yescrypt", ["$y$", "$gy$"], "yescrypt"),
  other(
    "kratos_digest",
    // An MD5 without a template ends as base64 does, and crypt's alphabet never.
    /^\$(?:(?:md5|sha1|sha256|sha512)\$pf=|md5\$[A-Za-z0-9+/]{22}==$)/,
    "one of Ory Kratos' imported digests",
  ),
  other("kratos_hmac", ["$hmac-"], "Ory Kratos' HMAC"),
  other("md5_crypt", ["$1$", "$apr1$", "$md5-crypt$"], "md5-crypt"),
  other("sun_md5_crypt", ["$md5$", "$md5,"], "Solaris' md5-crypt or a bare MD5"),
  other("sha1_crypt", ["$sha1$"], "sha1-crypt"),
  other("sha256_crypt", ["$5$", "$sha256-crypt$"], "sha256-crypt"),
  other("sha512_crypt", ["$6$", "$sha512-crypt$"], "sha512-crypt"),
  other("nt_hash", ["$3$", "$NT$"], "an NT hash"),
  other("shiro1", ["$shiro1$"], "Apache Shiro 1's digest"),
  other("phpass", ["$P$", "$H$"], "phpass (WordPress, phpBB)"),
  other("drupal7", ["$S$"], "Drupal 7's SHA-512"),
  other("django_crypt", ["crypt$"], "Django's DES crypt"),
  row(
    "des_crypt",
    /^[./0-9A-Za-z]{13}$/,
    "this looks like traditional DES crypt, which a core doesn't import",
  ),
  row("bsdi_crypt", /^_[./0-9A-Za-z]{19}$/, "this is BSDi's DES crypt"),
  row(
    "django_digest",
    /^(?:md5|sha1|sha224|sha256|sha384|sha512|unsalted_\w{1,8})\$/,
    "this is a plain digest of Django or Werkzeug",
  ),
  row("mysql41", /^\*[0-9A-F]{40}$/i, "this is MySQL's own password digest"),
  row("mysql_sha2", ["$A$005$"], "this is MySQL's caching_sha2_password"),
  row("mssql", /^0x0[12]00[0-9a-f]{48,}$/i, "this is SQL Server's own password digest"),
  other("scram", /^(?:SCRAM-SHA-\d{1,3}\$|\$scram\$)/, "a SCRAM verifier (PostgreSQL, passlib)"),
  row("postgresql_md5", /^md5[0-9a-f]{32}$/, "this is PostgreSQL's own password digest"),
  other(
    "aspnet_identity_v3",
    /^AQAAAA[A-Za-z0-9+/]{40,}={0,2}$/,
    "ASP.NET Identity's PBKDF2 (version 3)",
  ),
  other(
    "aspnet_identity_v2",
    // One zero byte, then 16 of salt and 32 of hash.
    /^A[A-P][A-Za-z0-9+/]{64}==$/,
    "ASP.NET Identity's PBKDF2 (version 2)",
  ),
  other("magento", /^[0-9a-f]{32,128}:[^:]{1,64}:\d/i, "Magento's digest"),
  other(
    "salted_digest",
    /^[0-9a-f]{32,128}:[^:]{1,64}$/i,
    "a salted MD5, SHA-1, SHA-256 or SHA-512 digest",
  ),
  other(
    "raw_digest",
    /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i,
    "a bare digest (MD5, NT hash, SHA-1, SHA-256, SHA-384 or SHA-512)",
  ),
  other("passport_local_mongoose", /^[0-9a-f]{1024}$/i, "passport-local-mongoose's PBKDF2"),
  other(
    "raw_digest_base64",
    /^(?=(?:.{24}|.{28}|.{44})$)[A-Za-z0-9+/]+={1,2}$/,
    "a bare digest (MD5, SHA-1 or SHA-256) in base64",
  ),
  row(
    "hash_without_salt",
    /^[A-Za-z0-9+/_-]{86}(?:==)?$/,
    "these are 64 bytes in base64 without a salt: a vendor scrypt hash whose salt is missing, or a bare SHA-512",
    "export the salt beside the hash",
  ),
];

/** All of them; the first that fits names a text. */
export const FOREIGN: readonly ForeignRow[] = [
  ...PLACEHOLDERS,
  ...PRE_HASHED,
  ...UPPER_CASED,
  ...ALGORITHMS,
];
