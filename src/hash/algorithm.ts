/** Tells as which of the core's three algorithms a text opens, by its first characters alone. */

import type { HashAlgorithm } from "./hash.js";

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
