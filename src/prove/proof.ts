/** What a proof says about a test user, and when a migration counts as proved. Types and two questions; the work is done next door. */

import type { RowRef } from "../events/events.js";

/** Why a test user's password wouldn't work after the move. Stable; docs/proof.md says what each means. */
export type ProofCode =
  | "user_not_found"
  | "no_password"
  | "hash_refused"
  | "not_imported"
  | "wrong_password"
  | "prehashed"
  | "password_too_long"
  | "signer_key_missing"
  | "wrong_signer_key"
  | "wrong_hash_parameters"
  | "password_or_signer_key"
  | "unexplained"
  | "too_costly"
  | "import_failed"
  | "sign_in_failed"
  | "core_password_encoding"
  | "core_signer_key"
  | "sign_in_refused"
  | "user_existed"
  | "wrong_password_accepted";

/** Why a proof failed, and what to do about it. */
export interface Reason {
  readonly code: ProofCode;
  /** A sentence or two; no contact, password, hash or key. */
  readonly hint: string;
  /** Whether the same proof succeeds with an import that keeps such hashes for the bridge. */
  readonly fitsBridge?: boolean;
}

interface Tried {
  /** Which test user, from 1 in the order given. */
  readonly user: number;
  /** The vendor's id; null where there is none or where it looks like a contact. */
  readonly sourceId: string | null;
  /** The steps that made the hash that is sent; empty where none is. */
  readonly steps: readonly string[];
  /** Whether the core took the right password and no other; null where it wasn't asked. */
  readonly signedIn: boolean | null;
}

/** The password verified against the hash that is sent, or that is kept for the bridge. */
export interface Proved extends Tried {
  readonly ok: true;
  readonly row: RowRef;
  /** The kind of hash: the algorithm, or of one that no core takes why. */
  readonly algorithm: string;
  /** Whether no core takes the hash, and the vault keeps it. */
  readonly bridged: boolean;
}

/** It didn't, or nothing would be sent. */
export interface Unproved extends Tried, Reason {
  readonly ok: false;
  /** Null where no row is this user's. */
  readonly row: RowRef | null;
  /** Null where no hash would be sent. */
  readonly algorithm: string | null;
}

/** What a proof says about one test user. */
export type Proof = Proved | Unproved;

/** True where there is at least one test user and every one of them was proved. */
export function allProved(proofs: readonly Proof[]): proofs is readonly Proved[] {
  return proofs.length > 0 && proofs.every(({ ok }) => ok);
}

/** How many hashes there are of each kind. */
export type HashKinds = Readonly<Record<string, number>>;

/** How many test users were proved by the kind of their hash. */
export function provedAlgorithms(proofs: readonly Proof[]): HashKinds {
  const counts: Record<string, number> = {};
  for (const proof of proofs) {
    if (proof.ok) counts[proof.algorithm] = (counts[proof.algorithm] ?? 0) + 1;
  }
  return counts;
}

/** Whether hashes of kinds that nothing has tried need a signer key: a wrong one locks out all of their users. */
export function lacksKeyProof({ vendor_scrypt: hashes = 0 }: HashKinds): boolean {
  return hashes > 0;
}
