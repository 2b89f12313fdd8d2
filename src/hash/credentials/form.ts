/** What a reader of one vendor's credential objects is, and the refusals that several share. */

import { codeOf, defineFlaw, EXPORT_AGAIN } from "../flaw.js";
import { type Inner, refused } from "../inner.js";
import { trim } from "../damage.js";
import { hashAlgorithmOf } from "../grammar.js";
import type { Step } from "../steps.js";
import type { Fields } from "./fields.js";

/** Reads one vendor's objects: what is inside, or null for an object that isn't that vendor's. */
export type CredentialForm = (fields: Fields) => Inner | null;

export const MALFORMED = defineFlaw(
  "credential_malformed",
  "the credential lacks a field that its vendor always writes, or holds a value that it never does",
  EXPORT_AGAIN,
);

const MISMATCH = defineFlaw(
  "credential_mismatch",
  "the credential names another algorithm than its hash is of",
  EXPORT_AGAIN,
);

/** How hashes begin by the names of algorithms that stand for several variants. */
const OPENINGS: ReadonlyMap<string, string> = new Map([
  ["bcrypt", "$2"],
  ["argon2", "$argon2"],
]);

/**
 * The hash that a credential holds whole.
 * @param algorithm in lower case: `bcrypt`, or a variant of argon2, or just that
 */
export function holding(text: string, algorithm: string, step: Step): Inner {
  const hash = trim(text);
  const isOther =
    hashAlgorithmOf(hash) !== null && !hash.startsWith(OPENINGS.get(algorithm) ?? `$${algorithm}$`);
  return isOther ? refused(MISMATCH) : { kind: "text", text, steps: [step] };
}

/** bcrypt and argon2 as people and tools name them; "blowfish" isn't one, it often stands over a pre-hash. */
const PLAIN_ALGORITHM = /^(?:password-)?(bcrypt|argon2(?:id|i|d)?)(?:js)?$/i;

/** What says that more took part than bcrypt or argon2, whatever stands around it. */
const MORE =
  /sha|md[245]|hmac|pepper|salt|pbkdf|phpass|double|wrap|legacy|pre-?hash|enhanced|long|old/i;
const NAMED = /bcrypt|crypt_blowfish|argon2(?:id|i|d)?/gi;

/**
 * The algorithm that a loose word means, as {@link holding} takes it: also a class's name, PHP's
 * constant or one with its cost (`UserPassword::Bcrypt`, `PASSWORD_ARGON2ID`, `bcrypt$10`); null for
 * any other word.
 */
export function plainAlgorithm(word: string): string | null {
  const plain = PLAIN_ALGORITHM.exec(word.trim())?.[1]?.toLowerCase();
  if (plain !== undefined) return plain;
  const named = new Set(word.toLowerCase().match(NAMED));
  const [only = null] = named;
  if (named.size !== 1 || MORE.test(word)) return null;
  return only === "crypt_blowfish" ? "bcrypt" : only;
}

export const NO_PASSWORD: Inner = { kind: "verdict", verdict: { verdict: "none" } };

/** Algorithms of each vendor's that a core doesn't have, as the vendor names them. */
export const ALGORITHMS = {
  appwrite: ["md5", "sha", "phpass", "scrypt", "plaintext"],
  // auth0.com/docs/manage-users/user-migration/bulk-user-import-schema, "Supported hashing algorithms".
  auth0: ["hmac", "ldap", "md4", "md5", "pbkdf2", "scrypt", "sha1", "sha256", "sha512"],
  clerk: [
    "awscognito",
    "bcrypt_peppered",
    "bcrypt_sha256_django",
    "hmac_sha256_utf16_b64",
    "ldap_ssha",
    "md5",
    "md5_phpass",
    "md5_salted",
    "pbkdf2_sha1",
    "pbkdf2_sha256",
    "pbkdf2_sha256_django",
    "pbkdf2_sha512",
    "pbkdf2_sha512_hex",
    "phpass",
    "scrypt_werkzeug",
    "sha256",
    "sha256_salted",
    "sha512_symfony",
  ],
  fusionauth: [
    "salted-md5",
    "salted-sha256",
    "salted-hmac-sha256",
    "salted-pbkdf2-hmac-sha256",
    "salted-pbkdf2-hmac-sha256-512",
    "salted-pbkdf2-hmac-sha512-512",
    "phpass-md5",
    "phpass-sha512",
  ],
  keycloak: ["pbkdf2", "pbkdf2-sha256", "pbkdf2-sha512"],
  okta: ["SHA-512", "SHA-256", "SHA-1", "MD5", "PBKDF2"],
} as const;

/**
 * Refusals by the name of an algorithm that a vendor writes: `okta` and `SHA-512` give the code
 * `okta_sha_512`.
 */
export function refusalsByName(
  vendor: keyof typeof ALGORITHMS,
  label: string,
): ReadonlyMap<string, Inner> {
  return new Map(
    ALGORITHMS[vendor].map((name) => {
      const what = `${label} made this hash with ${name}, which a core doesn't import`;
      return [name, refused(defineFlaw(codeOf(vendor, name), what))];
    }),
  );
}

/** The refusal of an algorithm by its name, also of one that isn't known here. */
export function refuser(vendor: keyof typeof ALGORITHMS, label: string): (name: string) => Inner {
  const known = refusalsByName(vendor, label);
  const other = otherAlgorithm(vendor, label);
  return (name) => known.get(name) ?? other;
}

/** The refusal of an algorithm of the vendor's that isn't known here. */
export function otherAlgorithm(vendor: string, label: string): Inner {
  const what = `${label} made this hash with an algorithm that isn't bcrypt or argon2, or isn't known here`;
  return refused(defineFlaw(`${vendor}_algorithm`, what));
}
