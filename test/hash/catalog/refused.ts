/** Forms that are refused: hashes of a changed password, other algorithms, placeholders, and unknown texts. */

import { ALGORITHMS } from "../../../src/hash/credentials/form.js";
import { codeOf } from "../../../src/hash/flaw.js";
import { PLAIN_TEXT_SCHEMES, SCHEME_NAMES } from "../../../src/hash/foreign/foreign.js";
import { ANSWERS } from "../legacy/support/known-answers.js";
import type { HashForm } from "./form.js";

/** The known answers whose formats Clerk's hashers write. */
const CLERK_FORMATS: Readonly<Record<string, string>> = {
  bcrypt_sha256_django: "django_bcrypt_sha256",
  ldap_ssha: "ldap_salted_sha1",
  md5: "raw_md5",
  pbkdf2_sha256_django: "django_pbkdf2_sha256",
  phpass: "phpass",
  scrypt_werkzeug: "werkzeug_scrypt",
  sha256: "raw_sha256",
};

function clerkDigest(hasher: string): string {
  return ANSWERS.find(({ format }) => format === CLERK_FORMATS[hasher])?.hash ?? "…";
}

export const CHANGED_FORMS: readonly HashForm[] = [
  { form: "WordPress 6.8 and later", example: "$wp$2y$10$<53>", gives: "wordpress_6_8" },
  {
    form: "Django's BCryptSHA256PasswordHasher",
    example: "bcrypt_sha256$$2b$12$<53>",
    gives: "django_bcrypt_sha256",
  },
  {
    form: "passlib's bcrypt_sha256",
    example: "$bcrypt-sha256$v=2,t=2b,r=12$<22>$<31>",
    gives: "passlib_bcrypt_sha256",
  },
  {
    form: "Authgear's bcrypt-sha512",
    example: "$bcrypt-sha512$$2a$10$<53>",
    gives: "bcrypt_sha512",
  },
  {
    form: "TYPO3 (`M$`, `C$`) and Drupal (`U$`), accounts from before an upgrade",
    example: "M$2y$10$<53>",
    gives: "wrapped",
  },
  {
    form: "phpBB, accounts from before an upgrade",
    example: "$H\\2y$10$<53>",
    gives: "phpbb_wrapped",
  },
  {
    form: "WoltLab, accounts from before an upgrade",
    example: "wcf1:$2a$08$<53>",
    gives: "woltlab_double_salted",
  },
  {
    form: "MediaWiki, layered",
    example: ":pbkdf2-legacyB:!sha512:30000:64!…",
    gives: "mediawiki_layered",
  },
  {
    form: "NodeBB with `password:shaWrapped`",
    example: '{"password":"$2a$12$<53>","password:shaWrapped":1}',
    gives: "nodebb_sha_wrapped",
  },
  {
    form: "Meteor, Rocket.Chat",
    example: '{"services":{"password":{"bcrypt":"$2b$10$<53>"}}}',
    gives: "prehashed_unmarked",
  },
  {
    form: "a vendor below that changes every password, named by `--from`",
    example: "$2b$10$<53>",
    vendor: "flask-security",
    gives: "prehashed_unmarked",
  },
  {
    form: "a vendor below that changes every password, named by `--from`",
    example: "$2a$08$<53>",
    vendor: "woltlab",
    gives: "prehashed_unmarked",
  },
  {
    form: "a vendor below that changes every password, named by `--from`",
    example: "$2y$12$<53>",
    vendor: "typo3",
    gives: "prehashed_unmarked",
  },
  {
    form: "a field that names a pepper or a pre-hash",
    example: '{"hash":"$2a$10$<53>","pepper":"v1"}',
    gives: "credential_marked",
  },
  {
    form: "a complete hash beside a filled salt column (Sorcery, Authlogic)",
    example: "$2a$10$<53>",
    salt: "Zs4c9yXq",
    gives: "mcf_plus_salt_column",
  },
  { form: "bcrypt of PHP before 5.3.7", example: "$2x$10$<53>", gives: "bcrypt_2x" },
  { form: "bcrypt's first version", example: "$2$10$<53>", gives: "bcrypt_2" },
  {
    form: "an unknown text before a hash",
    example: "acme1:$2b$10$<53>",
    gives: "unknown_prefix",
  },
];

