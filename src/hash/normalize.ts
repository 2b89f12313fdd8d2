/** Raw hash in, verdict out: exactly the form of interface.md 2.4 with the steps that led there, or a refusal with a code. It never throws, never guesses and strips nothing that isn't on the allow-list. */

import { hashAlgorithmOf } from "./algorithm.js";
import { normalizeArgon2 } from "./argon2.js";
import { normalizeBcrypt } from "./bcrypt.js";
import { MAX_RAW_LENGTH, TOO_LONG } from "./flaw.js";
import { recognizeForeign, recognizePlaceholder, refuseUnknown } from "./foreign.js";
import type { HashAlgorithm, HashConfig, HashVerdict, NormalizeOptions, RawHash } from "./hash.js";
import { meansNoPassword } from "./no-password.js";
import { buildVendorScrypt, normalizeVendorScrypt } from "./vendor-scrypt.js";
import { unwrap } from "./wrappers.js";

const NO_PASSWORD: HashVerdict = { verdict: "none" };
const TRIM = ["trim"];

const BCRYPT_LENGTH = 60;

/** White space, line ends, byte-order marks, zero-width characters and NUL padding (libsodium, CHAR columns). */
const TRIMMABLE = /[\s\0\u200B-\u200D\u2060\uFEFF]/;

/**
 * The verdict on a raw hash. What is accepted verifies in any core that follows interface.md 2.4,
 * with the password it was made from and with no other; normalizing it again changes nothing.
 * Never throws, and takes time linear in the text.
 */
export function normalizeHash(raw: RawHash, options: NormalizeOptions = {}): HashVerdict {
  const hashConfig = options.hashConfig ?? null;
  switch (raw.kind) {
    case "text":
      return normalizeText(raw.text, hashConfig);
    case "vendor_scrypt":
    case "salted":
      return normalizeExported(raw.hash, raw.salt, hashConfig);
    case "credential":
      return refuseUnknown(false);
  }
}

function normalizeText(raw: string, hashConfig: HashConfig | null): HashVerdict {
  if (raw.length > MAX_RAW_LENGTH) return TOO_LONG.refusal;
  const text = trim(raw);
  if (meansNoPassword(text)) return NO_PASSWORD;
  const verdict = normalizeTrimmed(text, hashConfig);
  return text === raw ? verdict : after(TRIM, verdict);
}

function normalizeTrimmed(text: string, hashConfig: HashConfig | null): HashVerdict {
  const algorithm = hashAlgorithmOf(text);
  if (algorithm !== null) return normalizeAs(algorithm, text, hashConfig);
  const inner = unwrap(text);
  if (inner !== null) {
    return after(inner.steps, normalizeAs(inner.algorithm, inner.text, hashConfig));
  }
  return recognizeForeign(text) ?? refuseUnknown(endsWithHash(text, hashConfig));
}

function normalizeAs(
  algorithm: HashAlgorithm,
  text: string,
  hashConfig: HashConfig | null,
): HashVerdict {
  switch (algorithm) {
    case "bcrypt":
      return normalizeBcrypt(text);
    case "argon2":
      return normalizeArgon2(text);
    case "vendor_scrypt":
      return normalizeVendorScrypt(text, hashConfig);
  }
}

/** An exported hash and salt apart. */
function normalizeExported(
  rawHash: string,
  rawSalt: string,
  hashConfig: HashConfig | null,
): HashVerdict {
  if (rawHash.length > MAX_RAW_LENGTH || rawSalt.length > MAX_RAW_LENGTH) return TOO_LONG.refusal;
  const hash = trim(rawHash);
  const salt = trim(rawSalt);
  if (meansNoPassword(hash)) return NO_PASSWORD;
  const verdict = recognizePlaceholder(hash) ?? buildVendorScrypt(hash, salt, hashConfig);
  return hash === rawHash && salt === rawSalt ? verdict : after(TRIM, verdict);
}

/** Whether a valid hash stands at the end, behind a text that opens as none. */
function endsWithHash(text: string, hashConfig: HashConfig | null): boolean {
  const starts = [
    text.length - BCRYPT_LENGTH,
    text.lastIndexOf("$argon2"),
    text.lastIndexOf("$f_scrypt$"),
  ];
  return starts.some((start) => {
    if (start < 1) return false;
    const end = text.slice(start);
    const algorithm = hashAlgorithmOf(end);
    return algorithm !== null && normalizeAs(algorithm, end, hashConfig).verdict === "accepted";
  });
}

/** `verdict` with the steps that came before it. */
function after(steps: readonly string[], verdict: HashVerdict): HashVerdict {
  if (verdict.verdict !== "accepted") return verdict;
  return { ...verdict, steps: [...steps, ...verdict.steps] };
}

function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && TRIMMABLE.test(text.charAt(start))) start++;
  while (end > start && TRIMMABLE.test(text.charAt(end - 1))) end--;
  return end - start === text.length ? text : text.slice(start, end);
}
