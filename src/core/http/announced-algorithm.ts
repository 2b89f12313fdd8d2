/** The algorithm that a request announces for a hash. */

import { hashAlgorithmOf } from "../../hash/grammar.js";
import type { HashAlgorithm } from "../../hash/hash.js";
import { refusal } from "../core-failure.js";
import { DIALECTS } from "../dialect.js";

/** What `hashingAlgorithm` may say. SuperTokens takes the last two; interface.md leaves them out. */
const ALGORITHMS: ReadonlyMap<string, HashAlgorithm> = new Map([
  [DIALECTS.interface.vendorScrypt, "vendor_scrypt"],
  [DIALECTS.supertokens.vendorScrypt, "vendor_scrypt"],
  ["bcrypt", "bcrypt"],
  ["argon2", "argon2"],
]);

/**
 * The core itself looks whether an announced vendor scrypt hash is one (interface.md 4.4).
 *
 * @param name in lower case
 * @throws CoreFailure `refused`: it isn't known, or the hash is none of it
 */
export function announcedAlgorithm(
  name: string | undefined,
  passwordHash: string,
): HashAlgorithm | undefined {
  if (name === undefined) return undefined;
  const announced = ALGORITHMS.get(name);
  if (announced === undefined) {
    throw refusal(`hashingAlgorithm: expected ${[...ALGORITHMS.keys()].join(" or ")}`);
  }
  if (announced !== "vendor_scrypt" && hashAlgorithmOf(passwordHash) !== announced) {
    throw refusal(`passwordHash: hashingAlgorithm says ${announced}, and this hash is none`);
  }
  return announced;
}
