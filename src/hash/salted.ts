/** Judges a hash beside a filled salt column. Where the hash is complete in itself, the salt took part in a way that isn't known; else it may be the vendor's scrypt. */

import { optionName } from "../errors/option-name.js";
import { parseArgon2 } from "./argon2.js";
import { base64ByteLength, toStandardBase64 } from "./base64.js";
import { BCRYPT_SALT, normalizeBcrypt } from "./bcrypt.js";
import { buildVendorScrypt } from "./build-vendor-scrypt.js";
import { refusalBy } from "./credentials/columns.js";
import { decodeBase64, joinLines, restorePlus, trim, undoDamage } from "./damage.js";
import { defineFlaw, MAX_RAW_LENGTH, TOO_LONG } from "./flaw.js";
import { recognizePlaceholder } from "./foreign/foreign.js";
import type { HashConfig, HashVerdict } from "./hash.js";
import { meansNoPassword } from "./no-password.js";
import { MAX_LAYERS } from "./open.js";
import type { Step } from "./steps.js";
import { FSCRYPT_FLAWS, SIGNER_KEY_BYTES } from "./vendor-scrypt.js";

const MCF_PLUS_SALT = defineFlaw(
  "mcf_plus_salt_column",
  "the hash is complete, yet the salt column is filled, so a second salt took part and the password would never verify",
  `where the column takes no part in the hash, say ${optionName("--map")} ignore=COLUMN`,
);
const UNKNOWN_WITH_SALT = defineFlaw(
  "salted_unknown",
  "a hash beside a salt is one that a core doesn't import, or the vendor's scrypt, for which the account's parameters are missing",
  `where it is the vendor's scrypt, name a file with the hash_config block with ${optionName("--hash-config")}`,
);

/** Marks of an encoding; base64 has none of them. */
const ENCODED = /[$:{]/;

export interface SaltedHash {
  /** What the source knows: surely the vendor's scrypt, or a salt column of unknown meaning. */
  readonly kind: "vendor_scrypt" | "salted";
  readonly hash: string;
  readonly salt: string;
  /** Where the name of an algorithm says what it is: never the vendor's scrypt. */
  readonly named?: "digest" | "derived";
  /** That name. */
  readonly algorithm?: unknown;
}

/**
 * The verdict on a hash and a salt.
 * @param readWhole what the hash alone would be, damage and wrappers undone; null for no hash
 */
export function normalizeSalted(
  raw: SaltedHash,
  hashConfig: HashConfig | null,
  readWhole: (text: string) => HashVerdict | null,
): HashVerdict {
  if (raw.hash.length > MAX_RAW_LENGTH || raw.salt.length > MAX_RAW_LENGTH) return TOO_LONG.refusal;
  const hash = readField(raw.hash);
  if (meansNoPassword(hash.text)) return { verdict: "none" };
  const placeholder = recognizePlaceholder(hash.text);
  if (placeholder !== null) return placeholder;
  const salt = readField(raw.salt);
  const built = raw.named
    ? refusalBy(raw.algorithm)
    : buildVendorScrypt(hash.text, salt.text, hashConfig);
  // Nothing but text decodes to text; the vendor's hashes are random bytes.
  const isScrypt = built.verdict === "accepted" && decodeBase64(hash.text) === null;
  const whole = isScrypt ? null : readWhole(raw.hash);
  if (whole?.verdict === "accepted") {
    if (!isOwnSalt(whole.hash, salt.text)) return MCF_PLUS_SALT.refusal;
    return { ...whole, steps: ["salt_column_redundant" satisfies Step, ...whole.steps] };
  }
  if (built.verdict === "accepted") {
    const steps = new Set<string>([...hash.steps, ...salt.steps, ...built.steps]);
    return steps.size === built.steps.length ? built : { ...built, steps: [...steps] };
  }
  if (whole !== null && names(whole, raw)) return whole;
  if (raw.kind === "vendor_scrypt" || hashConfig !== null || raw.named) return built;
  const digits = toStandardBase64(hash.text) ?? "";
  const mayBeScrypt =
    base64ByteLength(digits) === SIGNER_KEY_BYTES && toStandardBase64(salt.text) !== null;
  return (mayBeScrypt ? FSCRYPT_FLAWS.configMissing : UNKNOWN_WITH_SALT).refusal;
}

/**
 * Whether the column only repeats the hash's own salt: put into the hash, it changes nothing.
 * Applications do so that keep `genSalt()` beside `hash(password, salt)`.
 *
 * @param hash an accepted one
 */
function isOwnSalt(hash: string, salt: string): boolean {
  if (hash.startsWith("$2")) {
    const head = salt.startsWith("$") ? "" : hash.slice(0, BCRYPT_SALT.start);
    const again = normalizeBcrypt(head + salt + hash.slice(BCRYPT_SALT.end));
    return again.verdict === "accepted" && again.hash === hash;
  }
  const own = parseArgon2(hash)?.salt;
  return own !== undefined && own === toStandardBase64(salt);
}

/**
 * Whether a refusal names what the hash is. A refusal for a missing salt doesn't, since the salt is
 * there; nor is what looks like a digest one where its algorithm is another.
 */
function names(whole: HashVerdict, { kind, hash, named }: SaltedHash): boolean {
  if (whole.verdict !== "refused") return true;
  if (named === "derived" && /digest$/.test(whole.code)) return false;
  return kind === "salted" ? whole.code !== "hash_without_salt" : ENCODED.test(hash);
}

interface Field {
  readonly text: string;
  readonly steps: readonly Step[];
}

/**
 * A field of base64 without its damage. What is base64 already is left: decoded once more, it would
 * be another salt or hash.
 */
function readField(raw: string, depth = 0): Field {
  const field = readDigits(raw);
  const isRead = toStandardBase64(field.text) !== null || meansNoPassword(field.text);
  const damage = isRead || depth === MAX_LAYERS ? null : undoDamage(field.text);
  if (damage === null) return field;
  const { text, steps } = readField(damage.text, depth + 1);
  return { text, steps: [...field.steps, damage.step, ...steps] };
}

/**
 * A field of base64 without the column's padding and line breaks, and with the `+` that form
 * decoding turned into blanks. A blank in front may be either. Where neither is sure it stays, and
 * the field is refused.
 */
function readDigits(raw: string): Field {
  const trimmed = trim(raw);
  const behind = raw.includes(" ") ? raw.trimEnd() : trimmed;
  const mayStartWithPlus =
    behind.startsWith(" ") && (restorePlus(behind) !== null || behind.length % 4 === 0);
  const kept = mayStartWithPlus ? behind : trimmed;
  const text = joinLines(kept);
  const steps: Step[] = kept === raw ? [] : ["trim"];
  if (text !== kept) steps.push("lines_joined");
  const restored = restorePlus(text);
  return restored === null
    ? { text, steps }
    : { text: restored, steps: [...steps, "plus_restored"] };
}
