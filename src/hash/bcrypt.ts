/** bcrypt: the strict grammar of a hash that a core can verify, and the repairs that lose nothing. */

import { optionName } from "../errors/option-name.js";
import { accept, defineFlaw, EXPORT_AGAIN, type Flaw, NOTHING, ONE_CASE_ONLY } from "./flaw.js";
import type { HashVerdict, NormalizeOptions } from "./hash.js";
import type { Step } from "./steps.js";

/** bcrypt's own base64 alphabet (Provos and Mazières 1999), by value. */
const ALPHABET = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Of every whole hash, in characters. */
export const BCRYPT_LENGTH = 60;

/**
 * What the salt's last character may be, by the two bits that it carries: 22 characters are 16
 * bytes and 4 spare bits.
 */
const SALT_END = ".Oeu";
const SALT_END_INDEX = 28;
/** Where the salt stands in a whole hash. */
export const BCRYPT_SALT = { start: 7, end: SALT_END_INDEX + 1 } as const;
const SALT_LENGTH = 22;
const HASH_LENGTH = 31;
const TWO_DIGITS = /^\d\d$/;

/** RFC 4648's alphabet, by value. */
const STANDARD_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Costs beyond 30 stop the reference core's verifier (jBCrypt), costs below 04 every verifier.
const HEAD = /^\$2[aby]\$(?:0[4-9]|[12]\d|30)\$/;
const BODY = /^.{7}[./A-Za-z0-9]*$/;
const HASH_END = ".CGKOSWaeimquy26";
const ONE_DIGIT_COST = /^\$2[aby]\$\d\$/;

/**
 * Salt and hash in one letter case, which chance brings about once in 10^12. The salt's last
 * character doesn't count, since it may be a mended one.
 */
const ONE_CASE = /^.{7}(?:[^A-Z]{21}.[^A-Z]*|[^a-z]{21}.[^a-z]*)$/;

const ORIGINAL = defineFlaw(
  "bcrypt_2",
  "the identifier $2$ marks bcrypt's first version, which hashes a password without its end mark, so no core can verify it",
);
const SIGN_EXTENDED = defineFlaw(
  "bcrypt_2x",
  "the identifier $2x$ marks hashes of a faulty bcrypt (CVE-2011-2483), which verify only where the password is pure ASCII",
  `take them all the same with ${optionName("--allow-hash")} 2x, which locks out passwords beyond ASCII`,
);
const LENGTH = defineFlaw(
  "bcrypt_length",
  "the bcrypt hash isn't 60 characters long, so it was cut off or something was added to it",
  EXPORT_AGAIN,
);
const COST = defineFlaw(
  "bcrypt_cost",
  "the bcrypt hash's cost isn't two digits from 04 to 30, so a core can't verify it",
);
const BODY_ALPHABET = defineFlaw(
  "bcrypt_alphabet",
  "the bcrypt hash has a character that bcrypt never writes",
  EXPORT_AGAIN,
);
const HASH_BITS = defineFlaw(
  "bcrypt_hash_bits",
  "the bcrypt hash's last character is one that bcrypt never writes there, so it was damaged",
  EXPORT_AGAIN,
);
const SALT_BITS = defineFlaw(
  "bcrypt_salt_bits",
  "the bcrypt hash's salt sets bits that a core clears before it compares, so it could never match",
  EXPORT_AGAIN,
);
export const BCRYPT_CASEFOLD = defineFlaw(
  "bcrypt_casefold",
  `the bcrypt hash ${ONE_CASE_ONLY}`,
  EXPORT_AGAIN,
);

const IDENTIFIER_STEPS = new Map<string, readonly Step[]>([
  ["a", NOTHING],
  ["b", ["bcrypt_2b_to_2a"]],
  ["y", ["bcrypt_2y_to_2a"]],
]);
const FROM_2X: Step = "bcrypt_2x_to_2a";
const ASCII_ONLY: readonly string[] = ["proof_needed"];

/**
 * What keeps a core from verifying a text that opens as bcrypt, or null when nothing does.
 * `$2a$`, `$2b$` and `$2y$` are one algorithm. Spare bits must be zero: verifiers encode anew
 * and compare the whole text.
 */
