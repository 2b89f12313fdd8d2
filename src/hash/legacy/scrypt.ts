/** Standard scrypt (RFC 7914) as frameworks and libraries write it down. */

import { createHash, createHmac } from "node:crypto";
import { scryptKey } from "../verify.js";
import {
  BOUNDS,
  derived,
  fromBase64,
  fromHex,
  outOfBounds,
  type Parsed,
  verified,
} from "./legacy-hash.js";

/** The parameters of a hash, as read; null where a field isn't what the format writes. */
interface Scrypt {
  /** N, a power of two. */
  readonly cost: number;
  /** r. */
  readonly blockSize: number;
  /** p. */
  readonly parallelization: number;
  readonly salt: Buffer | null;
  readonly hash: Buffer | null;
  /** Outputs that the format's software writes, in bytes; another was cut off, and would match all the same. */
  readonly lengths?: readonly number[];
  /** What is hashed in the password's place; by default the password. */
  readonly prepare?: (password: string) => string;
  /** Of the derived key; by default as long as the hash. */
  readonly keyBytes?: number;
  /** Makes the hash of the derived key; by default it is that key. */
  readonly finish?: (key: Buffer) => Buffer;
}

const USUAL_BYTES = [32, 64];

/** A hash by its parameters, for formats that keep them apart. */
export function scryptHash(format: string, parameters: Scrypt): Parsed {
  const { cost, blockSize, parallelization, salt, hash } = parameters;
  const { lengths = USUAL_BYTES, prepare, finish } = parameters;
  if (salt === null || hash === null || !Number.isInteger(Math.log2(cost))) return null;
  if (cost < 2 || blockSize < 1 || parallelization < 1) return null;
  if (!lengths.includes(hash.length)) return outOfBounds(format, "hash");
  if (salt.length > BOUNDS.longestSalt) return outOfBounds(format, "salt");
  const memory = 128 * blockSize * (cost + parallelization + 2);
  if (memory > BOUNDS.memory) return outOfBounds(format, "memory");
  const work = cost * blockSize * parallelization;
  if (work > BOUNDS.scrypt) return outOfBounds(format, "iterations");
  const options = { N: cost, r: blockSize, p: parallelization, maxmem: memory + 65_536 };
  const { keyBytes = hash.length } = parameters;
  const derive = async (password: string): Promise<Buffer> => {
    const key = await scryptKey(prepare?.(password) ?? password, salt, keyBytes, options);
    return finish?.(key) ?? key;
  };
  return derived(format, { memory, expected: hash, derive });
}

const DJANGO =
  /^scrypt\$([1-9]\d{0,8})\$([^$]{1,256})\$([1-9]\d{0,3})\$([1-9]\d{0,3})\$([A-Za-z0-9+/]+=*)$/;

/** Django's ScryptPasswordHasher (django/contrib/auth/hashers.py): N, salt, r, p; the salt is text. */
export function parseDjangoScrypt(text: string): Parsed {
  const [, cost, salt = "", blockSize, parallelization, hash = ""] = DJANGO.exec(text) ?? [];
  if (cost === undefined) return null;
  return scryptHash("django_scrypt", {
    cost: Number(cost),
    blockSize: Number(blockSize),
    parallelization: Number(parallelization),
    salt: Buffer.from(salt),
    hash: fromBase64(hash),
    lengths: [64],
  });
}

const PASSLIB =
  /^\$scrypt\$ln=([1-9]\d{0,7}),r=([1-9]\d{0,3}),p=([1-9]\d{0,3})\$([A-Za-z0-9+/]*=*)\$([A-Za-z0-9+/]+=*)$/;

/** passlib's scrypt (passlib/handlers/scrypt.py), as Rust's and Stytch's write it, too. */
export function parsePasslibScrypt(text: string): Parsed {
  const [, log, blockSize, parallelization, salt = "", hash = ""] = PASSLIB.exec(text) ?? [];
  if (log === undefined) return null;
  // Ory Kratos writes N itself under the same name; no logarithm has three digits.
  const isLog = log.length <= 2;
  return scryptHash(isLog ? "passlib_scrypt" : "kratos_scrypt", {
    cost: isLog ? 2 ** Number(log) : Number(log),
    blockSize: Number(blockSize),
    parallelization: Number(parallelization),
    salt: salt === "" ? Buffer.alloc(0) : fromBase64(salt),
    hash: fromBase64(hash),
  });
}

const WERKZEUG =
  /^scrypt:([1-9]\d{0,8}):([1-9]\d{0,3}):([1-9]\d{0,3})\$([^$]{1,256})\$([0-9a-f]{128})$/;