export const OTHER_FORMS: readonly HashForm[] = [
  {
    form: "PBKDF2 of Django, Werkzeug, passlib, Discourse, Ory Kratos, Jenkins, GRUB",
    example: "pbkdf2_sha256$600000$…$…",
    gives: "pbkdf2",
  },
  { form: "PBKDF2 of MediaWiki", example: ":pbkdf2:sha512:30000:64:…", gives: "mediawiki_pbkdf2" },
  { form: "standard scrypt", example: "$scrypt$ln=14,r=8,p=1$…$…", gives: "scrypt" },
  { form: "scrypt of crypt", example: "$7$CU..../....…", gives: "scrypt_crypt" },
  { form: "scrypt of Lucia 2", example: "s2:…:…", gives: "lucia_scrypt" },
  {
    form: "scrypt of better-auth and Lucia 3",
    example: "<hex-16>:<hex-64>",
    gives: "better_auth_scrypt",
  },
  { form: "yescrypt", example: "$y$j9T$…$…", gives: "yescrypt" },
  { form: "md5-crypt", example: "$apr1$…$…", gives: "md5_crypt" },
  { form: "Solaris' md5-crypt", example: "$md5,rounds=904$…$$…", gives: "sun_md5_crypt" },
  { form: "sha1-crypt", example: "$sha1$100$…$…", gives: "sha1_crypt" },
  { form: "sha256-crypt", example: "$5$rounds=5000$…$…", gives: "sha256_crypt" },
  { form: "sha512-crypt", example: "$6$rounds=5000$…$…", gives: "sha512_crypt" },
  { form: "DES crypt", example: "rl.3StKT.4T8M", gives: "des_crypt" },
  { form: "DES crypt of Django", example: "crypt$$rl.3StKT.4T8M", gives: "django_crypt" },
  { form: "DES crypt of BSDi", example: "_J9..rasmBYk8r9AiWNc", gives: "bsdi_crypt" },
  { form: "phpass (WordPress, phpBB)", example: "$P$B…", gives: "phpass" },
  { form: "Drupal 7", example: "$S$D…", gives: "drupal7" },
  { form: "Apache Shiro 1", example: "$shiro1$SHA-256$500000$…$…", gives: "shiro1" },
  { form: "Ory Kratos' digests", example: "$sha256$pf=…$…$…", gives: "kratos_digest" },
  { form: "Ory Kratos' HMAC", example: "$hmac-sha256$…$…", gives: "kratos_hmac" },
  { form: "digests of Django and Werkzeug", example: "sha1$…$…", gives: "django_digest" },
  { form: "MediaWiki's MD5", example: ":B:…:…", gives: "mediawiki_md5" },
  { form: "NT hash", example: "$3$$…", gives: "nt_hash" },
  { form: "ASP.NET Identity 3", example: "AQAAAAIAAYagAAAAE<blob>==", gives: "aspnet_identity_v3" },
  { form: "ASP.NET Identity 2", example: "AB<blob>==", gives: "aspnet_identity_v2" },
  { form: "Magento", example: "<hex-16>:ab:1", gives: "magento" },
  {
    form: "Joomla before 2.5.18 and others, salted",
    example: "<hex-16>:abcd",
    gives: "salted_digest",
  },
  { form: "a bare digest in hexadecimal", example: "<hex-16>", gives: "raw_digest" },
  { form: "a bare digest in base64", example: "<base64-16>", gives: "raw_digest_base64" },
  {
    form: "passport-local-mongoose",
    example: "<hex-512>",
    gives: "passport_local_mongoose",
  },
  { form: "64 bytes without a salt", example: "<f-hash>", gives: "hash_without_salt" },
  {
    form: "a hash beside a salt, of no known kind",
    example: "…",
    salt: "…",
    gives: "salted_unknown",
  },
  { form: "MySQL", example: "*<hex-16>01234567", gives: "mysql41" },
  { form: "MySQL's caching_sha2_password", example: "$A$005$…", gives: "mysql_sha2" },
  { form: "SQL Server", example: "0x0200<hex-64>", gives: "mssql" },
  { form: "PostgreSQL's SCRAM", example: "SCRAM-SHA-256$4096:…$…:…", gives: "scram" },
  { form: "PostgreSQL's MD5", example: "md5<hex-16>", gives: "postgresql_md5" },
  ...PLAIN_TEXT_SCHEMES.map(
    (name): HashForm => ({
      form: `plain text: \`{${name}}\``,
      example: `{${name}}…`,
      gives: codeOf("scheme", name),
    }),
  ),
  ...SCHEME_NAMES.map(
    (name): HashForm => ({
      form: `LDAP, Dovecot, Spring Security: \`{${name}}\``,
      example: `{${name}}…`,
      gives: codeOf("scheme", name),
    }),
  ),
  {
    form: "`{PBKDF2…}`, also of Spring Security",
    example: "{PBKDF2-SHA256}…",
    gives: "scheme_pbkdf2",
  },
  { form: "SAP", example: "{x-isSHA512, 15000}…", gives: "scheme_sap" },
  {
    form: "a scheme of bcrypt or argon2 before something else",
    example: "{ARGON2}$6$rounds=5000$…$…",
    gives: "scheme_mismatch",
  },
  {
    form: "`{CRYPT}` around another crypt hash",
    example: "{CRYPT}$6$rounds=5000$…$…",
    gives: "sha512_crypt",
  },
];

