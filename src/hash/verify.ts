/** Checks a password against a normalized hash, for sign-in and for proofs. The only place that loads bcryptjs and argon2, and only when a hash needs them. */

import { createCipheriv, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { RunError } from "../errors/run-error.js";
import { parseArgon2 } from "./argon2.js";
import { checkHash } from "./grammar.js";
import { parseVendorScrypt } from "./vendor-scrypt.js";

export interface VerifyOptions {
  /** The vendor's `base64_signer_key`, either alphabet; needed for vendor scrypt only. */
  readonly signerKey?: string | null;
}

const DERIVED_BYTES = 64;
const CIPHER_KEY_BYTES = 32;
const ZERO_IV = Buffer.alloc(16);

/**
 * Whether `hash` was made from `password` (as UTF-8). The final comparison takes constant time.
 * bcrypt looks at the first 72 bytes only, as everywhere; a password with a NUL never matches a
 * bcrypt hash, because implementations differ on whether it ends there.
 * @param hash a hash that `checkHash` accepts
 * @throws RunError `signer_key_missing` for vendor scrypt without a signer key, `internal` for a
 * hash that `checkHash` refuses
 */
export async function verifyPassword(
  hash: string,
  password: string,
  options: VerifyOptions = {},
): Promise<boolean> {
  const check = checkHash(hash);
  if (!check.ok) throw notNormalized();
  switch (check.algorithm) {
    case "bcrypt":
      return verifyBcrypt(hash, password);
    case "argon2":
      return verifyArgon2(hash, password);
    case "vendor_scrypt":
      return verifyVendorScrypt(hash, password, options.signerKey ?? null);
  }
}

async function verifyBcrypt(hash: string, password: string): Promise<boolean> {
  if (password.includes("\0")) return false;
  // Pure JavaScript: it gives way to other work every 100 ms.
  const { compare } = await import("bcryptjs");
  return compare(password, hash);
}

async function verifyArgon2(hash: string, password: string): Promise<boolean> {
  const parts = parseArgon2(hash);
  if (parts === null) throw notNormalized();
  const argon2 = await import("argon2");
  const expected = Buffer.from(parts.hash, "base64");
  // Computed from our own parts: the package's parser takes texts that a core's refuses.
  const actual = await argon2.hash(password, {
    raw: true,
    type: argon2[parts.variant],
    version: parts.version,
    memoryCost: parts.memory,
    timeCost: parts.iterations,
    parallelism: parts.parallelism,
    salt: Buffer.from(parts.salt, "base64"),
    hashLength: expected.length,
  });
  return timingSafeEqual(actual, expected);
}

/** github.com/firebase/scrypt: the derived key encrypts the signer key, and that is the hash. */
async function verifyVendorScrypt(
  hash: string,
  password: string,
  signerKey: string | null,
): Promise<boolean> {
  const parts = parseVendorScrypt(hash);
  if (parts === null) throw notNormalized();
  if (signerKey === null || signerKey === "") throw signerKeyMissing();
  const salt = Buffer.concat([
    Buffer.from(parts.salt, "base64"),
    Buffer.from(parts.separator, "base64"),
  ]);
  const cost = 2 ** parts.memCost;
  // Node's default ceiling of 32 MiB leaves no room beside the largest parameters.
  const maxmem = 128 * parts.rounds * (cost + 3) + 65_536;
  const derived = await derive(password, salt, { N: cost, r: parts.rounds, p: 1, maxmem });
  const cipher = createCipheriv("aes-256-ctr", derived.subarray(0, CIPHER_KEY_BYTES), ZERO_IV);
  const actual = cipher.update(Buffer.from(signerKey, "base64"));
  const expected = Buffer.from(parts.hash, "base64");
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, DERIVED_BYTES, options, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}

function signerKeyMissing(): RunError {
  return new RunError(
    "signer_key_missing",
    "A vendor scrypt hash can't be verified without the vendor's signer key.",
    {
      hint: "Give the vendor's hash parameters with --hash-config, or set vendor_password_hashing_signer_key in the core's configuration.",
    },
  );
}

function notNormalized(): RunError {
  return new RunError("internal", "A hash was to be verified that isn't in the core's grammar.", {
    hint: "Pass only hashes that checkHash accepts; this is a bug in the caller.",
  });
}
