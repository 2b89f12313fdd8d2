/** Hashes of no password at all, as many as a test wants: well-formed, each its own. */

import { createHash } from "node:crypto";

const BCRYPT_ALPHABET = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** @returns so many bytes that look random and depend on the seed alone */
export function bytesOf(seed: string, length: number): Buffer {
  const parts: Buffer[] = [];
  for (let block = 0; block * 32 < length; block += 1) {
    parts.push(createHash("sha256").update(`${seed} ${block}`).digest());
  }
  return Buffer.concat(parts).subarray(0, length);
}

export function argon2Of(seed: string | number, parameters = "m=65536,t=3,p=4"): string {
  const salt = base64(`${seed} salt`, 16);
  return `$argon2id$v=19$${parameters}$${salt}$${base64(`${seed} hash`, 32)}`;
}

export function bcryptOf(seed: string | number, cost = "10"): string {
  const body = [...bytesOf(`${seed}`, 53)].map((byte) => BCRYPT_ALPHABET[byte % 64] ?? ".");
  // Spare bits are zero at the end of the salt and of the hash.
  body[21] = "O";
  body[52] = "K";
  return `$2a$${cost}$${body.join("")}`;
}

/** A vendor scrypt hash and its salt apart, as exported. */
export function scryptOf(seed: string | number): { readonly hash: string; readonly salt: string } {
  return {
    hash: bytesOf(`${seed} hash`, 64).toString("base64"),
    salt: bytesOf(`${seed} salt`, 10).toString("base64"),
  };
}

function base64(seed: string, length: number): string {
  return bytesOf(seed, length).toString("base64").replaceAll("=", "");
}
