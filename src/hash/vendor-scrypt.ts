/** The vendor's scrypt: the strict grammar of the `$f_scrypt$` text of interface.md 2.4, and what can be wrong with one. */

import { optionName } from "../errors/option-name.js";
import { base64ByteLength, padBase64, toStandardBase64 } from "./base64.js";
import {
  defineFlaw,
  EXPORT_AGAIN,
  type Flaw,
  MAX_HASH_LENGTH,
  ONE_CASE_ONLY,
  TOO_LONG,
} from "./flaw.js";

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

/**
 * Bytes of a signer key, and so of every hash: the hash is the signer key, encrypted
 * (github.com/firebase/scrypt). The vendor hands out no other length.
 */
export const SIGNER_KEY_BYTES = 64;

/** Bytes of a salt, as the vendor makes them: ten in every sample that is known. */
export const SALT_BYTES = 10;

/**
 * What a core computes within 64 MiB. The vendor's import tools (firebase-tools auth:import) stop
 * at 14 and 8. Hashes with nine rounds exist and verify (github.com/firebase/scrypt's tests), and
 * SuperTokens tests itself with a memory cost of 15.
 */
export const MAX_MEM_COST = 15;
export const MAX_ROUNDS = 16;

const COMPARE_KEY = (): string =>
  `compare base64_signer_key in the file given with ${optionName("--hash-config")} with the vendor's console`;

/** What can be wrong with a vendor scrypt hash, as one text or as hash and salt apart. */
export const FSCRYPT_FLAWS = {
  format: defineFlaw(
    "fscrypt_format",
    "the vendor scrypt hash isn't in the form $f_scrypt$<hash>$<salt>$m=..$r=..$s=..",
    EXPORT_AGAIN,
  ),
  parameters: defineFlaw(
    "fscrypt_parameters",
    "the vendor scrypt hash's m (1 to 15), r (1 to 16) or p (1) is outside what a core computes",
    () => "compare with mem_cost and rounds in the vendor's console",
  ),
  hash: defineFlaw(
    "fscrypt_hash",
    "the vendor scrypt hash isn't canonical base64, so it was cut off or damaged",
    EXPORT_AGAIN,
  ),
  hashUnpadded: defineFlaw(
    "fscrypt_hash",
    "the vendor scrypt hash isn't standard base64 with padding, which a core compares as text",
  ),
  hashLength: defineFlaw(
    "fscrypt_hash_length",
    "the vendor scrypt hash isn't 64 bytes long, so no signer key could have made it",
    EXPORT_AGAIN,
  ),
  casefold: defineFlaw("fscrypt_casefold", `the vendor scrypt hash ${ONE_CASE_ONLY}`, EXPORT_AGAIN),
  salt: defineFlaw(
    "fscrypt_salt",
    "the vendor scrypt hash's salt is missing or isn't canonical standard base64",
    EXPORT_AGAIN,
  ),
  separator: defineFlaw(
    "fscrypt_separator",
    "the account's salt separator is empty or isn't base64, which no core's form can carry",
    (without) =>
      `compare base64_salt_separator with the vendor's console; if it is empty there, use ${without}`,
  ),
  separatorPadded: defineFlaw(
    "fscrypt_separator",
    "the salt separator's padded base64 contains s=, where a core would cut it in two",
  ),
  configMissing: defineFlaw(
    "hash_config_missing",
    "this hash needs the vendor account's scrypt parameters",
    () =>
      `save the hash_config block of the vendor's console in a file and name it with ${optionName("--hash-config")}`,
  ),
  configInvalid: defineFlaw(
    "hash_config_invalid",
    "the vendor account's mem_cost (1 to 15) or rounds (1 to 16) is outside what a core computes",
    () => `compare the file given with ${optionName("--hash-config")} with the vendor's console`,
  ),
  keyLength: defineFlaw(
    "signer_key_length",
    "the hash and the account's signer key differ in length, so this key didn't make this hash",
    COMPARE_KEY,
  ),
  ownKeyLength: defineFlaw(
    "signer_key_length",
    "the signer key beside the hash isn't 64 bytes of base64, so it didn't make this hash",
    EXPORT_AGAIN,
  ),
  keyMismatch: defineFlaw(
    "signer_key_mismatch",
    "the hash carries another signer key than the one that is configured, or than the run's first such hash, and a core has room for one",
    () =>
      "find out which key belongs to these users, with base64_signer_key of the vendor's console; users of another account go to a core of their own",
  ),
} as const;

const NUMBER = /^(?:0|[1-9]\d{0,8})$/;

/**
 * The fields of a `$f_scrypt$` text, or null where it isn't one. As for the core's decoder, m, r and s
 * may be in any order. Base64 and ranges aren't checked.
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

/** The salt of an accepted text, as base64. */
export function saltOf(hash: string): string {
  return hash.split("$", 4)[3] ?? "";
}

/** What keeps a core from verifying a text that opens as vendor scrypt, or null when nothing does. */
export function vendorScryptFlaw(text: string): Flaw | null {
  if (text.length > MAX_HASH_LENGTH) return TOO_LONG;
  const parts = parseVendorScrypt(text);
  if (parts === null) return FSCRYPT_FLAWS.format;
  if (!isComputable(parts.memCost, parts.rounds)) return FSCRYPT_FLAWS.parameters;
  const hash = toStandardBase64(parts.hash);
  if (hash === null) return FSCRYPT_FLAWS.hash;
  if (padBase64(hash) !== parts.hash) return FSCRYPT_FLAWS.hashUnpadded;
  if (base64ByteLength(hash) !== SIGNER_KEY_BYTES) return FSCRYPT_FLAWS.hashLength;
  if (!isStandard(parts.salt)) return FSCRYPT_FLAWS.salt;
  if (!isStandard(parts.separator)) return FSCRYPT_FLAWS.separator;
  // SuperTokens' decoder splits this field at every "s=".
  return parts.separator.includes("s=") ? FSCRYPT_FLAWS.separatorPadded : null;
}

/** Whether a core computes scrypt with these. */
export function isComputable(memCost: number, rounds: number): boolean {
  return inRange(memCost, MAX_MEM_COST) && inRange(rounds, MAX_ROUNDS);
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
