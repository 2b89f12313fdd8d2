/** Test users for proofs: hashes of known passwords, made cheap, in exports of their own. */

import { createCipheriv, createHash, scryptSync } from "node:crypto";
import { hashSync } from "bcryptjs";
import type { HashConfig } from "../../../src/hash/hash.js";
import type { Parameters } from "../../../src/prove/hints.js";

/** Two projects' signer keys. */
export const KEY = Buffer.from(Array.from({ length: 64 }, (_, index) => (index * 37 + 11) % 256));
export const OTHER_KEY = Buffer.from(KEY.toReversed());

/** Scrypt as cheap as it gets. */
export const CHEAP: Parameters = { memCost: 1, rounds: 1, saltSeparator: "Bw==" };

export function hashConfigOf(key: Buffer | null, parameters = CHEAP): HashConfig {
  return { ...parameters, signerKey: key?.toString("base64") ?? null };
}

/** How a scrypt hash is made; the first key, the cheapest parameters and a salt of its own by default. */
export interface Making {
  readonly key?: Buffer;
  readonly parameters?: Parameters;
  readonly salt?: string;
}

/** The salt, of ten bytes, and hash of a password, in base64, as the vendor's export has them. */
export function scryptOf(
  password: string,
  { key = KEY, parameters = CHEAP, salt = `salt of ${password}` }: Making = {},
): { readonly hash: string; readonly salt: string } {
  const { memCost, rounds, saltSeparator } = parameters;
  const bytes = createHash("sha256").update(salt).digest().subarray(0, 10);
  const salted = Buffer.concat([bytes, Buffer.from(saltSeparator, "base64")]);
  const derived = scryptSync(password, salted, 64, { N: 2 ** memCost, r: rounds, p: 1 });
  const cipher = createCipheriv("aes-256-ctr", derived.subarray(0, 32), Buffer.alloc(16));
  return {
    hash: cipher.update(key).toString("base64"),
    salt: bytes.toString("base64"),
  };
}

/** A bcrypt hash of the lowest cost. */
export function bcryptOf(password: string): string {
  return hashSync(password, 4).replace("$2b$", "$2a$");
}

/** One user of an export. */
export interface ExportedUser {
  readonly id: string;
  readonly email?: string;
  readonly phone?: string;
  readonly hash?: string;
  readonly salt?: string;
  readonly disabled?: boolean;
}

/** A Firebase export. */
export function firebaseOf(users: readonly ExportedUser[]): string {
  return JSON.stringify({
    users: users.map(({ id, email, phone, hash, salt, disabled }) => ({
      localId: id,
      email,
      emailVerified: true,
      phoneNumber: phone,
      passwordHash: hash,
      salt,
      disabled,
    })),
  });
}

/** A CSV of the application's own users. */
export function csvUsers(users: readonly ExportedUser[]): string {
  const lines = users.map(({ id, email, phone, hash, salt, disabled }) =>
    [id, email, phone, hash, salt, disabled].join(","),
  );
  return `${["id,email,phone,password_hash,salt,disabled", ...lines].join("\n")}\n`;
}