export function bcryptFlaw(text: string): Flaw | null {
  if (text.startsWith("$2$")) return ORIGINAL;
  if (text.startsWith("$2x$")) return SIGN_EXTENDED;
  if (text.length !== BCRYPT_LENGTH) return ONE_DIGIT_COST.test(text) ? COST : LENGTH;
  if (!HEAD.test(text)) return COST;
  if (!BODY.test(text)) return BODY_ALPHABET;
  if (!HASH_END.includes(text.charAt(BCRYPT_LENGTH - 1))) return HASH_BITS;
  return SALT_END.includes(text.charAt(SALT_END_INDEX)) ? null : SALT_BITS;
}

/**
 * The verdict on a text that opens as bcrypt. Repairs: the identifier becomes `$2a$`
 * (interface.md 2.4), the salt's spare bits, which take no part in hashing, are cleared. Where `2x`
 * is allowed, `$2x$` is taken for `$2a$`, with notice `proof_needed`: the fault changes only
 * passwords with bytes beyond ASCII.
 */
export function normalizeBcrypt(text: string, options: NormalizeOptions = {}): HashVerdict {
  if (text.startsWith("$2x$") && options.allowHash?.includes("2x")) {
    const verdict = normalizeBcrypt(`$2a${text.slice(3)}`);
    if (verdict.verdict !== "accepted") return verdict;
    return { ...verdict, steps: [FROM_2X, ...verdict.steps], notices: ASCII_ONLY };
  }
  const flaw = bcryptFlaw(text);
  const isComplete = flaw === null || flaw === HASH_BITS || flaw === SALT_BITS;
  if (!isComplete) return flaw.refusal;
  // A changed case upsets spare bits, too; the case is the cause to name.
  if (ONE_CASE.test(text)) return BCRYPT_CASEFOLD.refusal;
  if (flaw === HASH_BITS) return flaw.refusal;
  const steps = IDENTIFIER_STEPS.get(text.charAt(2)) ?? NOTHING;
  if (flaw === SALT_BITS) {
    return accept("bcrypt", `$2a${clearSaltBits(text)}`, [...steps, "bcrypt_salt_bits_cleared"]);
  }
  return accept("bcrypt", steps === NOTHING ? text : `$2a${text.slice(3)}`, steps);
}

/**
 * One bcrypt text from its parts, as vendors keep them apart.
 * @param cost as a number or its digits
 * @param salt 22 characters of bcrypt's alphabet
 * @param hash 31 characters of bcrypt's alphabet
 * @returns the text, still to be normalized, or what is wrong with the parts
 */
export function joinBcrypt(cost: unknown, salt: unknown, hash: unknown): string | Flaw {
  if (typeof salt !== "string" || typeof hash !== "string") return LENGTH;
  // Joined, one part too long would hide another that is too short.
  if (salt.length !== SALT_LENGTH || hash.length !== HASH_LENGTH) return LENGTH;
  const isNumber = typeof cost === "number" || typeof cost === "string";
  const digits = isNumber ? String(cost).padStart(2, "0") : "";
  return TWO_DIGITS.test(digits) ? `$2a$${digits}$${salt}${hash}` : COST;
}

/** `digits` (standard base64 without padding) in bcrypt's alphabet, which packs bits the same way. */
export function toBcryptBase64(digits: string): string {
  let text = "";
  for (const digit of digits) text += ALPHABET.charAt(STANDARD_ALPHABET.indexOf(digit));
  return text;
}

/** `digits` of bcrypt's alphabet as standard base64 without padding. */
export function fromBcryptBase64(digits: string): string {
  let text = "";
  for (const digit of digits) text += STANDARD_ALPHABET.charAt(ALPHABET.indexOf(digit));
  return text;
}

/** The text after its identifier, the salt's last character with its four spare bits cleared. */
function clearSaltBits(text: string): string {
  const value = ALPHABET.indexOf(text.charAt(SALT_END_INDEX));
  const end = SALT_END.charAt(value >> 4);
  return text.slice(3, SALT_END_INDEX) + end + text.slice(SALT_END_INDEX + 1);
}
