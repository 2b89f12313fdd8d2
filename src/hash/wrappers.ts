/** The allow-list of texts that frameworks put before a standard hash and that may be dropped (interface.md 2.4, rule 4). What isn't listed stays: it may mark a pre-hash. */

import { hashAlgorithmOf } from "./algorithm.js";
import type { HashAlgorithm } from "./hash.js";

interface Wrapper {
  readonly prefix: string;
  /** What must follow; anything else, and the prefix isn't this wrapper. */
  readonly algorithm: HashAlgorithm;
  /** The step's name, one list for all rows. */
  readonly steps: readonly string[];
}

/** Add a wrapper here, with where it comes from; `{name}` prefixes also go into foreign.ts's mismatch row. */
const WRAPPERS: readonly Wrapper[] = [
  // Django's hashers write "<algorithm>$<hash>" (docs.djangoproject.com, "How Django stores passwords").
  { prefix: "bcrypt$", algorithm: "bcrypt", steps: ["django_bcrypt_stripped"] },
  { prefix: "argon2", algorithm: "argon2", steps: ["django_argon2_stripped"] },
  // Spring Security's DelegatingPasswordEncoder writes "{id}<hash>".
  { prefix: "{bcrypt}", algorithm: "bcrypt", steps: ["spring_bcrypt_stripped"] },
  { prefix: "{argon2}", algorithm: "argon2", steps: ["spring_argon2_stripped"] },
  {
    prefix: "{argon2@SpringSecurity_v5_8}",
    algorithm: "argon2",
    steps: ["spring_argon2_stripped"],
  },
];

/** A text without its wrapper. */
export interface Unwrapped {
  readonly text: string;
  readonly algorithm: HashAlgorithm;
  readonly steps: readonly string[];
}

/**
 * The text inside a listed wrapper, or null. The rest is known to open as the wrapper's algorithm
 * only; the caller accepts it when the whole of it passes the strict grammar, and not otherwise.
 */
export function unwrap(text: string): Unwrapped | null {
  for (const { prefix, algorithm, steps } of WRAPPERS) {
    if (!text.startsWith(prefix)) continue;
    const rest = text.slice(prefix.length);
    if (hashAlgorithmOf(rest) === algorithm) return { text: rest, algorithm, steps };
  }
  return null;
}
