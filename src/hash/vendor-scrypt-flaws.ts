/** What can be wrong with a vendor scrypt hash, as one text or as hash and salt apart. */

import { defineFlaw, EXPORT_AGAIN, ONE_CASE_ONLY } from "./flaw.js";

const COMPARE_KEY =
  "compare base64_signer_key in the file given with --hash-config with the vendor's console";

export const FSCRYPT_FLAWS = {
  format: defineFlaw(
    "fscrypt_format",
    "the vendor scrypt hash isn't in the form $f_scrypt$<hash>$<salt>$m=..$r=..$s=..",
    EXPORT_AGAIN,
  ),
  parameters: defineFlaw(
    "fscrypt_parameters",
    "the vendor scrypt hash's m (1 to 15), r (1 to 16) or p (1) is outside what a core computes",
    "compare with mem_cost and rounds in the vendor's console",
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
    "the account's salt separator is empty or isn't base64, and interface.md's form can't carry that",
    "compare base64_salt_separator with the vendor's console; if it is empty there, use --on-unusable-hash passwordless",
  ),
  separatorPadded: defineFlaw(
    "fscrypt_separator",
    "the salt separator's padded base64 contains s=, where a core would cut it in two",
  ),
  configMissing: defineFlaw(
    "hash_config_missing",
    "this hash needs the vendor account's scrypt parameters",
    "save the hash_config block of the vendor's console in a file and name it with --hash-config",
  ),
  configInvalid: defineFlaw(
    "hash_config_invalid",
    "the vendor account's mem_cost (1 to 15) or rounds (1 to 16) is outside what a core computes",
    "compare the file given with --hash-config with the vendor's console",
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
    "find out which key belongs to these users, with base64_signer_key of the vendor's console; users of another account go to a core of their own",
  ),
} as const;
