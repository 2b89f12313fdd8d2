/** Makes the `$f_scrypt$` text of interface.md 2.4: mends one, or builds it from a hash and a salt. The parameters come from the text or from the vendor's account. */

import {
  base64ByteLength,
  decodedLength,
  isOneCase,
  padBase64,
  toStandardBase64,
} from "./base64.js";
import { accept, type Flaw, MAX_HASH_LENGTH, NOTHING, TOO_LONG } from "./flaw.js";
import type { HashConfig, HashVerdict, NormalizeOptions } from "./hash.js";
import type { SignerKeys } from "./signer-keys.js";
import type { Step } from "./steps.js";
import {
  FSCRYPT_FLAWS,
  isComputable,
  parseVendorScrypt,
  SALT_BYTES,
  SIGNER_KEY_BYTES,
  type VendorScryptParts,
} from "./vendor-scrypt.js";

/** The text as it is sent, and what had to change. */
interface Mended {
  readonly text: string;
  readonly base64Changed: boolean;
  readonly separatorUnpadded: boolean;
  /** What the salt's length says. */
  readonly notices: readonly string[];
}

const SALT_LENGTH: readonly string[] = ["proof_needed"];

/** A hash that carries its account's parameters: the signer key is never null. */
export interface CarriedScrypt {
  readonly hash: string;
  readonly salt: string;
  readonly account: HashConfig & { readonly signerKey: string };
}

/** Below this many characters letters of one case could be chance. */
const MIN_CASE_EVIDENCE = 50;

/**
 * The verdict on a `$f_scrypt$` text. Repairs: m, r and s in this order, standard padded base64,
 * a separator whose padded base64 contains `s=` without its padding. Of the vendor account's
 * parameters only the key's length is used.
 */
export function normalizeVendorScrypt(
  text: string,
  { hashConfig = null }: NormalizeOptions = {},
): HashVerdict {
  const parts = parseVendorScrypt(text);
  if (parts === null) return FSCRYPT_FLAWS.format.refusal;
  if (!isComputable(parts.memCost, parts.rounds)) return FSCRYPT_FLAWS.parameters.refusal;
  const mended = mend(parts, hashConfig);
  if ("refusal" in mended) return mended.refusal;
  if (mended.text === text) return accept("vendor_scrypt", text, NOTHING, mended.notices);
  const steps = repairs(mended);
  if (!text.endsWith(tailOf(parts))) steps.push("vendor_scrypt_parameters_ordered");
  return accept("vendor_scrypt", mended.text, steps, mended.notices);
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
  if (hashConfig === null) return FSCRYPT_FLAWS.configMissing.refusal;
  const { memCost, rounds, saltSeparator } = hashConfig;
  if (!isComputable(memCost, rounds)) return FSCRYPT_FLAWS.configInvalid.refusal;
  const mended = mend({ hash, salt, memCost, rounds, separator: saltSeparator }, hashConfig);
  if ("refusal" in mended) return mended.refusal;
  const steps = [...repairs(mended), "vendor_scrypt_built" as const];
  return accept("vendor_scrypt", mended.text, steps, mended.notices);
}

/**
 * The verdict on a hash that carries its account's parameters, as some vendors keep the hashes
 * they took over. One core holds one signer key, so all of a run must carry the same.
 * @param keys the run's key; a sound hash may bring the first one
 */
export function rebuildVendorScrypt(
  { hash, salt, account }: CarriedScrypt,
  keys: SignerKeys,
): HashVerdict {
  const { memCost, rounds, saltSeparator, signerKey } = account;
  if (decodedLength(signerKey) !== SIGNER_KEY_BYTES) return FSCRYPT_FLAWS.ownKeyLength.refusal;
  if (!isComputable(memCost, rounds)) return FSCRYPT_FLAWS.parameters.refusal;
  const mended = mend({ hash, salt, memCost, rounds, separator: saltSeparator }, account);
  if ("refusal" in mended) return mended.refusal;
  if (!keys.take(signerKey)) return FSCRYPT_FLAWS.keyMismatch.refusal;
  return accept("vendor_scrypt", mended.text, repairs(mended), mended.notices);
}

function mend(parts: VendorScryptParts, account: HashConfig | null): Mended | Flaw {
  const isFolded = parts.hash.length >= MIN_CASE_EVIDENCE && isOneCase(parts.hash);
  // A changed case upsets spare bits, too; the case is the cause to name.
  if (isFolded) return FSCRYPT_FLAWS.casefold;
  const hashDigits = toStandardBase64(parts.hash);
  if (hashDigits === null) return FSCRYPT_FLAWS.hash;
  if (base64ByteLength(hashDigits) !== SIGNER_KEY_BYTES) return FSCRYPT_FLAWS.hashLength;
  const signerKey = account?.signerKey ?? null;
  if (signerKey !== null && decodedLength(signerKey) !== SIGNER_KEY_BYTES) {
    return FSCRYPT_FLAWS.keyLength;
  }
  const saltDigits = toStandardBase64(parts.salt);
  if (saltDigits === null || saltDigits === "") return FSCRYPT_FLAWS.salt;
  const separatorDigits = toStandardBase64(parts.separator);
  if (separatorDigits === null || separatorDigits === "") return FSCRYPT_FLAWS.separator;
  const hash = padBase64(hashDigits);
  const salt = padBase64(saltDigits);
  const padded = padBase64(separatorDigits);
  const separator = padded.includes("s=") ? separatorDigits : padded;
  const text = `$f_scrypt$${hash}$${salt}${tailOf({ ...parts, separator })}`;
  if (text.length > MAX_HASH_LENGTH) return TOO_LONG;
  const separatorUnpadded = separator !== padded && parts.separator.endsWith("=");
  const separatorStandard = separator === parts.separator || separatorUnpadded;
  const base64Changed = hash !== parts.hash || salt !== parts.salt || !separatorStandard;
  const notices = base64ByteLength(saltDigits) === SALT_BYTES ? NOTHING : SALT_LENGTH;
  return { text, base64Changed, separatorUnpadded, notices };
}

function repairs(mended: Mended): Step[] {
  const steps: Step[] = [];
  if (mended.base64Changed) steps.push("vendor_scrypt_base64_standard");
  if (mended.separatorUnpadded) steps.push("vendor_scrypt_separator_unpadded");
  return steps;
}

function tailOf(parts: VendorScryptParts): string {
  return `$m=${parts.memCost}$r=${parts.rounds}$s=${parts.separator}`;
}