export const OTHER_CREDENTIAL_FORMS: readonly HashForm[] = [
  ...ALGORITHMS.okta.map(
    (name): HashForm => ({
      form: `Okta, ${name}`,
      example: `{"algorithm":"${name}","salt":"…","value":"…"}`,
      gives: codeOf("okta", name),
    }),
  ),
  {
    form: "Okta, any other algorithm",
    example: '{"algorithm":"…","salt":"…","value":"…"}',
    gives: "okta_algorithm",
  },
  ...ALGORITHMS.fusionauth.map(
    (name): HashForm => ({
      form: `FusionAuth, ${name}`,
      example: `{"encryptionScheme":"${name}","salt":"…","password":"…"}`,
      gives: codeOf("fusionauth", name),
    }),
  ),
  {
    form: "FusionAuth, any other scheme",
    example: '{"encryptionScheme":"…","salt":"…","password":"…"}',
    gives: "fusionauth_algorithm",
  },
  ...ALGORITHMS.keycloak.map(
    (name): HashForm => ({
      form: `Keycloak, ${name}`,
      example: `{"type":"password","credentialData":"{\\"algorithm\\":\\"${name}\\"}","secretData":"{\\"value\\":\\"…\\"}"}`,
      gives: codeOf("keycloak", name),
    }),
  ),
  {
    form: "Keycloak, one-time, or of the history",
    example:
      '{"type":"password-history","credentialData":{"algorithm":"…"},"secretData":{"value":"…"}}',
    gives: "keycloak_not_password",
  },
  {
    form: "Keycloak, a password in plain text",
    example: '{"type":"password","value":"…","temporary":false}',
    gives: "keycloak_plain_password",
  },
  {
    form: "Keycloak, any other algorithm",
    example: '{"type":"password","credentialData":{"algorithm":"…"},"secretData":{"value":"…"}}',
    gives: "keycloak_algorithm",
  },
  ...ALGORITHMS.clerk.map(
    (name): HashForm => ({
      form: `Clerk, ${name}`,
      example: `{"password_digest":"${clerkDigest(name)}","password_hasher":"${name}"}`,
      gives: codeOf("clerk", name),
    }),
  ),
  {
    form: "Clerk, any other hasher",
    example: '{"password_digest":"…","password_hasher":"…"}',
    gives: "clerk_algorithm",
  },
  ...ALGORITHMS.appwrite.map(
    (name): HashForm => ({
      form: `Appwrite, ${name}`,
      example: `{"hash":"${name}","password":"…"}`,
      gives: codeOf("appwrite", name),
    }),
  ),
  ...ALGORITHMS.auth0.map(
    (name): HashForm => ({
      form: `Auth0's \`custom_password_hash\`, ${name}`,
      example: `{"algorithm":"${name}","hash":{"value":"…"}}`,
      gives: codeOf("auth0", name),
    }),
  ),
  {
    form: "Auth0's `custom_password_hash`, any other algorithm",
    example: '{"algorithm":"…","hash":{"value":"…"}}',
    gives: "auth0_algorithm",
  },
  {
    form: "Auth0's `custom_password_hash`, of a changed password",
    example:
      '{"algorithm":"bcrypt","hash":{"value":"$2a$10$<53>"},"password":{"encoding":"utf16le"}}',
    gives: "auth0_more",
  },
  {
    form: "Akamai Identity Cloud, any other type",
    example: '{"type":"password-md5","value":"…"}',
    gives: "akamai_algorithm",
  },
  {
    form: "XenForo, any other scheme",
    example: '{"scheme_class":"XF:Core","data":"…"}',
    gives: "xenforo_scheme",
  },
  {
    form: "a hash beside the name of an algorithm that isn't bcrypt or argon2",
    example: '{"hash":"…","algorithm":"sha256"}',
    gives: "credential_algorithm",
  },
  {
    form: "two fields that may both be the hash",
    example: '{"passwordHash":"$2a$10$<53>","password":"$2a$10$<53>"}',
    gives: "credential_ambiguous",
  },
  {
    form: "an object that names another algorithm than its hash is of",
    example: '{"password_digest":"$2a$10$<53>","password_hasher":"argon2id"}',
    gives: "credential_mismatch",
  },
  {
    form: "a vendor's object without a field that it always has",
    example: '{"password_digest":"","password_hasher":"bcrypt"}',
    gives: "credential_malformed",
  },
  {
    form: "a JSON object that was cut off or damaged",
    example: '{"passwordHash":"$2a$10$…',
    gives: "credential_json",
  },
  { form: "any other object", example: '{"user":"alice"}', gives: "unknown_credential" },
];

export const NOTHING_FORMS: readonly HashForm[] = [
  {
    form: "Firebase, exported without the permission to read hashes",
    example: "UkVEQUNURUQ=",
    gives: "firebase_redacted",
  },
  {
    form: "the Firebase emulator",
    example: "fakeHash:salt=…:password=…",
    gives: "firebase_emulator",
  },
  { form: "a placeholder", example: "[REDACTED]", gives: "redacted" },
  { form: "a lock before a hash", example: "!$6$…", gives: "locked_account" },
  { form: "a password in plain text", example: "correct horse", gives: "plain_text" },
  { form: "anything else", example: "acme:9f3c:WjU1c0x", gives: "unknown" },
];
