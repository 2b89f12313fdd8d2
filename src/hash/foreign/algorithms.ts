/** Hashes of other algorithms, by what they start with or the shape of the whole. */

import { BASE64_DIGITS } from "../base64.js";
import { type ForeignRow, HEX_DIGITS, row } from "./row.js";

const NO_SCRYPT =
  "the vendor's scrypt encrypts with the account's signer key, so it can't become that";

export const ALGORITHMS: readonly ForeignRow[] = [
  row(
    "pbkdf2",
    {
      pattern:
        /^(?:pbkdf2[_:$]|\$pbkdf2|\$8\$|\$ml\$|\$p5k2\$|grub\.pbkdf2\.|sha(?:1|224|256|384|512):\d{1,9}:)/i,
      opens: ["p", "P", "$p", "$P", "$8", "$m", "g", "G", "s", "S"],
    },
    "this is PBKDF2, which a core doesn't import",
  ),
  row("mediawiki_pbkdf2", [":pbkdf2:"], "this is MediaWiki's PBKDF2, which a core doesn't import"),
  row("mediawiki_md5", [":A:", ":B:"], "this is MediaWiki's old MD5, which a core doesn't import"),
  // Go's and PHP's scrypt packages write $s0$, Spring's encoder the parameters as hex digits.
  row(
    "scrypt",
    {
      pattern: /^(?:\$scrypt\$|scrypt[$:]|\$s[012]\$|\$[0-9a-f]{5,6}\$[A-Za-z0-9+/]{8})/i,
      opens: ["s", "S", "$s", "$S", ...HEX_DIGITS.map((digit) => `$${digit}`)],
    },
    `this is standard scrypt; ${NO_SCRYPT}`,
  ),
  row("scrypt_crypt", ["$7$", "$9$"], `this is scrypt as crypt or Cisco write it; ${NO_SCRYPT}`),
  row("lucia_scrypt", ["s2:"], `this is Lucia's scrypt; ${NO_SCRYPT}`),
  row(
    "better_auth_scrypt",
    { pattern: /^[0-9a-f]{32}:[0-9a-f]{128}$/i, opens: HEX_DIGITS, lengths: [161] },
    `this is the scrypt of better-auth or Lucia; ${NO_SCRYPT}`,
  ),
  row("yescrypt", ["$y$", "$gy$"], "this is yescrypt, which a core doesn't import"),
  row(
    "kratos_digest",
    { pattern: /^\$(?:md5|sha1|sha256|sha512)\$pf=/, opens: ["$m", "$s"] },
    "this is one of Ory Kratos' imported digests, which a core doesn't import",
  ),
  row("kratos_hmac", ["$hmac-"], "this is Ory Kratos' HMAC, which a core doesn't import"),
  row(
    "md5_crypt",
    ["$1$", "$apr1$", "$md5-crypt$"],
    "this is md5-crypt, which a core doesn't import",
  ),
  row(
    "sun_md5_crypt",
    ["$md5$", "$md5,"],
    "this is Solaris' md5-crypt or a bare MD5, which a core doesn't import",
  ),
  row("sha1_crypt", ["$sha1$"], "this is sha1-crypt, which a core doesn't import"),
  row(
    "sha256_crypt",
    ["$5$", "$sha256-crypt$"],
    "this is sha256-crypt, which a core doesn't import",
  ),
  row(
    "sha512_crypt",
    ["$6$", "$sha512-crypt$"],
    "this is sha512-crypt, which a core doesn't import",
  ),
  row("nt_hash", ["$3$", "$NT$"], "this is an NT hash, which a core doesn't import"),
  row("shiro1", ["$shiro1$"], "this is Apache Shiro 1's digest, which a core doesn't import"),
  row("phpass", ["$P$", "$H$"], "this is phpass (WordPress, phpBB), which a core doesn't import"),
  row("drupal7", ["$S$"], "this is Drupal 7's SHA-512, which a core doesn't import"),
  row("django_crypt", ["crypt$"], "this is Django's DES crypt, which a core doesn't import"),
  row(
    "des_crypt",
    { pattern: /^[./0-9A-Za-z]+$/, opens: [...BASE64_DIGITS, "."], lengths: [13] },
    "this looks like traditional DES crypt, which a core doesn't import",
  ),
  row(
    "bsdi_crypt",
    { pattern: /^_[./0-9A-Za-z]+$/, opens: ["_"], lengths: [20] },
    "this is BSDi's DES crypt",
  ),
  row(
    "django_digest",
    {
      pattern: /^(?:md5|sha1|sha224|sha256|sha384|sha512|unsalted_\w{1,8})\$/,
      opens: ["m", "s", "u"],
    },
    "this is a plain digest of Django or Werkzeug",
  ),
  row(
    "mysql41",
    { pattern: /^\*[0-9A-F]{40}$/i, opens: ["*"], lengths: [41] },
    "this is MySQL's own password digest",
  ),
  row("mysql_sha2", ["$A$005$"], "this is MySQL's caching_sha2_password"),
  row(
    "mssql",
    { pattern: /^0x0[12]00[0-9a-f]{48,}$/i, opens: ["0"] },
    "this is SQL Server's own password digest",
  ),
  row(
    "scram",
    { pattern: /^SCRAM-SHA-\d{1,3}\$/, opens: ["S"] },
    "this is a SCRAM verifier (PostgreSQL), which a core doesn't import",
  ),
  row(
    "postgresql_md5",
    { pattern: /^md5[0-9a-f]+$/, opens: ["m"], lengths: [35] },
    "this is PostgreSQL's own password digest",
  ),
  row(
    "aspnet_identity_v3",
    { pattern: /^AQAAAA[A-Za-z0-9+/]{40,}={0,2}$/, opens: ["A"] },
    "this is ASP.NET Identity's PBKDF2 (version 3), which a core doesn't import",
  ),
  row(
    "aspnet_identity_v2",
    // One zero byte, then 16 of salt and 32 of hash.
    { pattern: /^A[A-P][A-Za-z0-9+/]{64}==$/, opens: ["A"], lengths: [68] },
    "this is ASP.NET Identity's PBKDF2 (version 2), which a core doesn't import",
  ),
  row(
    "magento",
    { pattern: /^[0-9a-f]{32,128}:[^:]{1,64}:\d/i, opens: HEX_DIGITS },
    "this is Magento's digest, which a core doesn't import",
  ),
  row(
    "salted_digest",
    {
      pattern: /^[0-9a-f]{32,128}:[^:]{1,64}$/i,
      opens: HEX_DIGITS,
    },
    "this is a salted MD5, SHA-1, SHA-256 or SHA-512 digest, which a core doesn't import",
  ),
  row(
    "raw_digest",
    { pattern: /^[0-9a-f]+$/i, opens: HEX_DIGITS, lengths: [32, 40, 64, 96, 128] },
    "this is a bare digest (MD5, NT hash, SHA-1, SHA-256, SHA-384 or SHA-512), which a core doesn't import",
  ),
  row(
    "passport_local_mongoose",
    { pattern: /^[0-9a-f]+$/i, opens: HEX_DIGITS, lengths: [1024] },
    "this is passport-local-mongoose's PBKDF2, which a core doesn't import",
  ),
  row(
    "raw_digest_base64",
    { pattern: /^[A-Za-z0-9+/]+={1,2}$/, opens: [...BASE64_DIGITS], lengths: [24, 28, 44] },
    "this is a bare digest (MD5, SHA-1 or SHA-256) in base64, which a core doesn't import",
  ),
  row(
    "hash_without_salt",
    { pattern: /^[A-Za-z0-9+/_-]{86}(?:==)?$/, opens: [...BASE64_DIGITS], lengths: [86, 88] },
    "these are 64 bytes in base64 without a salt: a vendor scrypt hash whose salt is missing, or a bare SHA-512",
    "export the salt beside the hash, or use --on-unusable-hash passwordless",
  ),
];
