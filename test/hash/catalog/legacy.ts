/** Rows of the docs' table of formats that no core takes and that a proof verifies all the same. */

/** One format. */
export interface LegacyForm {
  /** As the verifier names it. */
  readonly format: string;
  /** Whose it is, for people. */
  readonly whose: string;
  /** How its text or object is built. */
  readonly built: string;
}

function row(format: string, whose: string, built: string): LegacyForm {
  return { format, whose, built };
}

const ldap = (name: string, scheme: string): LegacyForm =>
  row(name, "OpenLDAP, Dovecot, 389 Directory Server", `{${scheme}}<base64>`);
const column = (digest: string): LegacyForm =>
  row(
    `column_salted_${digest}`,
    "Forums, shops and applications of one's own: salt first, salt last, HMAC, vBulletin, MyBB, IP.Board, OpenCart, XenForo 1",
    "<digest>, and <salt> in a column",
  );
const raw = (digest: string): LegacyForm =>
  row(`raw_${digest}`, "A bare digest of the password", "<hexadecimal>");
const always = (form: string, whose: string): LegacyForm =>
  row(`bcrypt_of_${form}`, `${whose}, by \`--from\``, "$2b$<cost>$<salt><hash>");

/** By family, in the order of the docs. */
export const LEGACY_FORMS: readonly LegacyForm[] = [
  row(
    "django_pbkdf2_sha256",
    "Django's PBKDF2PasswordHasher",
    "pbkdf2_sha256$<iterations>$<salt>$<base64>",
  ),
  row(
    "django_pbkdf2_sha1",
    "Django's PBKDF2SHA1PasswordHasher",
    "pbkdf2_sha1$<iterations>$<salt>$<base64>",
  ),
  row("keycloak_pbkdf2", "Keycloak, pbkdf2 (SHA-1)", '{"algorithm":"pbkdf2","hashIterations":…}'),
  row(
    "keycloak_pbkdf2_sha256",
    "Keycloak, pbkdf2-sha256",
    '{"algorithm":"pbkdf2-sha256","hashIterations":…}',
  ),
  row(
    "keycloak_pbkdf2_sha512",
    "Keycloak, pbkdf2-sha512",
    '{"algorithm":"pbkdf2-sha512","hashIterations":…}',
  ),
  row("passlib_pbkdf2_sha1", "passlib", "$pbkdf2$<rounds>$<salt>$<hash>"),
  row("passlib_pbkdf2_sha256", "passlib", "$pbkdf2-sha256$<rounds>$<salt>$<hash>"),
  row("passlib_pbkdf2_sha512", "passlib", "$pbkdf2-sha512$<rounds>$<salt>$<hash>"),
  row("werkzeug_pbkdf2", "Werkzeug (Flask)", "pbkdf2:<digest>:<iterations>$<salt>$<hexadecimal>"),
  row("aspnet_identity_2", "ASP.NET Identity 2", "A<base64 of 49 bytes>"),
  row("aspnet_identity_3", "ASP.NET Core Identity", "AQAAAA<base64>"),
  row("kratos_pbkdf2", "Ory Kratos", "$pbkdf2-<digest>$i=<iterations>,l=<bytes>$<salt>$<hash>"),
  row("atlassian_pbkdf2", "Jira, Confluence, Crowd", "{PKCS5S2}<base64>"),
  row("mediawiki_pbkdf2", "MediaWiki", ":pbkdf2:<digest>:<iterations>:<bytes>:<salt>:<hash>"),
  row("django_scrypt", "Django's ScryptPasswordHasher", "scrypt$<N>$<salt>$<r>$<p>$<base64>"),
  row("passlib_scrypt", "passlib", "$scrypt$ln=<log2 N>,r=<r>,p=<p>$<salt>$<hash>"),
  row("kratos_scrypt", "Ory Kratos", "$scrypt$ln=<N>,r=<r>,p=<p>$<salt>$<hash>"),
  row("werkzeug_scrypt", "Werkzeug (Flask)", "scrypt:<N>:<r>:<p>$<salt>$<hexadecimal>"),
  row(
    "spring_scrypt",
    "Spring Security, wg/scrypt",
    "$<parameters>$<salt>$<hash>, also behind {scrypt} or $s0",
  ),
  row(
    "better_auth_scrypt",
    "better-auth, Lucia 1 and 3, Oslo, Auth.js with Node.js' scrypt",
    "<salt>:<hexadecimal>",
  ),
  row("lucia_2_scrypt", "Lucia 2", "s2:<salt>:<hexadecimal>"),
  row("node_scrypt", "Auth.js and Passport with Node.js' scrypt", "<hexadecimal>.<salt>"),
  row("stytch_scrypt", "Stytch", '{"hash":"…","scrypt_config":{…}}'),
  row(
    "firebase_scrypt_other_key",
    "Firebase under another signer key, which the hash carries",
    "$firescrypt$…, $fbscrypt$…, Clerk's digest",
  ),
  row("md5_crypt", "crypt(3)", "$1$<salt>$<hash>"),
  row("apr1_md5_crypt", "Apache", "$apr1$<salt>$<hash>"),
  row("sha256_crypt", "crypt(3)", "$5$rounds=<rounds>$<salt>$<hash>"),
  row("sha512_crypt", "crypt(3)", "$6$rounds=<rounds>$<salt>$<hash>"),
  row("sha1_crypt", "NetBSD's crypt(3)", "$sha1$<rounds>$<salt>$<hash>"),
  row(
    "phpass",
    "WordPress before 6.8, and applications with phpass",
    "$P$<log2 rounds><salt><hash>",
  ),
  row("phpbb3", "phpBB 3.0", "$H$<log2 rounds><salt><hash>"),
  row("drupal7", "Drupal 7 to 10.0", "$S$<log2 rounds><salt><hash>"),
  row(
    "drupal6_upgraded",
    "Drupal 7, accounts from before an upgrade",
    "U$S$<log2 rounds><salt><hash>",
  ),
  row("wordpress_bcrypt", "WordPress 6.8 and later", "$wp$2y$<cost>$<salt><hash>"),
  row(
    "django_bcrypt_sha256",
    "Django's BCryptSHA256PasswordHasher",
    "bcrypt_sha256$$2b$<cost>$<salt><hash>",
  ),
  row(
    "passlib_bcrypt_sha256",
    "passlib's bcrypt_sha256, versions 1 and 2",
    "$bcrypt-sha256$v=2,t=2b,r=<cost>$<salt>$<hash>",
  ),
  row("authgear_bcrypt_sha512", "Authgear", "$bcrypt-sha512$$2a$<cost>$<salt><hash>"),
  row("typo3_upgraded", "TYPO3, accounts from before an upgrade", "M$2a$<cost>$<salt><hash>"),
  row("meteor_bcrypt", "Meteor, Rocket.Chat", '{"services":{"password":{"bcrypt":"…"}}}'),
  row("bcrypt_2x", "bcrypt of PHP before 5.3.7", "$2x$<cost>$<salt><hash>"),
  always("sha256_hex", "Meteor, Rocket.Chat, Flask-Bcrypt for long passwords, Laminas BcryptSha"),
  always("sha384_base64", "TYPO3, BCrypt.Net's EnhancedHashPassword, Myth:Auth"),
  always("bcrypt_twice", "WoltLab before 5.4"),
  always("md5_hex", "vBulletin 5"),
  always("sha512_hex", "NodeBB"),
  always("user_name_before", "SMF 2.1"),
  always("hmac_sha512_base64", "Flask-Security, with `--prehash-salt-file`"),
  always(
    "salt_joined",
    "Devise, Synapse, Sorcery, Authlogic and old Nextcloud, with `--prehash-salt-file`",
  ),
  row(
    "bcrypt_peppered",
    "Any application with a pepper, with `--prehash-salt-file`",
    "$2b$<cost>$<salt><hash>",
  ),
  row(
    "argon2_peppered",
    "Any application with a pepper, with `--prehash-salt-file`",
    "$argon2id$…",
  ),
  row("argon2_of_md5_hex", "vBulletin 5, by `--from`", "$argon2id$…"),
  row("argon2", "argon2 with an output of another length than 16, 32 and 64 bytes", "$argon2id$…"),
  ldap("ldap_salted_md5", "SMD5"),
  ldap("ldap_salted_sha1", "SSHA"),
  ldap("ldap_salted_sha256", "SSHA256"),
  ldap("ldap_salted_sha384", "SSHA384"),
  ldap("ldap_salted_sha512", "SSHA512"),
  ldap("ldap_md5", "MD5"),
  ldap("ldap_sha1", "SHA"),
  ldap("ldap_sha256", "SHA256"),
  ldap("ldap_sha384", "SHA384"),
  ldap("ldap_sha512", "SHA512"),
  row(
    "salted_digest",
    "Joomla before 3.2, osCommerce, Zen Cart, Magento 1",
    "<hexadecimal>:<salt>",
  ),
  row("magento_2", "Magento 2, also upgraded hashes and argon2", "<hexadecimal>:<salt>:<version>"),
  row("django_digest", "Django's MD5 and SHA-1, Werkzeug before 2.3", "sha1$<salt>$<hexadecimal>"),
  row("kratos_digest", "Ory Kratos' imported digests", "$sha256$pf=<template>$<salt>$<hash>"),
  ...["md5", "sha1", "sha256", "sha384", "sha512"].flatMap((digest) => [
    column(digest),
    raw(digest),
  ]),
];
