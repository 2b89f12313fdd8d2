/** The vendor's scrypt: the `$f_scrypt$` text of interface.md 2.4, checked, mended and built from an exported hash and salt. It never invents a parameter: they come from the text or the vendor's account. */

import { base64ByteLength, padBase64, toStandardBase64 } from "./base64.js";
import { accept, defineFlaw, EXPORT_AGAIN, type Flaw, MAX_HASH_LENGTH, TOO_LONG } from "./flaw.js";
import type { HashConfig, HashVerdict } from "./hash.js";

/** The fields of a `$f_scrypt$` text, as they stand in it. */
export interface VendorScryptParts {
  /** Base64. */
  readonly hash: string;
  /** Base64. */
  readonly salt: string;
  /** log2 of scrypt's N. */
  readonly memCost: number;
  /** scrypt's r. */
  readonly rounds: number;
  /** Base64, appended to the salt. */
  readonly separator: string;
}

/** The text as it is sent, and what had to change. */
interface Mended {
  readonly text: string;
  readonly base64Changed: boolean;
  readonly separatorUnpadded: boolean;
}

/**
 * Bytes of a signer key, and so of every hash: the hash is the signer key, encrypted
 * (github.com/firebase/scrypt). The vendor hands out no other length.
 */
export const SIGNER_KEY_BYTES = 64;

/**
 * What a core computes within 32 MiB. The vendor's import tools (firebase-tools auth:import) stop
 * at 14 and 8, but hashes with nine rounds exist and verify (github.com/firebase/scrypt's tests).
 */
export const MAX_MEM_COST = 14;
export const MAX_ROUNDS = 16;

const NUMBER = /^(?:0|[1-9]\d{0,8})$/;
const ONE_CASE = /^(?:[^A-Z]*|[^a-z]*)$/;

const FORMAT = defineFlaw(
  "fscrypt_format",
  "the vendor scrypt hash isn't in the form $f_scrypt$<hash>$<salt>$m=..$r=..$s=..",
  EXPORT_AGAIN,
);
const PARAMETERS = defineFlaw(
  "fscrypt_parameters",
  "the vendor scrypt hash's m (1 to 14) or r (1 to 16) is outside what a core computes",
  "compare with mem_cost and rounds in the vendor's console",
);
const HASH = defineFlaw(
  "fscrypt_hash",
  "the vendor scrypt hash isn't canonical base64, so it was cut off or damaged",
  EXPORT_AGAIN,
);
const HASH_UNPADDED = defineFlaw(
  "fscrypt_hash",
  "the vendor scrypt hash isn't standard base64 with padding, which a core compares as text",
);
const HASH_LENGTH = defineFlaw(
  "fscrypt_hash_length",
  "the vendor scrypt hash isn't 64 bytes long, so no signer key could have made it",
  EXPORT_AGAIN,
);
const CASEFOLD = defineFlaw(
  "fscrypt_casefold",
  "the vendor scrypt hash has letters of one case only, so the file was changed to upper or lower case",
  EXPORT_AGAIN,
);
const SALT = defineFlaw(
  "fscrypt_salt",
  "the vendor scrypt hash's salt is missing or isn't canonical standard base64",
  EXPORT_AGAIN,
);
const SEPARATOR = defineFlaw(
  "fscrypt_separator",
  "the account's salt separator is empty or isn't base64, and interface.md's form can't carry that",
  "compare base64_salt_separator with the vendor's console; if it is empty there, use --on-unusable-hash passwordless",
);
const SEPARATOR_PADDED = defineFlaw(
  "fscrypt_separator",
  "the salt separator's padded base64 contains s=, where a core would cut it in two",
);
const CONFIG_MISSING = defineFlaw(
  "hash_config_missing",
  "this hash needs the vendor account's scrypt parameters",
  "save the hash_config block of the vendor's console in a file and name it with --hash-config",
);
const CONFIG_INVALID = defineFlaw(
  "hash_config_invalid",
  "the vendor account's mem_cost (1 to 14) or rounds (1 to 16) is outside what a core computes",
  "compare the file given with --hash-config with the vendor's console",
);
const SIGNER_KEY_LENGTH = defineFlaw(
  "signer_key_length",
  "the hash and the account's signer key differ in length, so this key didn't make this hash",
  "compare base64_signer_key in the file given with --hash-config with the vendor's console",
);

const AS_IT_WAS: readonly string[] = [];

/**
 * The fields of a `$f_scrypt$` text with m, r and s in any order (the core's decoder reads them
 * so), or null where it isn't one. Base64 and ranges aren't checked.
 */
export function parseVendorScrypt(text: string): VendorScryptParts | null {
  const fields = text.split("$");
  const [before, identifier, hash, salt] = fields;
  if (fields.length !== 7 || before !== "" || identifier !== "f_scrypt") return null;
  const memCost = fieldValue(fields, "m=");
  const rounds = fieldValue(fields, "r=");
  const separator = fieldValue(fields, "s=");
  if (memCost === null || rounds === null || separator === null) return null;
  if (hash === undefined || salt === undefined) return null;
  if (!NUMBER.test(memCost) || !NUMBER.test(rounds)) return null;
  return { hash, salt, memCost: Number(memCost), rounds: Number(rounds), separator };
}

