/** The trace of a proof that was made on this machine: by it a later run knows that key, parameters and user are those that were proved. It holds no password, contact, hash or key. */

import { createHmac, randomBytes } from "node:crypto";
import { createSignerKeys } from "../hash/signer-keys.js";
import type { HashAlgorithm, HashConfig } from "../hash/hash.js";
import type { UserRecord } from "../account/user-record.js";
import { judgeHash } from "../stage/plan-row.js";
import type { Input } from "../source/inputs.js";
import type { SourceItem } from "../source/source.js";
import { DEFAULT_POLICY } from "../plan/policy.js";
import { rowOf } from "../errors/place.js";
import type { FoundUser } from "./find-users.js";
import type { Proved } from "./proof.js";

/** What a proof leaves behind. */
export interface ProofTrace {
  /** The user's file, as it was named, and row. */
  readonly file: string;
  readonly row: number;
  readonly salt: string;
  readonly digest: string;
}

/** By what a proof was made. */
interface TracedKeys {
  readonly hashConfig: HashConfig | null;
  readonly signerKey: string | null;
}

const SALT_BYTES = 16;

/**
 * The trace of a user who was proved.
 *
 * @param salt of an earlier trace, which then stays the same; random by default
 * @returns null for a user whose hash isn't sent
 */
export function traceOf(
  { row, record, input }: Pick<FoundUser, "row" | "record" | "input">,
  keys: TracedKeys,
  salt = randomBytes(SALT_BYTES).toString("base64url"),
): ProofTrace | null {
  const traced = digestOf(record, input, keys, salt);
  return traced && { file: row.file, row: row.number, salt, digest: traced.digest };
}

/**
 * Looks among the rows of a reading for the one that was proved. The proof still holds where that row
 * has the same hash, and it would be sent with the same parameters under the same signer key.
 */
export class TraceCheck {
  readonly #trace: ProofTrace | null;
  readonly #keys: TracedKeys;
  #proved: Pick<Proved, "algorithm" | "row"> | null = null;

  constructor(trace: ProofTrace | null, keys: TracedKeys) {
    this.#trace = trace;
    this.#keys = keys;
  }

  /** What still holds of the proof; null until its row was taken. */
  get proved(): Pick<Proved, "algorithm" | "row"> | null {
    return this.#proved;
  }

  take(input: Input, items: readonly SourceItem[]): void {
    if (this.#trace === null || input.path !== this.#trace.file) return;
    const { row, salt, digest } = this.#trace;
    const item = items.find(({ number }) => number === row);
    if (item?.kind !== "record") return;
    const now = digestOf(item.record, input, this.#keys, salt);
    if (now?.digest === digest) {
      this.#proved = { algorithm: now.algorithm, row: rowOf(input.path, item) };
    }
  }
}

/**
 * Keyed by the signer key where the hash needs it, which is as random as it is long. Another hash has
 * a random salt inside. So nothing can be guessed by a digest.
 */
function digestOf(
  { hash }: UserRecord,
  { vendor }: Input,
  { hashConfig, signerKey }: TracedKeys,
  salt: string,
): { readonly algorithm: HashAlgorithm; readonly digest: string } | null {
  const signerKeys = createSignerKeys(signerKey);
  const verdict = judgeHash(hash, { policy: DEFAULT_POLICY, hashConfig, signerKeys, vendor });
  if (verdict.verdict !== "accepted") return null;
  const { algorithm } = verdict;
  const key = algorithm === "vendor_scrypt" ? signerKey : "";
  if (key === null) return null;
  const hmac = createHmac("sha256", Buffer.from(key, "base64"));
  return { algorithm, digest: hmac.update(`${salt} ${verdict.hash}`).digest("base64url") };
}
