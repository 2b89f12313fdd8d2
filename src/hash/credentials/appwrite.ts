/** Appwrite's users: a hash beside the name of its algorithm and, for scrypt, its options (appwrite.io/docs, Users API). */

import { carriedScrypt } from "../containers.js";
import { refused } from "../inner.js";
import { isBlank, objectOf, textOf, fieldOf } from "./fields.js";
import { type CredentialForm, holding, MALFORMED, NO_PASSWORD, refusalsByName } from "./form.js";

/** Algorithms that a core doesn't have. */
export const APPWRITE_ALGORITHMS = ["md5", "sha", "phpass", "scrypt", "plaintext"];
const REFUSED = refusalsByName("appwrite", "Appwrite", APPWRITE_ALGORITHMS);
const PLAIN = ["argon2", "bcrypt"];

/** Its modified scrypt is Firebase's with these two fixed. */
const MEM_COST = "14";
const ROUNDS = "8";

export const readAppwrite: CredentialForm = (fields) => {
  const algorithm = textOf(fields, "hash")?.toLowerCase();
  if (algorithm === undefined || !Object.hasOwn(fields, "password")) return null;
  const isKnown = PLAIN.includes(algorithm) || algorithm === "scryptmod" || REFUSED.has(algorithm);
  if (!isKnown) return null;
  const password = fieldOf(fields, "password");
  if (isBlank(password)) return NO_PASSWORD;
  if (typeof password !== "string") return refused(MALFORMED);
  if (PLAIN.includes(algorithm)) {
    return holding(password, algorithm, "appwrite_hash_taken");
  }
  if (algorithm !== "scryptmod") return REFUSED.get(algorithm) ?? null;
  const options = objectOf(fields, "hashOptions") ?? {};
  const [salt, signerKey] = [textOf(options, "salt"), textOf(options, "signerKey")];
  const saltSeparator = textOf(options, "saltSeparator");
  const named = { hash: password, salt, signerKey, saltSeparator };
  return carriedScrypt({ ...named, memCost: MEM_COST, rounds: ROUNDS }, "appwrite_scrypt_rebuilt");
};
