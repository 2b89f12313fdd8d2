/** Which of the core's three algorithms a text opens as. It looks at the first characters only and promises nothing about the rest. */

import type { HashAlgorithm } from "./hash.js";

const BCRYPT = /^\$2[abxy]?\$/;

/** The algorithm by a text's opening identifier (interface.md 2.4), or null for any other text. */
export function hashAlgorithmOf(text: string): HashAlgorithm | null {
  if (text.charAt(0) !== "$") return null;
  switch (text.charAt(1)) {
    case "2":
      return BCRYPT.test(text) ? "bcrypt" : null;
    case "a":
      return text.startsWith("$argon2") ? "argon2" : null;
    case "f":
      return text.startsWith("$f_scrypt$") ? "vendor_scrypt" : null;
    default:
      return null;
  }
}
