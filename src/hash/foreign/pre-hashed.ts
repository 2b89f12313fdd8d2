/** Hashes of a password that was changed first, and say so: they look like bcrypt or argon2 inside and would never verify. */

import { type ForeignRow, row } from "./row.js";

export const PRE_HASHED: readonly ForeignRow[] = [
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
    { pattern: /^(?:wcf|wbb)\d{1,2}:/i, opens: ["w", "W"] },
    "WoltLab hashed a salted hash of the password, not the password",
  ),
  // LayeredParameterizedPassword: "!" between the layers.
  row(
    "mediawiki_layered",
    [":pbkdf2-legacyA:", ":pbkdf2-legacyB:", ":bcrypt-legacyA:", ":bcrypt-legacyB:"],
    "MediaWiki hashed an older hash of the password, not the password",
  ),
];