/** What keeps a core from verifying a text that opens as vendor scrypt, or null when nothing does. */
export function vendorScryptFlaw(text: string): Flaw | null {
  if (text.length > MAX_HASH_LENGTH) return TOO_LONG;
  const parts = parseVendorScrypt(text);
  if (parts === null) return FORMAT;
  if (!inRange(parts.memCost, MAX_MEM_COST) || !inRange(parts.rounds, MAX_ROUNDS)) {
    return PARAMETERS;
  }
  const hash = toStandardBase64(parts.hash);
  if (hash === null) return HASH;
  if (padBase64(hash) !== parts.hash) return HASH_UNPADDED;
  if (base64ByteLength(hash) !== SIGNER_KEY_BYTES) return HASH_LENGTH;
  if (!isStandard(parts.salt)) return SALT;
  if (!isStandard(parts.separator)) return SEPARATOR;
  // The counterpart's decoder splits this field at every "s=".
  return parts.separator.includes("s=") ? SEPARATOR_PADDED : null;
}

/**
 * The verdict on a `$f_scrypt$` text. Repairs: m, r and s in this order, standard padded base64,
 * a separator whose padded base64 contains `s=` without its padding.
 * @param hashConfig the vendor account's parameters where known; only the key's length is used
 */
export function normalizeVendorScrypt(text: string, hashConfig: HashConfig | null): HashVerdict {
  const parts = parseVendorScrypt(text);
  if (parts === null) return FORMAT.refusal;
  if (!inRange(parts.memCost, MAX_MEM_COST) || !inRange(parts.rounds, MAX_ROUNDS)) {
    return PARAMETERS.refusal;
  }
  const mended = mend(parts, hashConfig);
  if ("refusal" in mended) return mended.refusal;
  if (mended.text === text) return accept("vendor_scrypt", text, AS_IT_WAS);
  const steps: string[] = [];
  if (mended.base64Changed) steps.push("vendor_scrypt_base64_standard");
  if (mended.separatorUnpadded) steps.push("vendor_scrypt_separator_unpadded");
  if (!text.endsWith(tailOf(parts))) steps.push("vendor_scrypt_parameters_ordered");
  return accept("vendor_scrypt", mended.text, steps);
}

/**
 * The verdict on an exported hash and salt (interface.md 4.5): the `$f_scrypt$` text with the
 * account's parameters, or a refusal, `hash_config_missing` without them.
 */
export function buildVendorScrypt(
  hash: string,
  salt: string,
  hashConfig: HashConfig | null,
): HashVerdict {
  if (hashConfig === null) return CONFIG_MISSING.refusal;
  const { memCost, rounds, saltSeparator } = hashConfig;
  if (!inRange(memCost, MAX_MEM_COST) || !inRange(rounds, MAX_ROUNDS))
    return CONFIG_INVALID.refusal;
  const mended = mend({ hash, salt, memCost, rounds, separator: saltSeparator }, hashConfig);
  if ("refusal" in mended) return mended.refusal;
  const steps = ["vendor_scrypt_built"];
  if (mended.base64Changed) steps.unshift("vendor_scrypt_base64_standard");
  if (mended.separatorUnpadded) steps.push("vendor_scrypt_separator_unpadded");
  return accept("vendor_scrypt", mended.text, steps);
}

function mend(parts: VendorScryptParts, hashConfig: HashConfig | null): Mended | Flaw {
  const hashDigits = toStandardBase64(parts.hash);
  if (hashDigits === null) return HASH;
  if (base64ByteLength(hashDigits) !== SIGNER_KEY_BYTES) return HASH_LENGTH;
  if (ONE_CASE.test(hashDigits)) return CASEFOLD;
  const signerKey = hashConfig?.signerKey ?? null;
  if (signerKey !== null && keyLength(signerKey) !== SIGNER_KEY_BYTES) return SIGNER_KEY_LENGTH;
  const saltDigits = toStandardBase64(parts.salt);
  if (saltDigits === null || saltDigits === "") return SALT;
  const separatorDigits = toStandardBase64(parts.separator);
  if (separatorDigits === null || separatorDigits === "") return SEPARATOR;
  const hash = padBase64(hashDigits);
  const salt = padBase64(saltDigits);
  const padded = padBase64(separatorDigits);
  const separator = padded.includes("s=") ? separatorDigits : padded;
  const text = `$f_scrypt$${hash}$${salt}${tailOf({ ...parts, separator })}`;
  if (text.length > MAX_HASH_LENGTH) return TOO_LONG;
  const separatorUnpadded = separator !== padded && parts.separator.endsWith("=");
  const separatorStandard = separator === parts.separator || separatorUnpadded;
  const base64Changed = hash !== parts.hash || salt !== parts.salt || !separatorStandard;
  return { text, base64Changed, separatorUnpadded };
}

function tailOf(parts: VendorScryptParts): string {
  return `$m=${parts.memCost}$r=${parts.rounds}$s=${parts.separator}`;
}

function fieldValue(fields: readonly string[], name: string): string | null {
  const field = fields.find((candidate, index) => index > 3 && candidate.startsWith(name));
  return field === undefined ? null : field.slice(name.length);
}

function isStandard(text: string): boolean {
  const digits = toStandardBase64(text);
  return digits !== null && digits !== "" && (text === digits || text === padBase64(digits));
}

function inRange(value: number, max: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= max;
}

function keyLength(signerKey: string): number {
  const digits = toStandardBase64(signerKey);
  return digits === null ? 0 : base64ByteLength(digits);
}
