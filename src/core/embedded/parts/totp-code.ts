/** The digits of a second factor (RFC 6238, SHA-1, six digits), and its secret in Base32 (RFC 4648 section 6). */

import { createHmac, timingSafeEqual } from "node:crypto";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const DIGITS = 6;
const BITS_A_LETTER = 5;

export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups
    .map((group) => ALPHABET[Number.parseInt(group.padEnd(BITS_A_LETTER, "0"), 2)])
    .join("");
}

/** The letters of a Base32 text as the alphabet has them, without blanks, hyphens and padding; null for another text, and for one too short for a byte. */
export function base32Letters(text: string): string | null {
  const letters = text.replace(/[\s-]/g, "").replace(/=+$/, "").toUpperCase();
  return /^[A-Z2-7]{2,}$/.test(letters) ? letters : null;
}

/** Null as of {@link base32Letters}. */
export function fromBase32(text: string): Buffer | null {
  const letters = base32Letters(text);
  if (letters === null) return null;
  const bits = [...letters]
    .map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(BITS_A_LETTER, "0"))
    .join("");
  const whole = bits.match(/.{8}/g) ?? [];
  return Buffer.from(whole.map((byte) => Number.parseInt(byte, 2)));
}

/** A device's secret in Base32 and how its time is divided. */
interface TotpClock {
  readonly secret: string;
  /** Seconds a code is shown for. */
  readonly period: number;
  /** How many periods before and after this one count as well. */
  readonly skew: number;
}

/** The number of the period whose code this is; null where it is of none that counts now. */
export function stepOf(
  { secret, period, skew }: TotpClock,
  code: string,
  nowMs: number,
): number | null {
  const key = fromBase32(secret);
  if (key === null || code.length !== DIGITS) return null;
  // Other letters than ASCII would have more bytes than there are digits.
  const given = Buffer.from(code.replace(/[^ -~]/g, "?"));
  const current = Math.floor(nowMs / 1000 / period);
  let found: number | null = null;
  for (let step = Math.max(0, current - skew); step <= current + skew; step += 1) {
    if (timingSafeEqual(Buffer.from(codeAt(key, step)), given)) found = step;
  }
  return found;
}

/** The six digits of one period. */
export function codeAt(key: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", key).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}
