/** What stands at the core for a password that can't be moved: the hash of a random one, which the vault alone knows. */

import { hkdfSync } from "node:crypto";
import { hashPassword } from "../hash/verify.js";

/** The password, and the hash that the core gets. Secrets: the password opens the account. */
export interface StandIn {
  readonly password: string;
  /** In the core's form. */
  readonly hash: string;
}

/** 256 random bits aren't guessed: the lowest cost spares the import and the bridge their time. */
const COST = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/**
 * The same for the same email and hash, so that an import that is resumed plans what it planned;
 * another for a hash that a newer export changed.
 *
 * @param seed the vault's
 * @param what the hash that can't be moved, as the export holds it
 * @param salt the stand-in's hash's, 16 bytes; no secret
 */
export async function makeStandIn(
  seed: Uint8Array,
  email: string,
  what: string,
  salt: Buffer,
): Promise<StandIn> {
  const secret = hkdfSync("sha256", seed, Buffer.from(`${email}\0${what}`), "stand-in", 32);
  const password = Buffer.from(secret).toString("base64url");
  return { password, hash: await hashPassword(password, { salt, cost: COST }) };
}
