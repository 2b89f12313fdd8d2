/** Proves test users of opened inputs: their rows are found, and what no proof was made of is counted. */

import type { UserRecord } from "../account/user-record.js";
import { createSignerKeys } from "../hash/signer-keys.js";
import { hashKind, planUser, type RefusalPlan } from "../plan/plan.js";
import { DEFAULT_POLICY, type Policy } from "../plan/policy.js";
import type { Optional } from "../run/defaults.js";
import type { Input } from "../source/inputs.js";
import type { TestUser } from "../source/passwords-file.js";
import { untriedKinds } from "../stage/inspection.js";
import { judgeHash, type JudgingContext } from "../stage/plan-row.js";
import type { ProofOptions } from "./explain.js";
import { type FindOptions, findUsers, type FoundUser } from "./find-users.js";
import type { HashKinds, Proof } from "./proof.js";
import { proveUsers } from "./prove-users.js";

/** What proving test users needs. */
export interface GivenProof
  extends Optional<Omit<ProofOptions, "policy" | "signerKeys">, "hashConfig">,
    Pick<FindOptions, "passwordExport"> {
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

/** A proof, and what it says nothing of. */
export interface WholeProof extends LocalProof {
  /** Hashes of kinds that no proved user has, by kind. Those of `vendor_scrypt` need a signer key that nothing has shown to be right. */
  readonly untried: HashKinds;
  /** There are rows that an import may reject; which ones, a dry run says. */
  readonly rejects: boolean;
}

/**
 * Verifies the password of every test user against the hash that an import of these inputs would
 * send. Reads all rows, since a proof counts for the kinds of hashes alone that it has tried.
 *
 * @param users as from `readPasswordsFile`
 * @throws RunError what reading throws; the signal's reason where it was aborted
 */
export async function proveTestUsers(
  users: readonly TestUser[],
  { inputs, passwordExport, ...given }: GivenProof,
): Promise<WholeProof> {
  const { signal, hashConfig = null, signerKey } = given;
  const policy = { ...DEFAULT_POLICY, ...given.policy };
  const signerKeys = createSignerKeys(signerKey ?? hashConfig?.signerKey ?? null);
  const kinds: Record<string, number> = {};
  let rejects = false;
  const found = await findUsers(
    inputs,
    users.map(({ user }) => user),
    {
      policy,
      passwordExport,
      ...(signal && { signal }),
      onRecord(record, { vendor }) {
        const plan = planOf(record, { policy, hashConfig, signerKeys, vendor });
        if (typeof plan === "string") kinds[plan] = (kinds[plan] ?? 0) + 1;
        else if (plan !== null) rejects = true;
      },
    },
  );
  const local = await proveFound(users, found, given);
  const proved = local.proofs.filter((proof) => proof.ok);
  return { ...local, untried: untriedKinds({ algorithms: kinds, bridged: {} }, proved), rejects };
}

/** How an import would send a user's hash, or why it rejects the row; null where it sends no hash. */
function planOf(record: UserRecord, context: JudgingContext): string | RefusalPlan | null {
  const verdict = judgeHash(record.hash, context);
  // An import stops there, until the parameters are given.
  const lacks = verdict.verdict === "refused" && verdict.code === "hash_config_missing";
  if (lacks && record.hash?.kind === "vendor_scrypt") return "vendor_scrypt";
  const plan = planUser(record, verdict, context.policy, undefined, context.vendor);
  return plan.kind === "reject" ? plan : hashKind(plan, verdict);
}

/**
 * The same of rows that were found on the way of a reading.
 *
 * @param found as `UserSearch` has found `users`
 * @throws the signal's reason where it was aborted
 */
export async function proveFound(
  users: readonly TestUser[],
  found: readonly (FoundUser | null)[],
  { policy, hashConfig = null, signerKey, ...rest }: Omit<GivenProof, "inputs" | "passwordExport">,
): Promise<LocalProof> {
  const subjects = users.map(({ password }, index) => ({ found: found[index] ?? null, password }));
  const proofs = await proveUsers(subjects, {
    ...rest,
    policy: { ...DEFAULT_POLICY, ...policy },
    hashConfig,
    signerKeys: createSignerKeys(signerKey ?? hashConfig?.signerKey ?? null),
  });
  return { found, proofs };
}
