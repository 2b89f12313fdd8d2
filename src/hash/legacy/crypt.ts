/** What crypt(3) makes: md5-crypt, `$1$`, and Apache's `$apr1$` (apr_md5.c), which differ in the mark that they mix in; sha-crypt, `$5$` and `$6$` (akkadia.org/drepper/SHA-crypt.txt); BSD's `$sha1$`. */

import { createHmac, hash } from "node:crypto";
import { BOUNDS, derived, giveWay, outOfBounds, type Parsed } from "./legacy-hash.js";

/** The base64 of crypt(3) and phpass: another alphabet, and the low bits first. */
const ALPHABET = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `bytes`, three to four characters. */
export function toItoa64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const [one = 0, two = 0, three = 0] = bytes.subarray(at, at + 3);
    let value = one | (two << 8) | (three << 16);
    const characters = Math.min(bytes.length - at, 3) + 1;
    for (let written = 0; written < characters; written++) {
      text += ALPHABET.charAt(value & 63);
      value >>= 6;
    }
  }
  return text;
}

/** The number that one character stands for. */
export function itoa64Value(character: string): number {
  return ALPHABET.indexOf(character);
}

const MD5_TEXT = /^\$(1|apr1)\$([^$:\n]{0,8})\$([./0-9A-Za-z]{22})$/;
const MD5_ROUNDS = 1000;
/** In which order the digest's bytes are written. */
const MD5_ORDER = [12, 6, 0, 13, 7, 1, 14, 8, 2, 15, 9, 3, 5, 10, 4, 11];

/** A text of md5-crypt. */
export function parseMd5Crypt(text: string): Parsed {
  const [, mark, salt = "", encoded = ""] = MD5_TEXT.exec(text) ?? [];
  if (mark === undefined) return null;
  const magic = Buffer.from(`$${mark}$`);
  const saltBytes = Buffer.from(salt);
  if (saltBytes.length > 8) return null;
  return derived(mark === "1" ? "md5_crypt" : "apr1_md5_crypt", {
    expected: Buffer.from(encoded),
    derive: (password) => Buffer.from(md5Crypt(Buffer.from(password), saltBytes, magic)),
  });
}

function md5(...parts: readonly Uint8Array[]): Buffer {
  return hash("md5", Buffer.concat(parts), "buffer");
}

function md5Crypt(password: Buffer, salt: Buffer, magic: Buffer): string {
  const inner = md5(password, salt, password);
  const parts: Uint8Array[] = [password, magic, salt, repeated(inner, password.length)];
  // A bit of the length that is set gives a NUL, one that isn't the password's first byte.
  for (let length = password.length; length > 0; length >>= 1) {
    parts.push((length & 1) === 1 ? Buffer.alloc(1) : password.subarray(0, 1));
  }
  let digest = md5(...parts);
  for (let round = 0; round < MD5_ROUNDS; round++) {
    const isOdd = round % 2 === 1;
    const between = [...(round % 3 === 0 ? [] : [salt]), ...(round % 7 === 0 ? [] : [password])];
    digest = md5(isOdd ? password : digest, ...between, isOdd ? digest : password);
  }
  return toItoa64(Buffer.from(MD5_ORDER.map((index) => digest[index] ?? 0)));
}

/** `bytes` over and over, `length` of them. */
function repeated(bytes: Buffer, length: number): Buffer {
  return Buffer.alloc(length, length === 0 ? undefined : bytes);
}

const SHA_TEXT =
  /^\$([56])\$(?:rounds=([1-9]\d{0,8})\$)?([^$:\n]{0,16})\$([./0-9A-Za-z]{43}|[./0-9A-Za-z]{86})$/;
const DEFAULT_ROUNDS = 5000;
/** crypt raises fewer rounds to this many, and writes what it did. */
const FEWEST_ROUNDS = 1000;

/** One of the two algorithms. */
interface ShaCrypt {
  readonly format: string;
  readonly digest: string;
  readonly length: number;
  /** In which order the digest's bytes are written. */
  readonly order: readonly number[];
}

const SHA256: ShaCrypt = {
  format: "sha256_crypt",
  digest: "sha256",
  length: 43,
  order: [...triples(10, ([a, b, c]) => [c + 1, a + 1, b + 1]), 30, 31],
};
const SHA512: ShaCrypt = {
  format: "sha512_crypt",
  digest: "sha512",
  length: 86,
  order: [...triples(21, ([a, b, c]) => [b + 1, c + 1, a + 1]), 63],
};

