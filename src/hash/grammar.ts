/** What a core accepts as a password hash (interface.md 2.4): the decoders' whole grammar, not a prefix. */

import { argon2Flaw } from "./argon2.js";
import { bcryptFlaw } from "./bcrypt.js";
import type { Flaw } from "./flaw.js";
import type { HashAlgorithm } from "./hash.js";
import { vendorScryptFlaw } from "./vendor-scrypt.js";

/** Whether a core can verify a hash, and if not, why: a clause that holds nothing of the hash. */
export type HashCheck =
  | { readonly ok: true; readonly algorithm: HashAlgorithm }
  | { readonly ok: false; readonly reason: string };

const FLAWS = {
  bcrypt: bcryptFlaw,
  argon2: argon2Flaw,
  vendor_scrypt: vendorScryptFlaw,
} satisfies Record<HashAlgorithm, (text: string) => Flaw | null>;

const PASSED = {
  bcrypt: { ok: true, algorithm: "bcrypt" },
  argon2: { ok: true, algorithm: "argon2" },
  vendor_scrypt: { ok: true, algorithm: "vendor_scrypt" },
} satisfies Record<HashAlgorithm, HashCheck>;

/**
 * Checks a hash by the strict grammar of its algorithm. bcrypt is taken as `$2a$`, `$2b$` and
 * `$2y$`, which are one algorithm; `$2x$` isn't, since its owners may be locked out.
 * @param algorithm what the caller says it is (interface.md 4.4); without it, the text's opening
 * decides among all three
 */
export function checkHash(hash: string, algorithm?: "vendor_scrypt"): HashCheck {
  const opensAs = hashAlgorithmOf(hash);
  if (opensAs === null || (algorithm !== undefined && algorithm !== opensAs)) {
    const reason =
      algorithm === undefined
        ? "the hash opens as none of bcrypt ($2a$), argon2 ($argon2id$) and vendor scrypt ($f_scrypt$)"
        : "a vendor scrypt hash opens with $f_scrypt$, and this one doesn't";
    return { ok: false, reason };
  }
  const flaw = FLAWS[opensAs](hash);
  return flaw === null ? PASSED[opensAs] : { ok: false, reason: flaw.what };
}

const BCRYPT = /^\$2[abxy]?\$/;
const DOLLAR = 0x24;

/** The algorithm by a text's opening identifier (interface.md 2.4), or null for any other text. */
export function hashAlgorithmOf(text: string): HashAlgorithm | null {
  // An import asks this several times of most texts, so the look at one character comes first.
  if (text.charCodeAt(0) !== DOLLAR) return null;
  if (text.startsWith("$2")) return BCRYPT.test(text) ? "bcrypt" : null;
  if (text.startsWith("$argon2")) return "argon2";
  return text.startsWith("$f_scrypt$") ? "vendor_scrypt" : null;
}

/** Whether a text opens as one of some algorithms. */
export function opensAs(text: string, algorithms: readonly HashAlgorithm[]): boolean {
  const algorithm = hashAlgorithmOf(text);
  return algorithm !== null && algorithms.includes(algorithm);
}
