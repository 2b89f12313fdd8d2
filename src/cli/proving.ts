/** A proof on this machine, as the command line asks for one: finds the test users in the inputs and verifies their passwords. */

import { type LocalProof, proveTestUsers } from "../prove/prove-users.js";
import type { Input } from "../source/inputs.js";
import type { Policy } from "../plan/policy.js";
import type { TestUser } from "../source/passwords-file.js";
import type { Keys } from "./secrets.js";
import { type PlanningValues, readingPolicy } from "./options/reading.js";
import { readSmallFile } from "./small-file.js";

/** What a proof is made of beside the test users. */
export interface ProofSetting {
  readonly inputs: readonly Input[];
  readonly policy: Policy;
  readonly keys: Keys;
  /** A pepper or salt to try; null without one. */
  readonly preHashSalt: string | null;
  readonly signal?: AbortSignal;
}

/** What a proof needs of the keys. */
type ProofKeys = Pick<Keys, "hashConfig" | "signerKey">;

/** @throws RunError `config_invalid` for the salt's file */
export function proofSetting(
  values: PlanningValues & { readonly prehashSaltFile?: string | undefined },
  inputs: readonly Input[],
  keys: Keys,
): ProofSetting {
  const { prehashSaltFile: file } = values;
  const preHashSalt =
    file === undefined ? null : readSmallFile(file, "--prehash-salt-file").replace(/\r?\n$/, "");
  return { inputs, keys, preHashSalt, policy: readingPolicy(values) };
}

/** Proves test users against the inputs; calls no core. */
export function proveHere(
  users: readonly TestUser[],
  { inputs, keys, ...setting }: Omit<ProofSetting, "keys"> & { readonly keys: ProofKeys },
): Promise<LocalProof> {
  const { hashConfig, signerKey } = keys;
  return proveTestUsers(users, { inputs, ...setting, hashConfig, signerKey });
}
