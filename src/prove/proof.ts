/** What a proof says about a test user, and when a migration counts as proved. Types and two questions; the work is done next door. */

import type { HashAlgorithm } from "../hash/hash.js";
import type { RowRef } from "../events/events.js";

/**
 * Why a test user's password wouldn't work after the move. Stable.
 * - `user_not_found`: no row of the files has that email, phone or id.
 * - `no_password`: the row has no hash.
 * - `hash_refused`: the row's hash can't be moved; the hint names the hash's own code.
 * - `not_imported`: the import would skip or reject the row for another reason than its hash.
 * - `wrong_password`: the hash is sound and the password doesn't fit it in any way known here.
 * - `prehashed`: the password fits once it is changed as some vendors do.
 * - `other_row`: the password fits the hash of a neighboring row, or fits with its salt.
 * - `password_too_long`: it fits, and bcrypt reads no more than its 72 bytes: a pepper may follow.
 * - `signer_key_missing`: a vendor scrypt hash, and no signer key was given.
 * - `wrong_signer_key`: another key than the configured one made the hash.
 * - `wrong_hash_parameters`: the password fits with other account parameters.
 * - `password_or_signer_key`: one of the two is wrong, and this user alone can't tell which.
 * - `unexplained`: twenty failures before this one were looked into, and this one wasn't.
 * - `too_costly`: the hash asks for more memory or time than this machine has.
 * - `import_failed`: the import of this one user was refused or failed; the hint names its code.
 * - `sign_in_failed`: the core didn't get as far as an answer, to the import or to the sign-in.
 * - `core_password_encoding`: the core encodes vendor scrypt passwords otherwise.
 * - `core_signer_key`: the core's signer key isn't the one that was proved here.
 * - `sign_in_refused`: the core refuses the right password.
 * - `user_existed`: the user was at the core before this migration, so that nothing is shown.
 * - `wrong_password_accepted`: the core takes a wrong password for right.
 */
export type ProofCode =
  | "user_not_found"
  | "no_password"
  | "hash_refused"
  | "not_imported"
  | "wrong_password"
  | "prehashed"
  | "other_row"
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
}

interface Told {
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
export interface Proved extends Told {
  readonly ok: true;
  readonly row: RowRef;
  readonly algorithm: HashAlgorithm | "bridged";
}

/** It didn't, or nothing would be sent. */
export interface Unproved extends Told, Reason {
  readonly ok: false;
  /** Null where no row is this user's. */
  readonly row: RowRef | null;
  /** Null where no hash would be sent. */
  readonly algorithm: Proved["algorithm"] | null;
}

/** What a proof says about one test user. */
export type Proof = Proved | Unproved;

/** True where there is at least one test user and every one of them was proved. */
export function allProved(proofs: readonly Proof[]): proofs is readonly Proved[] {
  return proofs.length > 0 && proofs.every(({ ok }) => ok);
}

/** How many test users the core took with the right password and no other. */
export function signedInCount(proofs: readonly Proof[]): number {
  return proofs.filter((proof) => proof.ok && proof.signedIn === true).length;
}

/** How many test users were proved by algorithm. */
export function provedAlgorithms(
  proofs: readonly Proof[],
): Readonly<Partial<Record<Proved["algorithm"], number>>> {
  const counts: Partial<Record<Proved["algorithm"], number>> = {};
  for (const proof of proofs) {
    if (proof.ok) counts[proof.algorithm] = (counts[proof.algorithm] ?? 0) + 1;
  }
  return counts;
}
