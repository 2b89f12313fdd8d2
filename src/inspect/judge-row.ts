/** Judges a row's hash, in the same way for a run and a proof. */

import type { UserRecord } from "../account/user-record.js";
import { RunError } from "../errors/run-error.js";
import type { RowRef } from "../events/events.js";
import { placeOf } from "../errors/place.js";
import type { HashConfig, HashVerdict, RawHash } from "../hash/hash.js";
import { normalizeHash } from "../hash/normalize.js";
import type { SignerKeys } from "../hash/signer-keys.js";
import type { Policy } from "../plan/policy.js";

/** What judging hashes needs of the run and of one input. */
export interface JudgingContext {
  readonly policy: Policy;
  readonly hashConfig: HashConfig | null;
  readonly signerKeys: SignerKeys;
  /** Whose hashes they are, as far as the operator or the file's shape says. */
  readonly vendor: string;
  /** As the input has it: nothing in the file shows whose hashes they are. */
  readonly onWord?: boolean | undefined;
}

const NO_HASH: HashVerdict = { verdict: "none" };

/**
 * The verdict on a row's hash by itself.
 *
 * @throws RunError `hash_config_missing`: without the account's parameters every user of the
 *   export would be refused for the operator's omission
 */
export function judgeRow({ hash }: UserRecord, row: RowRef, context: JudgingContext): HashVerdict {
  const verdict = judgeHash(hash, context);
  if (hash?.kind === "vendor_scrypt" && lacksConfig(verdict)) {
    if (context.policy.onUnusableHash !== "passwordless") throw hashConfigMissing(row);
  }
  return verdict;
}

/** A hash that the vendor withheld, or that is of another algorithm, needs no parameters. */
function lacksConfig(verdict: HashVerdict): boolean {
  return verdict.verdict === "refused" && verdict.code === "hash_config_missing";
}

/**
 * The verdict on a record's hash by a run's options; a proof judges by the same.
 *
 * @param further what else is taken than the operator allows
 */
export function judgeHash(
  hash: RawHash | null,
  context: Pick<JudgingContext, "hashConfig" | "signerKeys" | "policy" | "vendor" | "onWord">,
  further?: "argon2-any",
): HashVerdict {
  if (hash === null) return NO_HASH;
  const { hashConfig, signerKeys, policy, vendor, onWord } = context;
  const allowHash = further === undefined ? policy.allowHash : [...policy.allowHash, further];
  return normalizeHash(hash, { hashConfig, signerKeys, vendor, onWord, allowHash });
}

function hashConfigMissing(row: RowRef): RunError {
  return new RunError(
    "hash_config_missing",
    `${placeOf(row)} has a scrypt hash, which can't be built without the vendor account's hash parameters.`,
    {
      hint: "Copy the hash_config block from the vendor's console (Authentication, Users, password hash parameters) into a file and add --hash-config FILE.",
    },
  );
}
