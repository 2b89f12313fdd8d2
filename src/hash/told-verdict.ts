/** The verdict on a hash, its hint in the words of the library. Runs put all their hints into these words themselves. */

import { inOptions } from "../errors/option-words.js";
import type { HashVerdict, NormalizeOptions, RawHash } from "./hash.js";
import { verdictWithBridge } from "./legacy/kept-hash.js";
import { normalizeHash as judge } from "./normalize.js";

/**
 * The verdict on a raw hash. What is accepted verifies in any core that takes such hashes, with the
 * password it was made from and with no other; normalizing it again changes nothing. Never throws,
 * and takes time linear in the text.
 */
export function normalizeHash(raw: RawHash, options: NormalizeOptions = {}): HashVerdict {
  const verdict = verdictWithBridge(raw, judge(raw, options), options.vendor);
  return verdict.verdict === "refused" ? { ...verdict, hint: inOptions(verdict.hint) } : verdict;
}
