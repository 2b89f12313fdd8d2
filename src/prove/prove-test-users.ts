/** The proof from names to verdicts: finds test users in the inputs and verifies their passwords on this machine. It calls no core. */

import { createSignerKeys } from "../hash/signer-keys.js";
import type { TestUser } from "../source/passwords-file.js";
import type { Optional } from "../run/defaults.js";
import type { Input } from "../source/inputs.js";
import { DEFAULT_POLICY, type Policy } from "../plan/policy.js";
import type { ProofOptions } from "./explain.js";
import { type FoundUser, findUsers } from "./find-users.js";
import type { Proof } from "./proof.js";
import { proveUsers } from "./prove-users.js";

/** What proving test users needs. */
export interface GivenProof
  extends Optional<Omit<ProofOptions, "policy" | "signerKeys">, "hashConfig"> {
  /** The vendor's `base64_signer_key`, wherever it is configured; that of `hashConfig` by default. */
  readonly signerKey?: string | null;
  /** Where the users are looked for; each is read once for all of them. */
  readonly inputs: readonly Input[];
  /** As in the import that is to be proved; what is left out is as in `DEFAULT_POLICY`. */
  readonly policy?: Partial<Policy>;
}

/** A proof and the rows that it was made from, one of each for every test user. */
export interface LocalProof {
  /** Null where no row is that user's. */
  readonly found: readonly (FoundUser | null)[];
  readonly proofs: readonly Proof[];
}

/**
 * Verifies the password of every test user against the hash that an import of these inputs would
 * send.
 *
 * @param users as from `readPasswordsFile`
 * @throws RunError `input_unreadable` (an input that can't be read twice), and what reading throws;
 *   the signal's reason where it was aborted
 */
export async function proveTestUsers(
  users: readonly TestUser[],
  { inputs, policy, hashConfig = null, signerKey, ...rest }: GivenProof,
): Promise<LocalProof> {
  const options: ProofOptions = {
    ...rest,
    policy: { ...DEFAULT_POLICY, ...policy },
    hashConfig,
    signerKeys: createSignerKeys(signerKey ?? hashConfig?.signerKey ?? null),
  };
  const names = users.map(({ user }) => user);
  const found = await findUsers(inputs, names, options);
  const subjects = users.map(({ password }, index) => ({ found: found[index] ?? null, password }));
  return { found, proofs: await proveUsers(subjects, options) };
}