type Triple = readonly [number, number, number];

/** Three bytes a group, from the digest's three thirds, each group from the one before; the last of them first. */
function triples(third: number, next: (triple: Triple) => Triple): number[] {
  const order: number[] = [];
  let triple: Triple = [0, third, 2 * third];
  for (let group = 0; group < third; group++) {
    order.push(triple[2], triple[1], triple[0]);
    triple = next(triple);
  }
  return order;
}

/** A text of sha256-crypt or sha512-crypt. */
export function parseShaCrypt(text: string): Parsed {
  const [, mark, given, salt = "", encoded = ""] = SHA_TEXT.exec(text) ?? [];
  const kind = mark === "5" ? SHA256 : SHA512;
  if (encoded.length !== kind.length) return null;
  const rounds = given === undefined ? DEFAULT_ROUNDS : Number(given);
  const isBearable = rounds >= FEWEST_ROUNDS && rounds <= BOUNDS.rounds;
  if (!isBearable) return outOfBounds(kind.format, "iterations");
  const saltBytes = Buffer.from(salt);
  if (saltBytes.length > 16) return null;
  return derived(kind.format, {
    expected: Buffer.from(encoded),
    derive: async (password) =>
      Buffer.from(await shaCrypt(Buffer.from(password), saltBytes, { ...kind, rounds })),
  });
}

/** Steps 1 to 21 of the specification. */
async function shaCrypt(
  password: Buffer,
  salt: Buffer,
  { digest, order, rounds }: ShaCrypt & { readonly rounds: number },
): Promise<string> {
  const sha = (...parts: readonly Uint8Array[]): Buffer =>
    hash(digest, Buffer.concat(parts), "buffer");
  const inner = sha(password, salt, password);
  const parts: Uint8Array[] = [password, salt, repeated(inner, password.length)];
  for (let length = password.length; length > 0; length >>= 1) {
    parts.push((length & 1) === 1 ? inner : password);
  }
  let result = sha(...parts);
  const passwords = sha(...Array<Buffer>(password.length).fill(password));
  const p = repeated(passwords, password.length);
  const salts = sha(...Array<Buffer>(16 + (result[0] ?? 0)).fill(salt));
  const s = repeated(salts, salt.length);
  for (let round = 0; round < rounds; round++) {
    await giveWay(round);
    const isOdd = round % 2 === 1;
    const between = [...(round % 3 === 0 ? [] : [s]), ...(round % 7 === 0 ? [] : [p])];
    result = sha(isOdd ? p : result, ...between, isOdd ? result : p);
  }
  return toItoa64(Buffer.from(order.map((index) => result[index] ?? 0)));
}

const SHA1_TEXT = /^\$sha1\$([1-9]\d{0,8})\$([./0-9A-Za-z]{1,64})\$([./0-9A-Za-z]{28})$/;

/** NetBSD's sha1-crypt (crypt-sha1.c): HMAC-SHA-1 under the password, over and over. */
export function parseSha1Crypt(text: string): Parsed {
  const [, given = "", salt = "", encoded = ""] = SHA1_TEXT.exec(text) ?? [];
  if (encoded === "") return null;
  const rounds = Number(given);
  if (rounds > BOUNDS.rounds) return outOfBounds("sha1_crypt", "iterations");
  return derived("sha1_crypt", {
    expected: Buffer.from(encoded),
    async derive(password) {
      const key = Buffer.from(password);
      let digest = Buffer.from(`${salt}$sha1$${given}`);
      for (let round = 0; round < rounds; round++) {
        await giveWay(round);
        digest = createHmac("sha1", key).update(digest).digest();
      }
      return Buffer.from(sha1Text(digest));
    },
  });
}

/** Groups of three from the start, the last one filled up with the first byte. */
function sha1Text(digest: Buffer): string {
  const bytes = [...digest, digest[0] ?? 0];
  const reversed = Array.from({ length: 7 }, (_, group) =>
    bytes.slice(group * 3, group * 3 + 3).reverse(),
  );
  return toItoa64(Buffer.from(reversed.flat()));
}