/** Werkzeug's `scrypt:…` (werkzeug/security.py); the salt is text. */
export function parseWerkzeugScrypt(text: string): Parsed {
  const [, cost, blockSize, parallelization, salt = "", hash = ""] = WERKZEUG.exec(text) ?? [];
  if (cost === undefined) return null;
  return scryptHash("werkzeug_scrypt", {
    cost: Number(cost),
    blockSize: Number(blockSize),
    parallelization: Number(parallelization),
    salt: Buffer.from(salt),
    hash: fromHex(hash),
  });
}

const PACKED =
  /^(?:\{scrypt[^}]{0,40}\}|\$s0)?\$([0-9a-f]{5,6})\$([A-Za-z0-9+/]+=*)\$([A-Za-z0-9+/]+=*)$/;

/** Spring Security's SCryptPasswordEncoder and wg/scrypt's `$s0$` (SCryptUtil.java): log2 of N, r and p in one hexadecimal number. */
export function parsePackedScrypt(text: string): Parsed {
  const [, packed = "", salt = "", hash = ""] = PACKED.exec(text) ?? [];
  if (packed === "" || packed.startsWith("0")) return null;
  const parameters = Number.parseInt(packed, 16);
  return scryptHash("spring_scrypt", {
    cost: 2 ** (parameters >> 16),
    blockSize: (parameters >> 8) & 0xff,
    parallelization: parameters & 0xff,
    salt: fromBase64(salt),
    hash: fromBase64(hash),
  });
}

const FILE = /^c2NyeXB0[A-Za-z0-9+/]{120}$/;
const HEADER_BYTES = 64;

/** The header of an encrypted file of Tarsnap's scrypt (FORMAT), as scrypt-kdf and Medusa store it: log2 of N, r and p, a salt, a checksum, and a digest of all that under the derived key's second half. */
export function parseScryptKdf(text: string): Parsed {
  if (!FILE.test(text)) return null;
  const bytes = Buffer.from(text, "base64");
  const header = bytes.subarray(0, HEADER_BYTES);
  const sum = createHash("sha256").update(header.subarray(0, 48)).digest();
  if (bytes[6] !== 0 || !sum.subarray(0, 16).equals(header.subarray(48))) return null;
  return scryptHash("scrypt_kdf", {
    cost: 2 ** header.readUInt8(7),
    blockSize: header.readUInt32BE(8),
    parallelization: header.readUInt32BE(12),
    salt: header.subarray(16, 48),
    hash: bytes.subarray(HEADER_BYTES),
    keyBytes: 64,
    finish: (key) => createHmac("sha256", key.subarray(32)).update(header).digest(),
  });
}

const PAIR = /^(s2:)?([0-9A-Za-z]{16}|[0-9a-f]{32}):([0-9a-f]{128})$/;

/**
 * better-auth's (crypto/password.ts), Lucia's (3: crypto.ts, 1 and 2: LegacyScrypt) and Oslo's
 * (password/scrypt.ts) `salt:hash`, also of applications on Auth.js that use Node.js' scrypt so:
 * the salt as it is written, N 16384. r is 16, but for Lucia 1 and Node.js' own default: both are
 * tried where no `s2` says which.
 */
export function parsePairScrypt(text: string): Parsed {
  const [, mark, salt = "", hash = ""] = PAIR.exec(text) ?? [];
  if (hash === "") return null;
  const format = mark === undefined ? "better_auth_scrypt" : "lucia_2_scrypt";
  const common = {
    cost: 16_384,
    parallelization: 1,
    salt: Buffer.from(salt),
    hash: fromHex(hash),
    prepare: (password: string) => password.normalize("NFKC"),
  };
  const wide = scryptHash(format, { ...common, blockSize: 16 });
  if (mark !== undefined || wide === null || "outOfBounds" in wide) return wide;
  const narrow = scryptHash(format, { ...common, blockSize: 8 });
  if (narrow === null || "outOfBounds" in narrow) return wide;
  return verified(format, wide.memory, async (password) => {
    const isWide = await wide.verify(password);
    return isWide || narrow.verify(password);
  });
}

const DOTTED = /^([0-9a-f]{128})\.([0-9a-f]{16,64})$/;

/** `hash.salt` with Node.js' own defaults: passport's and Auth.js' examples with `scrypt` and `timingSafeEqual`. The salt is taken as it is written. */
export function parseNodeScrypt(text: string): Parsed {
  const [, hash = "", salt = ""] = DOTTED.exec(text) ?? [];
  if (hash === "") return null;
  return scryptHash("node_scrypt", {
    cost: 16_384,
    blockSize: 8,
    parallelization: 1,
    salt: Buffer.from(salt),
    hash: fromHex(hash),
  });
}
