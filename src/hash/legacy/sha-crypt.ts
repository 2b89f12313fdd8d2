/** sha-crypt: `$5$` and `$6$` of crypt(3) (akkadia.org/drepper/SHA-crypt.txt), and BSD's `$sha1$`. */

import { createHmac, hash } from "node:crypto";
import { toItoa64 } from "./itoa64.js";
import { BOUNDS, derived, giveWay, outOfBounds, type Parsed } from "./legacy-hash.js";
import { repeated } from "./md5-crypt.js";

const TEXT =
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
  const [, mark, given, salt = "", encoded = ""] = TEXT.exec(text) ?? [];
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
