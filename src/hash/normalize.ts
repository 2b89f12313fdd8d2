/** Raw hash in, verdict out: exactly the form of interface.md 2.4 with the steps that led there, or a refusal with a code. Only what is on the allow-list is stripped. */

import { hashAlgorithmOf } from "./grammar.js";
import { normalizeArgon2 } from "./argon2.js";
import { BCRYPT_LENGTH, normalizeBcrypt } from "./bcrypt.js";
import { normalizeVendorScrypt, rebuildVendorScrypt } from "./build-vendor-scrypt.js";
import { openCredential } from "./credentials/credential.js";
import { opensAsJson } from "./credentials/fields.js";
import { trim, undoDamage, unquote } from "./damage.js";
import { MAX_CREDENTIAL_LENGTH, MAX_RAW_LENGTH, TOO_LONG } from "./flaw.js";
import {
  looksPlain,
  PLAIN_TEXT,
  recognizeForeign,
  UNKNOWN,
  UNKNOWN_PREFIX,
} from "./foreign/foreign.js";
import type { HashAlgorithm, HashVerdict, NormalizeOptions, RawHash } from "./hash.js";
import type { Inner } from "./inner.js";
import { isNoValue, meansNoPassword } from "./no-password.js";
import { MAX_LAYERS, openText } from "./open.js";
import { normalizeSalted, type SaltedHash } from "./salted.js";
import { createSignerKeys } from "./signer-keys.js";
import { judgePreHash } from "./vendors.js";

const NO_PASSWORD: HashVerdict = { verdict: "none" };

const HOLDS_OPENING = /\$(?:argon2|f_scrypt\$)/;

const JSON_OPENING = /^\s{0,8}["'`]?[[{]/;

/**
 * The verdict on a raw hash. What is accepted verifies in any core that follows interface.md 2.4,
 * with the password it was made from and with no other; normalizing it again changes nothing.
 * Hashes that carry signer keys are compared with each other through `options.signerKeys`. Never
 * throws, and takes time linear in the text: lengths and layers are bounded, and no pattern repeats
 * inside a repetition.
 */
export function normalizeHash(raw: RawHash, options: NormalizeOptions = {}): HashVerdict {
  let verdict: HashVerdict;
  if (raw.kind === "text") verdict = readField(raw.text, options, 0);
  else if (raw.kind === "credential") verdict = open(openCredential(raw.credential), options, 0);
  else verdict = readSalted(raw, options, 0);
  return verdict.verdict === "accepted" ? judgePreHash(verdict, options) : verdict;
}

/** The verdict on a field that holds a hash, or a marker that there is none. */
function readField(text: string, options: NormalizeOptions, depth: number): HashVerdict {
  if (text.length > MAX_RAW_LENGTH) {
    const isCredential = text.length <= MAX_CREDENTIAL_LENGTH && JSON_OPENING.test(text);
    if (!isCredential) return TOO_LONG.refusal;
  }
  const known = read(text, options, depth);
  if (known !== null) return known;
  if (isMarker(text)) return NO_PASSWORD;
  return (looksPlain(trim(text)) ? PLAIN_TEXT : UNKNOWN).refusal;
}

/**
 * The verdict on a text as it stands, else on what it holds, else on it without its outermost layer
 * of damage. Null where none of these opens as anything known: a layer that leads nowhere wasn't
 * one.
 */
function read(text: string, options: NormalizeOptions, depth: number): HashVerdict | null {
  if (depth > MAX_LAYERS) return null;
  const algorithm = hashAlgorithmOf(text);
  // Blanks around a text would stay with a part of it, the signer key's end or the hash's.
  const isOpened = algorithm === null && trim(text) === text;
  const inner = isOpened ? openText(text, options.vendor ?? null) : null;
  const opened = inner === null ? null : open(inner, options, depth + 1);
  // A text inside had its damage undone there; parts that stand in a text are damaged with it.
  if (opened !== null && (inner?.kind === "text" || opensAsJson(text))) return opened;
  const whole = algorithm === null ? opened : NORMALIZE[algorithm](text, options);
  if (whole?.verdict === "accepted") return whole;
  const damage = undoDamage(text);
  const mended = damage === null ? null : read(damage.text, options, depth + 1);
  if (damage !== null && mended !== null) return after([damage.step], mended);
  if (whole !== null) return whole;
  const foreign = recognizeForeign(text);
  if (foreign !== null) return foreign;
  return endsWithHash(text, options) ? UNKNOWN_PREFIX.refusal : null;
}

const NORMALIZE: Readonly<
  Record<HashAlgorithm, (text: string, options: NormalizeOptions) => HashVerdict>
> = {
  bcrypt: normalizeBcrypt,
  argon2: normalizeArgon2,
  vendor_scrypt: normalizeVendorScrypt,
};

function open(inner: Inner, options: NormalizeOptions, depth: number): HashVerdict {
  switch (inner.kind) {
    case "text": {
      const known: NormalizeOptions = inner.isWhole
        ? { ...options, allowHash: [...(options.allowHash ?? []), "argon2-any"] }
        : options;
      return after(inner.steps, readField(inner.text, known, depth));
    }
    case "scrypt": {
      const { signerKeys = createSignerKeys(options.hashConfig?.signerKey ?? null) } = options;
      return after(inner.steps, rebuildVendorScrypt(inner.carried, signerKeys));
    }
    case "salted":
      return readSalted(inner, options, depth);
    case "verdict":
      return inner.verdict;
  }
}

function readSalted(raw: SaltedHash, options: NormalizeOptions, depth: number): HashVerdict {
  const isFilled = raw.kind === "vendor_scrypt" || !isNoValue(trim(raw.salt));
  if (!isFilled) return readField(raw.hash, options, depth);
  return normalizeSalted(raw, options.hashConfig ?? null, (hash) => read(hash, options, depth + 1));
}

/** Whether a field says that there is no password, in quotation marks or without. */
function isMarker(raw: string): boolean {
  const text = trim(raw);
  if (meansNoPassword(text)) return true;
  const quoted = unquote(text);
  return quoted !== null && meansNoPassword(trim(quoted));
}

/** Whether a valid hash stands at the end, behind a text that opens as none. */
function endsWithHash(text: string, options: NormalizeOptions): boolean {
  if (isHashFrom(text.length - BCRYPT_LENGTH, text, options)) return true;
  if (!HOLDS_OPENING.test(text)) return false;
  const start = Math.max(text.lastIndexOf("$argon2"), text.lastIndexOf("$f_scrypt$"));
  return isHashFrom(start, text, options);
}

function isHashFrom(start: number, text: string, options: NormalizeOptions): boolean {
  if (start < 1 || text.charAt(start) !== "$") return false;
  const end = text.slice(start);
  const algorithm = hashAlgorithmOf(end);
  return algorithm !== null && NORMALIZE[algorithm](end, options).verdict === "accepted";
}

/** `verdict` with the steps that came before it. */
function after(steps: readonly string[], verdict: HashVerdict): HashVerdict {
  if (verdict.verdict !== "accepted" || steps.length === 0) return verdict;
  const { algorithm, hash, notices } = verdict;
  return { verdict: "accepted", algorithm, hash, steps: [...steps, ...verdict.steps], notices };
}
