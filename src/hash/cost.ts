/** What a normalized hash costs to check, for the inspection of a whole file. */

import { hashAlgorithmOf } from "./grammar.js";
import { parseArgon2 } from "./argon2.js";

/** Its two digits. */
const BCRYPT = /^\$2[abxy]\$(\d\d)\$/;

/** Beyond this, one sign-in takes the core seconds: bcrypt 16 is some four of them. */
const MAX_BCRYPT_COST = 15;

/** In KiB: 1 GiB for one sign-in. */
const MAX_ARGON2_MEMORY = 1_048_576;

/** Whether checking passwords against `hash` would hurt the core: bcrypt above 15, argon2 above 1 GiB. */
export function isCostly(hash: string): boolean {
  const cost = BCRYPT.exec(hash)?.[1];
  if (cost !== undefined) return Number(cost) > MAX_BCRYPT_COST;
  return hashAlgorithmOf(hash) === "argon2" && (parseArgon2(hash)?.memory ?? 0) > MAX_ARGON2_MEMORY;
}
