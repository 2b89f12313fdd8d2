/** Checks a password against a normalized hash, for sign-in and for proofs. The only place that loads bcryptjs and argon2, and only when a hash needs them. */

import { isUtf8 } from "node:buffer";
import {
  type BinaryLike,
  createDecipheriv,
  randomBytes,
  scrypt,
  type ScryptOptions,
  timingSafeEqual,
} from "node:crypto";
import { totalmem } from "node:os";
import { promisify } from "node:util";
import { optionName } from "../errors/option-name.js";
import { RunError } from "../errors/run-error.js";
import { parseArgon2 } from "./argon2.js";
import { BCRYPT_SALT } from "./bcrypt.js";
import { checkHash, hashAlgorithmOf } from "./grammar.js";
import { parseVendorScrypt, type VendorScryptParts } from "./vendor-scrypt.js";

/**
 * How a vendor scrypt password becomes bytes: `utf8` as the vendor does it, or `ascii` as
 * SuperTokens does it: every character beyond ASCII becomes one `?`.
 */
export type ScryptPasswordEncoding = "utf8" | "ascii";

/** What verifying needs beside hash and password. */
export interface VerifyOptions {
  /** The vendor's `base64_signer_key`, either alphabet; needed for vendor scrypt only. */
  readonly signerKey?: string | null;
  /** For vendor scrypt only; `utf8` by default. */
  readonly scryptPasswordEncoding?: ScryptPasswordEncoding;
  /** argon2's secret key (a pepper); none by default, as in a core. */
  readonly argon2Secret?: string | null;
}

/** Node's own, as a promise. */
export const scryptKey = promisify<BinaryLike, BinaryLike, number, ScryptOptions, Buffer>(scrypt);

const DERIVED_BYTES = 64;
const CIPHER_KEY_BYTES = 32;
const ZERO_IV = Buffer.alloc(16);

/**
 * Every character beyond ASCII; the flag makes a surrogate pair one character, as in Java's
 * encoder.
 */
const BEYOND_ASCII = /[^\0-\x7f]/gu;

/** More work than this takes minutes, too long for a sign-in. */
const MAX_BCRYPT_COST = 20;
const MAX_ARGON2_KIB_PASSES = 2 ** 27;

/** In a container, whose memory Node.js 20 gives as the whole machine's; 0 where no limit is known, or more than the machine has. */
const LIMIT_BYTES = process.constrainedMemory() ?? 0;

/** The most memory, in bytes, that verifying may take: half of it, the rest is the system's and this process's own. */
export const VERIFY_MEMORY_BYTES = Math.min(LIMIT_BYTES || totalmem(), totalmem()) / 2;

/**
 * Whether `hash` was made from `password`, as UTF-8 unless it is given as bytes. The final
 * comparison takes constant time. bcrypt looks at the first 72 bytes only, as everywhere. A
 * password with a NUL never matches a bcrypt hash: implementations differ on whether it ends there.
 * Neither do bytes that aren't UTF-8, since bcrypt's verifier takes text.
 * @param hash a hash that `checkHash` accepts
 * @throws RunError `signer_key_missing` for vendor scrypt without a signer key, `hash_too_costly`
 * where this machine can't compute the hash in bearable time and memory, `internal` for a hash that
 * `checkHash` refuses
 */
export async function verifyPassword(
  hash: string,
  password: string | Buffer,
  options: VerifyOptions = {},
): Promise<boolean> {
  const check = checkHash(hash);
  if (!check.ok) throw notNormalized();
  const excess = excessOf(hash);
  if (excess !== null) throw tooCostly(excess);
  switch (check.algorithm) {
    case "bcrypt":
      return verifyBcrypt(hash, password);
    case "argon2":
      return verifyArgon2(hash, password, options.argon2Secret ?? "");
    case "vendor_scrypt":
      return verifyVendorScrypt(hash, password, options);
  }
}

/**
 * What this machine has too little of to verify a hash during a sign-in, or null where it has
 * enough. Vendor scrypt is bounded by its grammar.
 * @param hash a hash that `checkHash` accepts
 */
export function excessOf(hash: string): "time" | "memory" | null {
  if (hashAlgorithmOf(hash) === "bcrypt") {
    return Number(hash.slice(4, 6)) > MAX_BCRYPT_COST ? "time" : null;
  }
  const argon2 = parseArgon2(hash);
  if (argon2 === null) return null;
  const { memory, iterations } = argon2;
  if (memory * 1024 > VERIFY_MEMORY_BYTES) return "memory";
  return memory * iterations > MAX_ARGON2_KIB_PASSES ? "time" : null;
}

/** Beyond this, one sign-in takes the core seconds: bcrypt 16 is some four of them. */
const BEARABLE_BCRYPT_COST = 15;

/** In KiB: 1 GiB for one sign-in. */
const BEARABLE_ARGON2_MEMORY = 1_048_576;

/**
 * Whether checking passwords against a hash would hurt the core: bcrypt above 15, argon2 above 1 GiB.
 * @param hash a hash that `checkHash` accepts
 */
export function isCostly(hash: string): boolean {
  if (hashAlgorithmOf(hash) === "bcrypt") return Number(hash.slice(4, 6)) > BEARABLE_BCRYPT_COST;
  return (parseArgon2(hash)?.memory ?? 0) > BEARABLE_ARGON2_MEMORY;
}

/**
 * The memory that verifying a hash takes, in bytes; 0 for bcrypt, which takes next to none.
 * @param hash a hash that `checkHash` accepts
 */
export function memoryOf(hash: string): number {
  const argon2 = parseArgon2(hash);
  if (argon2 !== null) return argon2.memory * 1024;
  const scrypt = parseVendorScrypt(hash);
  return scrypt === null ? 0 : scryptMemory(scrypt);
}

