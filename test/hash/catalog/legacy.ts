/** Rows of the docs' table of formats that no core takes and that a proof verifies all the same. */

/** One format. */
export interface LegacyForm {
  /** As the verifier names it. */
  readonly format: string;
  /** Whose it is, for people. Those of one owner share a row. */
  readonly whose: string;
}

function row(format: string, whose: string): LegacyForm {
  return { format, whose };
}

const DIGESTS = ["md5", "sha1", "sha256", "sha384", "sha512"];
const always = (form: string, whose: string): LegacyForm => row(`bcrypt_of_${form}`, whose);

/** By family, in the order of the docs. */
export const LEGACY_FORMS: readonly LegacyForm[] = [
  row("django_pbkdf2_sha256", "Django"),
  row("django_pbkdf2_sha1", "Django"),
  row("keycloak_pbkdf2", "Keycloak"),
  row("keycloak_pbkdf2_sha256", "Keycloak"),
  row("keycloak_pbkdf2_sha512", "Keycloak"),
  row("passlib_pbkdf2_sha1", "passlib"),
  row("passlib_pbkdf2_sha256", "passlib"),
  row("passlib_pbkdf2_sha512", "passlib"),
  row("werkzeug_pbkdf2", "Werkzeug (Flask)"),
  row("aspnet_identity_2", "ASP.NET Identity, Core's too"),
  row("aspnet_identity_3", "ASP.NET Identity, Core's too"),
  row("kratos_pbkdf2", "Ory Kratos"),
  row("atlassian_pbkdf2", "Jira, Confluence, Crowd"),
  row("mediawiki_pbkdf2", "MediaWiki"),
  row("django_scrypt", "Django"),
  row("passlib_scrypt", "passlib"),
  row("kratos_scrypt", "Ory Kratos"),
  row("werkzeug_scrypt", "Werkzeug (Flask)"),
  row("spring_scrypt", "Spring Security, wg/scrypt"),
  row("scrypt_kdf", "scrypt-kdf, Medusa"),
  row("better_auth_scrypt", "better-auth, Lucia 1 and 3, Oslo, Auth.js with Node.js' scrypt"),
  row("lucia_2_scrypt", "Lucia 2"),
  row("node_scrypt", "Auth.js and Passport with Node.js' scrypt"),
  row("stytch_scrypt", "Stytch"),
  row("firebase_scrypt_other_key", "Firebase under another signer key, which the hash carries"),
  row("md5_crypt", "crypt(3)"),
  row("apr1_md5_crypt", "Apache"),
  row("sha256_crypt", "crypt(3)"),
  row("sha512_crypt", "crypt(3)"),
  row("sha1_crypt", "crypt(3)"),
  row("phpass", "WordPress before 6.8 and others"),
  row("phpbb3", "phpBB 3.0"),
  row("drupal7", "Drupal 7 to 10.0"),
  row("drupal6_upgraded", "Drupal 7, accounts from before an upgrade"),
  row("wordpress_bcrypt", "WordPress 6.8 and later"),
  row("django_bcrypt_sha256", "Django"),
  row("passlib_bcrypt_sha256", "passlib"),
  row("authgear_bcrypt_sha512", "Authgear"),
  row("typo3_upgraded", "TYPO3, accounts from before an upgrade"),
  row("meteor_bcrypt", "Meteor, Rocket.Chat"),
  row("bcrypt_2x", "bcrypt of PHP before 5.3.7"),
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
  row("bcrypt_peppered", "any application with a pepper, with `--prehash-salt-file`"),
  row("argon2_peppered", "any application with a pepper, with `--prehash-salt-file`"),
  row("argon2_of_md5_hex", "vBulletin 5"),
  row("argon2", "argon2 with an output of another length than 16, 32 and 64 bytes"),
  ...["ldap_salted", "ldap"].flatMap((form) =>
    DIGESTS.map((digest) => row(`${form}_${digest}`, "OpenLDAP, Dovecot, 389 Directory Server")),
  ),
  row("salted_digest", "Joomla before 3.2, osCommerce, Zen Cart, Magento 1"),
  row("magento_2", "Magento 2, also upgraded hashes and argon2"),
  row("django_digest", "Django's MD5 and SHA-1, Werkzeug before 2.3"),
  row("kratos_digest", "Ory Kratos"),
  ...DIGESTS.map((digest) =>
    row(
      `column_salted_${digest}`,
      "salt first or last, HMAC; vBulletin, MyBB, IP.Board, OpenCart, XenForo 1",
    ),
  ),
  ...DIGESTS.map((digest) => row(`raw_${digest}`, "a bare digest of the password")),
];
