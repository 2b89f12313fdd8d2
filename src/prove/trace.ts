/** The trace of a proof that was made on this machine: by it a later run knows that key, parameters and user are those that were proved. It holds no password, contact, hash or key. */

import { createHmac, randomBytes } from "node:crypto";
import { createSignerKeys } from "../hash/signer-keys.js";
import type { HashConfig } from "../hash/hash.js";
import type { UserRecord } from "../account/user-record.js";
import { judgeHash } from "../stage/plan-row.js";
import type { Input } from "../source/inputs.js";
import type { SourceItem } from "../source/source.js";
import { DEFAULT_POLICY } from "../plan/policy.js";
import type { FoundUser } from "./find-users.js";

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
 * @returns null for a user whose hash needs no signer key
 */
export function traceOf(
  { row, record, input }: Pick<FoundUser, "row" | "record" | "input">,
  keys: TracedKeys,
  salt = randomBytes(SALT_BYTES).toString("base64url"),
): ProofTrace | null {
  const digest = digestOf(record, input, keys, salt);
  return digest === null ? null : { file: row.file, row: row.number, salt, digest };
}

/**
 * Looks among the rows of a reading for the one that was proved. The proof still holds where that row
 * has the same hash, and it would be sent with the same parameters under the same signer key.
 */
export class TraceCheck {
  readonly #trace: ProofTrace | null;
  readonly #keys: TracedKeys;
  #holds = false;

  constructor(trace: ProofTrace | null, keys: TracedKeys) {
    this.#trace = trace;
    this.#keys = keys;
  }

  /** False until the row was taken. */
  get holds(): boolean {
    return this.#holds;
  }

  take(input: Input, items: readonly SourceItem[]): void {
    if (this.#trace === null || input.path !== this.#trace.file) return;
    const { row, salt, digest } = this.#trace;
    const item = items.find(({ number }) => number === row);
    if (item?.kind !== "record") return;
    this.#holds = digestOf(item.record, input, this.#keys, salt) === digest;
  }
}

/** Keyed by the signer key, which is as random as it is long, so that nothing can be guessed by it. */
function digestOf(
  { hash }: UserRecord,
  { vendor }: Input,
  { hashConfig, signerKey }: TracedKeys,
  salt: string,
): string | null {
  const signerKeys = createSignerKeys(signerKey);
  const verdict = judgeHash(hash, { policy: DEFAULT_POLICY, hashConfig, signerKeys, vendor });
  if (verdict.verdict !== "accepted" || verdict.algorithm !== "vendor_scrypt") return null;
  if (signerKey === null) return null;
  const hmac = createHmac("sha256", Buffer.from(signerKey, "base64"));
  return hmac.update(`${salt} ${verdict.hash}`).digest("base64url");
}
