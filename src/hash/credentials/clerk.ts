/** Clerk's exported rows: a digest beside the name of its hasher (clerk.com/docs, Backend API, createUser). */

import { carriedScrypt } from "../containers.js";
import { type Inner, refused } from "../inner.js";
import { isBlank, textOf, fieldOf } from "./fields.js";
import {
  type CredentialForm,
  holding,
  MALFORMED,
  NO_PASSWORD,
  otherAlgorithm,
  refusalsByName,
} from "./form.js";

/** Hashers that a core has none of. */
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
const PLAIN_HASHERS = ["bcrypt", "argon2i", "argon2id"];

export const readClerk: CredentialForm = (fields) => {
  const hasher = textOf(fields, "password_hasher");
  if (hasher === undefined) return null;
  const digest = fieldOf(fields, "password_digest");
  if (isBlank(digest)) return NO_PASSWORD;
  if (typeof digest !== "string") return refused(MALFORMED);
  if (hasher === "scrypt_firebase") return readScrypt(digest);
  if (!PLAIN_HASHERS.includes(hasher)) return REFUSED.get(hasher) ?? refused(OTHER);
  return holding(digest, hasher, "clerk_digest_taken");
};

/** Six fields: hash, salt, signer key, separator, rounds, memory cost. */
function readScrypt(digest: string): Inner {
  const fields = digest.split("$");
  if (fields.length !== 6) return refused(MALFORMED);
  const [hash, salt, signerKey, saltSeparator, rounds, memCost] = fields;
  const named = { hash, salt, signerKey, saltSeparator, rounds, memCost };
  return carriedScrypt(named, "clerk_scrypt_rebuilt");
}
