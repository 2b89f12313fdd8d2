/** Whether a hash that verifies was made from the password as typed: nothing in a bare bcrypt or argon2 text says so, only the vendor's name or the form it came in. It looks at no text. */

import type { HashVerdict, NormalizeOptions } from "./hash.js";
import { provesPlain } from "./steps.js";
import type { AcceptedHash } from "./vendors/vendor.js";
import { findVendor } from "./vendors.js";

const POSSIBLE: readonly string[] = ["prehash_possible"];

/**
 * The verdict in the light of its vendor. A vendor that always changes the password is believed
 * before the operator's `assumePlain`: the two contradict each other, and one of them locks
 * people out. Vendor scrypt is never doubted: only the vendor makes it.
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
