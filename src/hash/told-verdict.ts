/** The verdict on a hash alone, whose user isn't known: a refusal names the bridge where that verifies the hash. */

import type { HashVerdict, NormalizeOptions, RawHash } from "./hash.js";
import { verdictWithBridge } from "./legacy/kept-hash.js";
import { normalizeHash as judge } from "./normalize.js";

/**
 * The verdict on a raw hash. What is accepted verifies in any core that takes such hashes, with the
 * password it was made from and with no other; normalizing it again changes nothing. Never throws,
 * and takes time linear in the text.
 */
export function normalizeHash(raw: RawHash, options: NormalizeOptions = {}): HashVerdict {
  return verdictWithBridge(raw, judge(raw, options), options.vendor);
}
