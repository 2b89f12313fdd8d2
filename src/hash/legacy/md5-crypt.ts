/** md5-crypt: `$1$` of crypt(3), and Apache's `$apr1$` (apr_md5.c), which differ in the mark that they mix in. */

import { hash } from "node:crypto";
import { toItoa64 } from "./itoa64.js";
import { derived, type Parsed } from "./legacy-hash.js";

const TEXT = /^\$(1|apr1)\$([^$:\n]{0,8})\$([./0-9A-Za-z]{22})$/;
const ROUNDS = 1000;
/** In which order the digest's bytes are written. */
const ORDER = [12, 6, 0, 13, 7, 1, 14, 8, 2, 15, 9, 3, 5, 10, 4, 11];

/** A text of md5-crypt. */
export function parseMd5Crypt(text: string): Parsed {
  const [, mark, salt = "", encoded = ""] = TEXT.exec(text) ?? [];
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
  for (let round = 0; round < ROUNDS; round++) {
    const isOdd = round % 2 === 1;
    const between = [...(round % 3 === 0 ? [] : [salt]), ...(round % 7 === 0 ? [] : [password])];
    digest = md5(isOdd ? password : digest, ...between, isOdd ? digest : password);
  }
  return toItoa64(Buffer.from(ORDER.map((index) => digest[index] ?? 0)));
}

/** `bytes` over and over, `length` of them. */
export function repeated(bytes: Buffer, length: number): Buffer {
  return Buffer.alloc(length, length === 0 ? undefined : bytes);
}
