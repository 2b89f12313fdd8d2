/** Judges whether a hash was made from the password as typed. A bare bcrypt or argon2 text doesn't show it; the vendor's name does, or the form around the hash. */

import type { HashVerdict, NormalizeOptions } from "./hash.js";
import { provesPlain } from "./steps.js";
import type { AcceptedHash } from "./vendors/vendor.js";
import { findVendor } from "./vendors.js";

const POSSIBLE: readonly string[] = ["prehash_possible"];

/**
 * The verdict in the light of its vendor. A vendor that always changes the password wins over the
 * operator's `assumePlain`, since a wrong promise would lock users out. Vendor scrypt isn't
 * doubted: only the vendor makes it.
 */
export function judgePreHash(verdict: AcceptedHash, options: NormalizeOptions): HashVerdict {
  if (verdict.algorithm === "vendor_scrypt") return verdict;
  const name = options.vendor ?? null;
  const vendor = name === null ? null : findVendor(name);
  if (vendor !== null && vendor.flaw !== null) {
    return vendor.plain?.shows(verdict) === true ? verdict : vendor.flaw.refusal;
  }
  if (vendor?.preHash === "never" || options.assumePlain === true) return verdict;
  if (provesPlain(verdict.steps)) return verdict;
  const { algorithm, hash, steps } = verdict;
  const notices = verdict.notices.length === 0 ? POSSIBLE : [...verdict.notices, ...POSSIBLE];
  return { verdict: "accepted", algorithm, hash, steps, notices };
}
