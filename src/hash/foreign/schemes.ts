/** `{SCHEME}` texts of LDAP servers (RFC 2307), Dovecot, Atlassian, SAP and Spring Security that aren't bcrypt or argon2. */

import { codeOf } from "../flaw.js";
import { type ForeignRow, row } from "./row.js";

const HASH_FIRST =
  "have your application hash it with bcrypt first, or use --on-unusable-hash passwordless";

export const SCHEME_NAMES = [
  ...["SHA", "SSHA", "SHA256", "SSHA256", "SHA384", "SSHA384", "SHA512", "SSHA512"],
  ...["SHA-1", "SHA-256", "SHA-512", "MD4", "MD5", "SMD5", "PKCS5S2", "scrypt", "ldap"],
  ...["MD5-CRYPT", "DES-CRYPT", "SHA256-CRYPT", "SHA512-CRYPT", "LDAP-MD5", "PLAIN-MD5"],
  ...["PLAIN-MD4", "CRAM-MD5", "DIGEST-MD5", "SCRAM-SHA-1", "SCRAM-SHA-256", "HMAC-MD5"],
  ...["NT", "LANMAN", "NTLM", "RPA", "OTP", "SKEY", "SASL", "KERBEROS", "GPG"],
];
export const PLAIN_TEXT_SCHEMES = ["noop", "PLAIN", "CLEAR", "CLEARTEXT", "PLAIN-TRUNC"];

export const SCHEMES: readonly ForeignRow[] = [
  ...SCHEME_NAMES.map((name) =>
    row(codeOf("scheme", name), opening(name), `the scheme {${name}} is neither bcrypt nor argon2`),
  ),
  ...PLAIN_TEXT_SCHEMES.map((name) =>
    row(
      codeOf("scheme", name),
      opening(name),
      `the scheme {${name}} holds the password in plain text`,
      HASH_FIRST,
    ),
  ),
  row(
    "scheme_pbkdf2",
    inBraces(/^\{PBKDF2[^}]{0,40}\}/i),
    "the scheme {PBKDF2} is neither bcrypt nor argon2",
  ),
  row("scheme_sap", inBraces(/^\{x-is/i), "SAP's schemes are neither bcrypt nor argon2"),
  row(
    "scheme_mismatch",
    inBraces(/^\{(?:bcrypt|argon2|crypt|blf-crypt)[^}]{0,40}\}(?!\$2|\$argon2)/i),
    "what follows the scheme in braces is neither bcrypt nor argon2",
  ),
];

interface InBraces {
  readonly pattern: RegExp;
  readonly opens: readonly string[];
}

/** With an encoding or a version behind the name: `{SSHA.hex}`, `{scrypt@SpringSecurity_v5_8}`. */
function opening(name: string): InBraces {
  return inBraces(new RegExp(`^\\{${name}(?:[.@][^}]{0,40})?\\}`, "i"));
}

function inBraces(pattern: RegExp): InBraces {
  return { pattern, opens: ["{"] };
}
