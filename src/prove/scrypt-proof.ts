/** Why a vendor scrypt hash doesn't verify: its password, the signer key or the parameters. Keys are compared and never told. */

import { recoverSignerKey } from "../hash/verify.js";
import type { VendorScryptParts } from "../hash/vendor-scrypt.js";
import {
  type Parameters,
  HINTS,
  noTwoRight,
  otherParameters,
  otherSignerKey,
  signerKeyMissing,
} from "./hints.js";
import type { Reason } from "./proof.js";

/** A test user's vendor scrypt hash and what its password makes of it. */
export interface ScryptAttempt {
  /** Which test user, from 1. */
  readonly user: number;
  readonly parts: VendorScryptParts;
  readonly password: string;
  /** The signer key that made the hash, if password and parameters are right; else noise. */
  readonly recovered: Buffer;
  /** It is the configured one. */
  readonly proved: boolean;
}

/**
 * Equal bytes from which two keys are one and the same but for typing errors. By chance sixteen
 * of 64 bytes are equal once in 10^24.
 */
const RESEMBLING_BYTES = 16;

/** What nearly every account has. */
const USUAL: Parameters = { memCost: 14, rounds: 8, saltSeparator: "Bw==" };
const VENDORS_ROUNDS = [8, 1, 2, 3, 4, 5, 6, 7];
const ROUNDS = [...VENDORS_ROUNDS, 9, 10, 11, 12, 13, 14, 15, 16];
const MEM_COSTS = [14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 15];

/** Node computes so many at a time, unless it is told otherwise. */
const AT_ONCE = 4;

/** Decrypts a hash with its password. */
export async function attemptScrypt(
  user: number,
  parts: VendorScryptParts,
  password: string,
  signerKey: string | null,
): Promise<ScryptAttempt> {
  const recovered = await recoverSignerKey(parts, password);
  const proved = signerKey !== null && recovered.equals(Buffer.from(signerKey, "base64"));
  return { user, parts, password, recovered, proved };
}

/**
 * What the decrypted keys of all attempts say about one that isn't proved; null where they say
 * nothing. Two right passwords bring back one key, whichever is configured; wrong ones never do.
 */
export function explainByKeys(
  one: ScryptAttempt,
  all: readonly ScryptAttempt[],
  signerKey: string | null,
): Reason | null {
  const partner = all.find((other) => agree(one, other));
  if (signerKey === null) {
    const hint =
      partner === undefined ? HINTS.signer_key_missing : signerKeyMissing(one.user, partner.user);
    return { code: "signer_key_missing", hint };
  }
  if (resemble(one.recovered, Buffer.from(signerKey, "base64"))) {
    return { code: "wrong_signer_key", hint: HINTS.signer_key_mistyped };
  }
  return partner === undefined
    ? null
    : { code: "wrong_signer_key", hint: otherSignerKey(one.user, partner.user) };
}

/**
 * Tries other account parameters: the usual ones, then every one on its own, then rounds and
 * mem_cost together within what the vendor's import tools take. Takes a second or two where nothing
 * fits.
 */
export async function explainByParameters(
  { parts, password }: ScryptAttempt,
  signerKey: string | null,
  signal?: AbortSignal,
): Promise<Reason | null> {
  if (signerKey === null) return null;
  const configured = {
    memCost: parts.memCost,
    rounds: parts.rounds,
    saltSeparator: parts.separator,
  };
  const key = Buffer.from(signerKey, "base64");
  const fits = async ({ saltSeparator, ...costs }: Parameters): Promise<boolean> =>
    key.equals(await recoverSignerKey({ ...parts, ...costs, separator: saltSeparator }, password));
  const others = otherThan(configured);
  for (let at = 0; at < others.length; at += AT_ONCE) {
    signal?.throwIfAborted();
    const batch = others.slice(at, at + AT_ONCE);
    const fit = await Promise.all(batch.map(fits));
    const right = batch[fit.indexOf(true)];
    if (right !== undefined) {
      return { code: "wrong_hash_parameters", hint: otherParameters(configured, right) };
    }
  }
  return null;
}

/** What is left when nothing else explains it: what the others say. One hash under several names is one. */
export function explainByOthers(all: readonly ScryptAttempt[]): Reason {
  if (all.some(({ proved }) => proved)) {
    return { code: "wrong_password", hint: HINTS.wrong_scrypt_password };
  }
  const code = "password_or_signer_key";
  if (all.some((one) => all.some((other) => agree(one, other)))) {
    return { code, hint: HINTS.other_signer_key_elsewhere };
  }
  const users = new Set(all.map(({ parts }) => parts.salt)).size;
  return { code, hint: users === 1 ? HINTS.password_or_signer_key : noTwoRight(users) };
}

/** Every set of parameters that is worth a try, once. */
function otherThan(configured: Parameters): Parameters[] {
  const all: Parameters[] = [
    USUAL,
    { ...configured, saltSeparator: USUAL.saltSeparator },
    { ...configured, saltSeparator: "" },
    ...ROUNDS.map((rounds) => ({ ...configured, rounds })),
    ...MEM_COSTS.map((memCost) => ({ ...configured, memCost })),
    ...VENDORS_ROUNDS.flatMap((rounds) =>
      MEM_COSTS.map((memCost) => ({ ...configured, rounds, memCost })),
    ),
  ];
  const byKey = new Map(all.map((one) => [keyOf(one), one]));
  byKey.delete(keyOf(configured));
  return [...byKey.values()];
}

function keyOf({ memCost, rounds, saltSeparator }: Parameters): string {
  return `${memCost} ${rounds} ${saltSeparator}`;
}

/** Whether two attempts give one key. Their salts must differ: equal hashes agree whatever the password. */
function agree(one: ScryptAttempt, other: ScryptAttempt): boolean {
  return one.parts.salt !== other.parts.salt && one.recovered.equals(other.recovered);
}

function resemble(one: Buffer, other: Buffer): boolean {
  let equal = 0;
  for (const [index, byte] of one.entries()) if (byte === other[index]) equal += 1;
  return equal >= RESEMBLING_BYTES;
}
