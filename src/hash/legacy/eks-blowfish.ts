/** bcrypt's own cipher (Provos and Mazières 1999), for what bcryptjs doesn't take: passwords as bytes, and the fault of `$2x$`. */

import { hash as digest } from "node:crypto";
import { fromBcryptBase64 } from "../bcrypt.js";
import { BOUNDS, derived, fromBase64, giveWay, outOfBounds, type Parsed } from "./legacy-hash.js";

const BCRYPT_X = /^\$2x\$(0[4-9]|[12]\d|30)\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})$/;
const AUTHGEAR =
  /^\$bcrypt-sha512\$\$2[aby]\$(0[4-9]|[12]\d|30)\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})$/;

/** `$2x$`, which crypt_blowfish before 1.1 made as `$2a$` (CVE-2011-2483), and Authgear's bcrypt of the bytes of a SHA-512. */
export function parseByteBcrypt(text: string): Parsed {
  const faulty = BCRYPT_X.exec(text);
  const [, cost, salt = "", hash = ""] = faulty ?? AUTHGEAR.exec(text) ?? [];
  if (cost === undefined) return null;
  const format = faulty === null ? "authgear_bcrypt_sha512" : "bcrypt_2x";
  if (Number(cost) > BOUNDS.bcryptCost) return outOfBounds(format, "iterations");
  const saltBytes = fromBase64(fromBcryptBase64(salt));
  const expected = fromBase64(fromBcryptBase64(hash));
  if (saltBytes === null || expected === null) return null;
  const setting = { cost: Number(cost), salt: saltBytes, signExtended: faulty !== null };
  return derived(format, {
    expected,
    derive: (password) =>
      bcryptBytes(
        faulty === null ? digest("sha512", password, "buffer") : Buffer.from(password),
        setting,
      ),
  });
}

const ROUNDS = 16;
const SUBKEYS = ROUNDS + 2;
const BOX = 256;
const WORDS = SUBKEYS + 4 * BOX;
/** As many bytes of a password as take part. */
const KEY_WORDS = 18;
const MAGIC = Buffer.from("OrpheanBeholderScryDoubt");
/** Of 24: bcrypt drops the last one. */
const HASH_BYTES = 23;

/** A cipher's state: subkeys, and behind them the four boxes. */
type State = Int32Array;

let initial: State | null = null;

/** The fractional part of pi, which Blowfish starts from (Schneier 1993): computed here, since a table of it can hide a typing error. */
function piWords(): State {
  if (initial !== null) return initial;
  const spare = 64n;
  const unit = 1n << (BigInt(WORDS) * 32n + spare);
  // Machin: pi = 16 arctan(1/5) - 4 arctan(1/239).
  const pi = 16n * arctan(5n, unit) - 4n * arctan(239n, unit);
  const digits = ((pi % unit) >> spare).toString(16).padStart(WORDS * 8, "0");
  initial = Int32Array.from({ length: WORDS }, (_, word) =>
    Number.parseInt(digits.slice(word * 8, word * 8 + 8), 16),
  );
  return initial;
}

/** arctan(1/x) in units of 1/`unit`. */
function arctan(x: bigint, unit: bigint): bigint {
  let power = unit / x;
  let sum = power;
  for (let n = 3n, sign = -1n; power !== 0n; n += 2n, sign = -sign) {
    power /= x * x;
    sum += (sign * power) / n;
  }
  return sum;
}

/**
 * bcrypt of bytes, 23 of them.
 *
 * @param cost log2 of the rounds
 * @param salt 16 bytes
 * @param signExtended as crypt_blowfish before 1.1 (CVE-2011-2483), `$2x$`: a byte beyond ASCII
 * overwrites those before it in its word
 */
async function bcryptBytes(
  password: Buffer,
  { cost, salt, signExtended }: { cost: number; salt: Buffer; signExtended: boolean },
): Promise<Buffer> {
  const key = keyWords(password, signExtended);
  const saltWords = Int32Array.from({ length: 4 }, (_, word) => salt.readInt32BE(word * 4));
  const nothing = new Int32Array(4);
  const state = piWords().slice();
  expand(state, key, saltWords);
  for (let round = 0; round < 2 ** cost; round++) {
    // A round costs as much as some hundred of a digest's.
    await giveWay(round * 128 + 127);
    expand(state, key, nothing);
    expand(state, saltWords, nothing);
  }
  const block = Int32Array.from({ length: 6 }, (_, word) => MAGIC.readInt32BE(word * 4));
  for (let at = 0; at < 6; at += 2) {
    for (let time = 0; time < 64; time++) encipher(state, block, at);
  }
  const bytes = Buffer.alloc(24);
  for (const [index, word] of block.entries()) bytes.writeInt32BE(word, index * 4);
  return bytes.subarray(0, HASH_BYTES);
}

/** The password and its NUL over and over, as words. */
function keyWords(password: Buffer, signExtended: boolean): Int32Array {
  const bytes = Buffer.concat([password, Buffer.alloc(1)]);
  let at = 0;
  return Int32Array.from({ length: KEY_WORDS }, () => {
    let word = 0;
    for (let byte = 0; byte < 4; byte++, at++) {
      const index = at % bytes.length;
      word = (word << 8) | (signExtended ? bytes.readInt8(index) : bytes.readUInt8(index));
    }
    return word;
  });
}

/** Mixes a key into the subkeys, and fills subkeys and boxes anew from the salt. */
function expand(state: State, key: Int32Array, salt: Int32Array): void {
  for (let index = 0; index < SUBKEYS; index++) {
    state[index] = word(state, index) ^ word(key, index % key.length);
  }
  const block = new Int32Array(2);
  for (let index = 0; index < WORDS; index += 2) {
    block[0] = word(block, 0) ^ word(salt, index & 3);
    block[1] = word(block, 1) ^ word(salt, (index & 3) + 1);
    encipher(state, block, 0);
    state.set(block, index);
  }
}

/** Blowfish on two words of a block. */
function encipher(state: State, block: Int32Array, at: number): void {
  let left = word(block, at) ^ word(state, 0);
  let right = word(block, at + 1);
  for (let round = 1; round <= ROUNDS; round += 2) {
    right ^= mixed(state, left) ^ word(state, round);
    left ^= mixed(state, right) ^ word(state, round + 1);
  }
  block[at] = right ^ word(state, ROUNDS + 1);
  block[at + 1] = left;
}

/** Blowfish's F. */
function mixed(state: State, half: number): number {
  const one = word(state, SUBKEYS + (half >>> 24));
  const two = word(state, SUBKEYS + BOX + ((half >>> 16) & 255));
  const three = word(state, SUBKEYS + 2 * BOX + ((half >>> 8) & 255));
  const four = word(state, SUBKEYS + 3 * BOX + (half & 255));
  return (((one + two) ^ three) + four) | 0;
}

/** Always there: the type can't know. */
function word(words: Int32Array, index: number): number {
  return words[index] ?? 0;
}
