/** What a reader of one vendor's credential objects is, and the refusals that several share. */

import { codeOf, defineFlaw, EXPORT_AGAIN, type Flaw } from "../flaw.js";
import { type Inner, refused } from "../inner.js";
import { trim } from "../damage.js";
import { hashAlgorithmOf } from "../algorithm.js";
import type { Step } from "../steps.js";
import type { Fields } from "./fields.js";

/** Reads one vendor's objects: what is inside, or null for an object that isn't that vendor's. */
export type CredentialForm = (fields: Fields) => Inner | null;

export const MALFORMED = defineFlaw(
  "credential_malformed",
  "the credential lacks a field that its vendor always writes, or holds a value that it never does",
  EXPORT_AGAIN,
);

const MISMATCH = defineFlaw(
  "credential_mismatch",
  "the credential names another algorithm than its hash is of",
  EXPORT_AGAIN,
);

/**
 * The hash that a credential holds whole.
 * @param algorithm in lower case: `bcrypt`, or a variant of argon2, or just that
 */
export function holding(text: string, algorithm: string, step: Step): Inner {
  const opening = trim(text);
  const isOther = hashAlgorithmOf(opening) !== null && !opening.startsWith(openingOf(algorithm));
  return isOther ? refused(MISMATCH) : { kind: "text", text, steps: [step] };
}

/** bcrypt and argon2 as people and tools name them; "blowfish" isn't one, it often stands over a pre-hash. */
const PLAIN_ALGORITHM = /^(?:password-)?(bcrypt|argon2(?:id|i|d)?)(?:js)?$/i;

/** The algorithm that a loose word means, as {@link holding} takes it; null for any other word. */
export function plainAlgorithm(word: string): string | null {
  return PLAIN_ALGORITHM.exec(word.trim())?.[1]?.toLowerCase() ?? null;
}

function openingOf(algorithm: string): string {
  if (algorithm === "bcrypt") return "$2";
  return algorithm === "argon2" ? "$argon2" : `$${algorithm}$`;
}

export const NO_PASSWORD: Inner = { kind: "verdict", verdict: { verdict: "none" } };

/**
 * Refusals by the name of an algorithm that a vendor writes: `okta` and `SHA-512` give the code
 * `okta_sha_512`.
 */
export function refusalsByName(
  vendor: string,
  label: string,
  names: readonly string[],
): ReadonlyMap<string, Inner> {
  return new Map(
    names.map((name) => {
      const what = `${label} made this hash with ${name}, which a core doesn't import`;
      return [name, refused(defineFlaw(codeOf(vendor, name), what))];
    }),
  );
}

/** The refusal of an algorithm of the vendor's that isn't known here. */
export function otherAlgorithm(vendor: string, label: string): Flaw {
  return defineFlaw(
    `${vendor}_algorithm`,
    `${label} made this hash with an algorithm that isn't bcrypt or argon2, or isn't known here`,
  );
}
