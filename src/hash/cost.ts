/** What a normalized hash costs to check, for the inspection of a whole file. Hashes of the same making cost the same. */

import { hashAlgorithmOf } from "./grammar.js";
import { parseArgon2 } from "./argon2.js";
import type { HashAlgorithm } from "./hash.js";
import { parseVendorScrypt } from "./vendor-scrypt.js";

const BCRYPT = /^\$2[abxy]\$\d\d\$/;

/** Beyond this, one sign-in takes the core seconds: bcrypt 16 is some four of them. */
const MAX_BCRYPT_COST = 15;

/** In KiB: 1 GiB for one sign-in. */
const MAX_ARGON2_MEMORY = 1_048_576;

/** Whether checking passwords against `hash` would hurt the core: bcrypt above 15, argon2 above 1 GiB. */
export function isCostly(hash: string): boolean {
  const cost = bcryptCost(hash);
  if (cost !== null) return Number(cost) > MAX_BCRYPT_COST;
  return hashAlgorithmOf(hash) === "argon2" && (parseArgon2(hash)?.memory ?? 0) > MAX_ARGON2_MEMORY;
}

/** Its two digits; null for another hash. */
function bcryptCost(hash: string): string | null {
  return BCRYPT.test(hash) ? hash.slice(4, 6) : null;
}

/**
 * The cost of a hash: bcrypt `"10"`; argon2 `"m=65536,t=3,p=4"` (m in KiB); vendor scrypt
 * `"m=14,r=8"`. Null for a text that isn't in the grammar of interface.md 2.4.
 */
export const COST_OF = {
  bcrypt: bcryptCost,
  argon2(hash) {
    const parts = parseArgon2(hash);
    return parts && `m=${parts.memory},t=${parts.iterations},p=${parts.parallelism}`;
  },
  vendor_scrypt(hash) {
    const parts = parseVendorScrypt(hash);
    return parts && `m=${parts.memCost},r=${parts.rounds}`;
  },
} as const satisfies Record<HashAlgorithm, (hash: string) => string | null>;
