/** Which of the core's three algorithms a text opens as. It looks at the first characters only and promises nothing about the rest. */

import type { HashAlgorithm } from "./hash.js";

const BCRYPT = /^\$2[abxy]?\$/;

/** The algorithm by a text's opening identifier (interface.md 2.4), or null for any other text. */
export function hashAlgorithmOf(text: string): HashAlgorithm | null {
  if (BCRYPT.test(text)) return "bcrypt";
  if (text.startsWith("$argon2")) return "argon2";
  if (text.startsWith("$f_scrypt$")) return "vendor_scrypt";
  return null;
}
