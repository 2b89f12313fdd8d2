/** Clerk's exported rows: a digest beside the name of its hasher (clerk.com/docs, Backend API, createUser). */

import { openClerkDigest } from "../containers.js";
import { refused } from "../inner.js";
import { isBlank, textOf, fieldOf } from "./fields.js";
import {
  type CredentialForm,
  holding,
  MALFORMED,
  NO_PASSWORD,
  otherAlgorithm,
  plainAlgorithm,
  refusalsByName,
} from "./form.js";

/** Hashers that a core doesn't have. */
export const CLERK_HASHERS = [
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
];
const REFUSED = refusalsByName("clerk", "Clerk", CLERK_HASHERS);
const OTHER = otherAlgorithm("clerk", "Clerk");

export const readClerk: CredentialForm = (fields) => {
  const hasher = textOf(fields, "password_hasher");
  if (hasher === undefined) return null;
  const digest = fieldOf(fields, "password_digest");
  // Clerk names a hasher for users with a password alone, so a digest was lost.
  if (isBlank(digest)) return isBlank(hasher) ? NO_PASSWORD : refused(MALFORMED);
  if (typeof digest !== "string") return refused(MALFORMED);
  if (hasher === "scrypt_firebase") return openClerkDigest(digest) ?? refused(MALFORMED);
  const algorithm = plainAlgorithm(hasher);
  if (algorithm === null) return REFUSED.get(hasher) ?? refused(OTHER);
  return holding(digest, algorithm, "clerk_digest_taken");
};
