/** Names the encodings that no core imports, and what to do about each. An encoding without a row here is refused as well, but the refusal can't name it. */

import { optionName } from "../../errors/option-name.js";
import {
  codeOf,
  defineFlaw,
  EXPORT_AGAIN,
  type Flaw,
  move,
  type Refusal,
  type Remedy,
} from "../flaw.js";
import { FOREIGN, type ForeignRow, PLACEHOLDERS } from "./rows.js";

const CRYPT = /^\{crypt\}/i;

export const UNKNOWN_PREFIX = defineFlaw(
  "unknown_prefix",
  "an unknown text stands before a hash, and it may mark a password that was changed before hashing",
  (without) =>
    `find out what the text means, then strip it in the export (${optionName("--from")} htpasswd does so where it is the name in a line of htpasswd) or ${move(without)}`,
);

export const UNKNOWN = defineFlaw(
  "unknown",
  "this is no encoding of a password that is known here",
  EXPORT_AGAIN,
);

const HASH_FIRST = "have your application hash it with bcrypt first";

export const PLAIN_TEXT = defineFlaw(
  "plain_text",
  "this is a password in plain text by its looks or its column's name, and no hash",
  (without) => `${HASH_FIRST}, or use ${without}; then delete the file`,
);

/** What an encoding might be that isn't known: digits in hexadecimal, a form of base64, parts with signs between them. */
const ENCODED =
  /^[\da-f]{16,}$|^(?=\D*\d)(?=[^a-f]*[a-f])[\da-f]{10,}$|^[\w+/=.-]{20,}$|^\$\w*\$|^\{[\w.-]*\}|[$:].*[$:]|\\u[\da-f]{4}|\p{Cc}/iu;
const SHORTEST_PLAIN = 3;
const LONGEST_PLAIN = 30;

/** Whether a text that no table knows looks as people type passwords. */
export function looksPlain(text: string): boolean {
  const { length } = text;
  return length >= SHORTEST_PLAIN && length <= LONGEST_PLAIN && !ENCODED.test(text);
}

/** The refusal for a vendor's placeholder, or null for any other text. */
export function recognizePlaceholder(text: string): Refusal | null {
  return find(PLACEHOLDERS, text);
}

/** The refusal for an encoding that no core imports, or null for a text that isn't in the tables. */
export function recognizeForeign(text: string): Refusal | null {
  // {CRYPT} says only that crypt made it; what follows names the algorithm.
  return find(FOREIGN, text.replace(CRYPT, "")) ?? recognizeScheme(text);
}

function find(rows: readonly ForeignRow[], text: string): Refusal | null {
  const row = rows.find(({ shape }) =>
    shape instanceof RegExp ? shape.test(text) : shape.some((opening) => text.startsWith(opening)),
  );
  return row?.refusal ?? null;
}

/** `{SCHEME}` texts of LDAP servers (RFC 2307), Dovecot, Atlassian and Spring Security. */
export const SCHEME_NAMES = [
  "SHA SSHA SHA256 SSHA256 SHA384 SSHA384 SHA512 SSHA512 SHA-1 SHA-256 SHA-512 MD4 MD5 SMD5",
  "PKCS5S2 scrypt ldap MD5-CRYPT DES-CRYPT SHA256-CRYPT SHA512-CRYPT LDAP-MD5 PLAIN-MD5",
  "PLAIN-MD4 CRAM-MD5 DIGEST-MD5 SCRAM-SHA-1 SCRAM-SHA-256 HMAC-MD5 NT LANMAN NTLM RPA OTP SKEY",
  "SASL KERBEROS GPG",
].flatMap((names) => names.split(" "));
export const PLAIN_TEXT_SCHEMES = ["noop", "PLAIN", "CLEAR", "CLEARTEXT", "PLAIN-TRUNC"];

const MISMATCH = defineFlaw(
  "scheme_mismatch",
  "what follows the scheme in braces is not the hash that the scheme says",
);

/** By the name in lower case. */
const SCHEMES: ReadonlyMap<string, Flaw> = new Map([
  ...SCHEME_NAMES.map((name) =>
    schemeRow(name, `the scheme {${name}} is neither bcrypt nor argon2`),
  ),
  ...PLAIN_TEXT_SCHEMES.map((name) =>
    schemeRow(name, `the scheme {${name}} holds the password in plain text`, HASH_FIRST),
  ),
  ...["bcrypt", "blf-crypt", "crypt", "argon2", "argon2i", "argon2id", "argon2d"].map(
    (name) => [name, MISMATCH] as const,
  ),
]);

/** Families of schemes, whose names begin alike. */
const FAMILIES: readonly (readonly [start: string, flaw: Flaw])[] = [
  ["pbkdf2", defineFlaw("scheme_pbkdf2", "the scheme {PBKDF2} is neither bcrypt nor argon2")],
  ["x-is", defineFlaw("scheme_sap", "SAP's schemes are neither bcrypt nor argon2")],
];

/** A name, perhaps with an encoding, a version or a parameter: `{SSHA.hex}`, `{x-issha, 1024}`. */
const SCHEME = /^\{([a-z0-9_-]{1,40})(?:[.@, ][^}]{0,40})?\}/i;

/** The refusal for a text with a scheme in braces before it; null if the scheme is unknown or missing. */
function recognizeScheme(text: string): Refusal | null {
  const name = SCHEME.exec(text)?.[1]?.toLowerCase();
  if (name === undefined) return null;
  const flaw = SCHEMES.get(name) ?? FAMILIES.find(([start]) => name.startsWith(start))?.[1];
  return flaw?.refusal ?? null;
}

function schemeRow(name: string, what: string, remedy?: Remedy): readonly [string, Flaw] {
  return [name.toLowerCase(), defineFlaw(codeOf("scheme", name), what, remedy)];
}
