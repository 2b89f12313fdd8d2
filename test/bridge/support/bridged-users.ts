/** Users as an import leaves them for the bridge: a stand-in at the core, the old hash in a vault. */

import type { Fits } from "../../../src/bridge/bridge.js";
import type { Core } from "../../../src/core/core.js";
import { verifyLegacyPassword } from "../../../src/hash/legacy/find-legacy-hash.js";
import { Vault } from "../../../src/vault/vault.js";
import {
  ANSWERS,
  contextOf,
  type KnownAnswer,
  rawOf,
} from "../../hash/legacy/support/known-answers.js";

export const VAULT_KEY = Buffer.alloc(32, 7);
/** Of each stand-in's hash. */
export const STAND_IN_SALT = Buffer.alloc(16, 3);

/** Verifies on this thread, and asks no vendor. */
export const fitsHere: Fits = async (kept, { password }) =>
  !("upstream" in kept) && (await verifyLegacyPassword(kept.hash, password, kept.context)) === true;

/** The first known answer of each of some formats. */
export function firstOf(...formats: readonly string[]): KnownAnswer[] {
  return formats.flatMap(
    (name) => ANSWERS.find(({ format, made }) => format === name && made !== "") ?? [],
  );
}

/** Keeps a user for each known answer: `user.0@example.com` and so on. */
export async function keepUsers(
  path: string,
  { core, name, known }: { core: Core; name: string; known: readonly KnownAnswer[] },
): Promise<void> {
  const vault = Vault.open(path, { key: VAULT_KEY, binding: { migration: "m", core: name } });
  for (const [n, answer] of known.entries()) {
    const email = `user.${n}@example.com`;
    const hash = rawOf(answer);
    const standIn = await vault.standIn(email, hash, STAND_IN_SALT);
    await vault.put(email, { hash, context: contextOf(answer), standIns: [standIn] });
    await core.importUser({ email, passwordHash: standIn.hash });
  }
  vault.close();
}