function scryptMemory({ memCost, rounds }: VendorScryptParts): number {
  return 128 * rounds * (2 ** memCost + 3);
}

async function verifyBcrypt(hash: string, password: string | Buffer): Promise<boolean> {
  if (password.includes("\0")) return false;
  if (typeof password !== "string" && !isUtf8(password)) return false;
  // Pure JavaScript: it gives way to other work every 100 ms.
  const { compare } = await import("bcryptjs");
  return compare(password.toString(), hash);
}

/** The bcrypt hash, `$2a$`, of `password` under the salt and cost of `hash`, a normalized one. */
export async function bcryptUnder(hash: string, password: string): Promise<string> {
  const bcrypt = await import("bcryptjs");
  return bcrypt.hash(password, hash.slice(0, BCRYPT_SALT.end));
}

/** What an argon2id hash costs: KiB, passes, lanes. */
interface Argon2Cost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** OWASP's Password Storage Cheat Sheet, "Argon2id". */
const FRESH: Argon2Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * A hash of `password` in the core's form. argon2id takes a password of any length and with any
 * character, which bcrypt doesn't.
 *
 * @param salt 16 bytes; random ones by default
 * @param cost by default that of a password that people choose
 */
export async function hashPassword(
  password: string,
  { salt = randomBytes(16), cost = FRESH }: { salt?: Buffer; cost?: Argon2Cost } = {},
): Promise<string> {
  const argon2 = await import("argon2");
  const options = { raw: true, type: argon2.argon2id, salt, hashLength: 32, ...cost } as const;
  const hash = await argon2.hash(password, options);
  // Written here: newer versions of the package order the parameters otherwise than a core reads them.
  const digits = [salt, hash].map((bytes) => bytes.toString("base64").replaceAll("=", ""));
  const { memoryCost, timeCost, parallelism } = cost;
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${digits.join("$")}`;
}

async function verifyArgon2(
  hash: string,
  password: string | Buffer,
  secret: string,
): Promise<boolean> {
  const parts = parseArgon2(hash);
  if (parts === null) throw notNormalized();
  const argon2 = await import("argon2");
  const expected = Buffer.from(parts.hash, "base64");
  const work = argon2.hash(password, {
    // Computed from the parts that were read here: the package's parser takes texts that a core's
    // refuses.
    raw: true,
    type: argon2[parts.variant],
    version: parts.version,
    memoryCost: parts.memory,
    timeCost: parts.iterations,
    parallelism: parts.parallelism,
    salt: Buffer.from(parts.salt, "base64"),
    hashLength: expected.length,
    secret: Buffer.from(secret),
  });
  const actual = await work.catch((cause: unknown) => {
    throw tooCostly("memory", cause);
  });
  return timingSafeEqual(actual, expected);
}

async function verifyVendorScrypt(
  hash: string,
  password: string | Buffer,
  { signerKey = null, scryptPasswordEncoding = "utf8" }: VerifyOptions,
): Promise<boolean> {
  const parts = parseVendorScrypt(hash);
  if (parts === null) throw notNormalized();
  if (signerKey === null || signerKey === "") {
    const message = "A vendor scrypt hash can't be verified without the vendor's signer key.";
    throw new RunError("signer_key_missing", message, {
      hint: `Give the vendor's hash parameters with ${optionName("--hash-config")}, or set vendor_password_hashing_signer_key in the core's configuration.`,
    });
  }
  const actual = await recoverSignerKey(parts, encodePassword(password, scryptPasswordEncoding));
  const expected = Buffer.from(signerKey, "base64");
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/**
 * The signer key with which a vendor scrypt hash was made, provided that `password` and the
 * parameters are the right ones; 64 meaningless bytes otherwise. The hash is that key, encrypted
 * by a key derived from the password (github.com/firebase/scrypt), so the right password brings it
 * back. A secret: never shown, only compared.
 */
export async function recoverSignerKey(
  parts: VendorScryptParts,
  password: string | Buffer,
): Promise<Buffer> {
  const derived = await derive(parts, password);
  const key = derived.subarray(0, CIPHER_KEY_BYTES);
  return createDecipheriv("aes-256-ctr", key, ZERO_IV).update(Buffer.from(parts.hash, "base64"));
}

function derive(parts: VendorScryptParts, password: string | Buffer): Promise<Buffer> {
  const salt = Buffer.concat([
    Buffer.from(parts.salt, "base64"),
    Buffer.from(parts.separator, "base64"),
  ]);
  // Node's default ceiling of 32 MiB leaves no room beside the largest parameters.
  const maxmem = scryptMemory(parts) + 65_536;
  const parameters = { N: 2 ** parts.memCost, r: parts.rounds, p: 1, maxmem };
  return scryptKey(password, salt, DERIVED_BYTES, parameters);
}

function encodePassword(
  password: string | Buffer,
  encoding: ScryptPasswordEncoding,
): string | Buffer {
  if (typeof password !== "string" || encoding === "utf8") return password;
  return password.replace(BEYOND_ASCII, "?");
}

/** A hash that isn't verified here, for want of time or memory. */
export function tooCostly(what: "time" | "memory", cause?: unknown): RunError {
  return new RunError(
    "hash_too_costly",
    `A hash can't be verified here: computing it takes more ${what} than this machine can give.`,
    {
      hint: `Its cost is far beyond what any sign-in can bear; move such users with ${optionName("--on-unusable-hash")} passwordless, or send them a password reset.`,
      cause,
    },
  );
}

function notNormalized(): RunError {
  return new RunError("internal", "The hash to be verified isn't in the core's grammar.", {
    hint: "Pass only hashes that checkHash accepts; this is a bug in the caller.",
  });
}
