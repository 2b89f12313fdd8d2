/** What a hash that no core takes is once it is read: which format it is of, what verifying it costs, and the verification itself. */

import { timingSafeEqual } from "node:crypto";
import { toStandardBase64 } from "../base64.js";
import { tooCostly, VERIFY_MEMORY_BYTES } from "../verify.js";

/** A hash that no core takes, read and within bounds. */
export interface LegacyHash {
  /** Which format it is of; stable, snake_case. */
  readonly format: string;
  /** The memory that verifying takes at most, in bytes; 0 where it is next to none. */
  readonly memory: number;
  /**
   * Whether it was made from `password`, compared in constant time.
   *
   * @throws RunError `hash_too_costly` where this machine lacks the memory
   */
  readonly verify: (password: string) => Promise<boolean>;
}

/** A hash of a known format that isn't verified, since one of its parameters is outside what is computed here. */
export interface OutOfBounds {
  readonly format: string;
  /** Which parameter it is. */
  readonly outOfBounds: "iterations" | "memory" | "salt" | "hash";
}

/** What a parser says of a text of its format; null for a text of another. */
export type Parsed = LegacyHash | OutOfBounds | null;

/**
 * Bounds of one verification: some four seconds of one processor, and 256 MiB. What frameworks set
 * by default stays below a quarter of that.
 */
export const BOUNDS = {
  /** Of PBKDF2: iterations times blocks of output. Django 6 sets 1.2 million. */
  pbkdf2: 5_000_000,
  /** Rounds of a digest. passlib's sha512-crypt sets 656 000. */
  rounds: 1_048_576,
  /** log2 of bcrypt's rounds. */
  bcryptCost: 16,
  /** scrypt's N times r times p. */
  scrypt: 2 ** 23,
  /** argon2's KiB times passes. */
  argon2: 2 ** 22,
  /** In bytes. */
  memory: 256 * 1024 * 1024,
  /** In bytes: a shorter output would be met by guessing. */
  shortestHash: 16,
  /** In bytes. */
  longestSalt: 512,
  /** In bytes, as phpass has it: longer ones make digests of each round long. */
  longestPassword: 4096,
} as const;

/** What is compared, and how a password leads to it. */
interface Derivation {
  /** In bytes; 0 by default. */
  readonly memory?: number;
  readonly expected: Buffer;
  /** Bytes of the expected length, or else the password doesn't match. */
  readonly derive: (password: string) => Buffer | Promise<Buffer>;
}

/** A hash that is verified by deriving the same bytes from a password. */
export function derived(format: string, { memory = 0, expected, derive }: Derivation): LegacyHash {
  return verified(format, memory, async (password) => {
    const actual = await derive(password);
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  });
}

/** A hash that `verify` verifies; a password longer than any format takes never matches. */
export function verified(
  format: string,
  memory: number,
  verify: (password: string) => Promise<boolean>,
): LegacyHash {
  return {
    format,
    memory,
    async verify(password) {
      if (memory > VERIFY_MEMORY_BYTES) throw tooCostly("memory");
      return Buffer.byteLength(password) <= BOUNDS.longestPassword && verify(password);
    },
  };
}

/** A hash with a parameter that isn't computed here. */
export function outOfBounds(format: string, parameter: OutOfBounds["outOfBounds"]): OutOfBounds {
  return { format, outOfBounds: parameter };
}

/** The bytes of canonical base64 in either alphabet, padded or not; null for any other text. */
export function fromBase64(text: string): Buffer | null {
  const digits = toStandardBase64(text);
  return digits === null || digits === "" ? null : Buffer.from(digits, "base64");
}

/** The bytes of a text of hexadecimal digits; none where a digit is too many, which Node.js would drop. */
export function fromHex(text: string): Buffer {
  return Buffer.from(text.length % 2 === 0 ? text : "", "hex");
}

const ROUNDS_AT_A_TIME = 8192;

/** Gives way to other work now and then in a loop over rounds: a million of them take a second. */
export async function giveWay(round: number): Promise<void> {
  if (round % ROUNDS_AT_A_TIME !== ROUNDS_AT_A_TIME - 1) return;
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}
