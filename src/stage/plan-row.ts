/** From a source's item to a planned user, once: what a run, a dry run and a split share. What hangs on other rows waits. */

import type { UserRecord } from "../account/user-record.js";
import { optionName } from "../errors/option-name.js";
import { placeOf } from "../errors/place.js";
import { RunError } from "../errors/run-error.js";
import type { RowRef } from "../events/events.js";
import type { HashConfig, HashVerdict, RawHash } from "../hash/hash.js";
import { normalizeHash } from "../hash/normalize.js";
import type { SignerKeys } from "../hash/signer-keys.js";
import { saltOf } from "../hash/vendor-scrypt.js";
import type { PasswordJoin } from "../password-export/join.js";
import type { Carried } from "../plan/carried.js";
import type { Digester } from "../plan/digests.js";
import { isRefusal, planUser } from "../plan/plan.js";
import type { Policy } from "../plan/policy.js";
import { type KeyContext, planReject, withKeys } from "../plan/user-keys.js";
import type { SourceItem } from "../source/source.js";
import type { InputFacts } from "./input-facts.js";
import type { Inspector } from "./inspection.js";
import type { RowFacts, StagedUser } from "./staged-row.js";
import type { Waiting } from "./waiting.js";

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

/** What planning the rows of an input needs. */
export interface PlanningContext extends JudgingContext, KeyContext {
  readonly facts: InputFacts;
  readonly inspector: Inspector;
  /** What is sent beside contacts and hashes. */
  readonly carried: Carried;
  /** Gives users their hash; null without a password export. */
  readonly join: PasswordJoin | null;
}

/**
 * Plans the user of a row as it is read, unless other rows may have a say in it.
 *
 * @param item the mark of a file that was cut off is no row
 * @returns null for a row that names no user
 * @throws RunError as {@link planRecord}, and `disk`
 */
export function planItem(
  item: Exclude<SourceItem, { readonly kind: "truncated" }>,
  row: RowRef,
  context: PlanningContext,
): StagedUser | Waiting | null {
  if (item.kind !== "record") {
    return item.sourceId === undefined ? null : planReject(item.sourceId, item, row, context);
  }
  const record = context.join === null ? item.record : context.join.take(item.record, row);
  return record === null
    ? { record: item.record, verdict: null }
    : planRecord(record, row, context);
}

/**
 * Plans a user whose hash is known, unless the whole column may turn the verdict on it.
 *
 * @throws RunError `hash_config_missing`: without the account's parameters every user of the
 *   export would be refused for the operator's omission
 */
export function planRecord(
  record: UserRecord,
  row: RowRef,
  context: PlanningContext,
): StagedUser | Waiting {
  const { hash } = record;
  const verdict = judgeHash(hash, context);
  if (hash === null) return planJudged(record, verdict, row, context);
  // A hash that the vendor withheld, or that is of another algorithm, needs no parameters.
  const lacks = verdict.verdict === "refused" && verdict.code === "hash_config_missing";
  if (lacks && hash.kind === "vendor_scrypt" && context.policy.onUnusableHash !== "passwordless") {
    const what = `${placeOf(row)} has a scrypt hash, which can't be built without the vendor account's hash parameters.`;
    throw new RunError("hash_config_missing", what, {
      hint: `Copy the hash_config block from the vendor's console (Authentication, Users, password hash parameters) into a file and add ${optionName("--hash-config", "FILE")}.`,
    });
  }
  if (context.facts.column.take(hash, verdict, row)) return { record, verdict };
  return planJudged(record, verdict, row, context);
}

/** Plans a user who waited for the whole column. */
export function planWaiting(
  { record, verdict }: Waiting,
  row: RowRef,
  context: PlanningContext,
): StagedUser {
  const { hash } = record;
  const ofAnyLength = (): HashVerdict => judgeHash(hash, context, "argon2-any");
  const hasHash = hash !== null && verdict !== null;
  const judged = hasHash ? context.facts.column.judge(hash, verdict, ofAnyLength) : NO_HASH;
  return planJudged(record, judged, row, context);
}

const NO_HASH: HashVerdict = { verdict: "none" };

/**
 * The verdict on a record's hash by a run's options; a proof judges by the same.
 *
 * @param further what else is taken than the operator allows
 */
export function judgeHash(
  hash: RawHash | null,
  { hashConfig, signerKeys, policy, vendor, onWord }: JudgingContext,
  further?: "argon2-any",
): HashVerdict {
  if (hash === null) return NO_HASH;
  const allowHash = further === undefined ? policy.allowHash : [...policy.allowHash, further];
  return normalizeHash(hash, { hashConfig, signerKeys, vendor, onWord, allowHash });
}

/** Makes the keys under which the ledger knows the user as well, and the facts that are asked of all rows. */
function planJudged(
  record: UserRecord,
  verdict: HashVerdict,
  row: RowRef,
  context: PlanningContext,
): StagedUser {
  const { inspector, policy, carried, vendor, digester } = context;
  const planned = planUser(record, verdict, policy, carried, vendor);
  const { plan, keys } = withKeys(record, planned, row, context);
  inspector.count(verdict, plan, row, context.facts);
  return { plan, keys, facts: factsOf(record, verdict, { plan, keys }, digester) };
}

/** What hashes have in common is told of users who are brought. */
function factsOf(
  record: UserRecord,
  verdict: HashVerdict,
  { plan, keys }: Pick<StagedUser, "plan" | "keys">,
  digester: Digester,
): RowFacts {
  const { keyed, identity, contacts, reserved } = keys;
  const { email, exclusions } = record;
  const isBrought = !isRefusal(plan);
  const accepted = verdict.verdict === "accepted" ? verdict : null;
  // Who is kept out by the vendor claims no address.
  const claims = email !== null && exclusions.length === 0;
  // Whoever isn't brought has a hash in common with rows of the same user alone.
  const text = isBrought ? accepted?.hash : accepted && `${identity} ${accepted.hash}`;
  const hash = text == null ? null : digester.text(text);
  if (hash === null && !claims) return NO_FACTS;
  const own = email === null ? null : digester.contact("email", email.value);
  const hasSalt = isBrought && accepted?.algorithm === "vendor_scrypt";
  const [first] = contacts.length > 0 ? contacts : reserved;
  const said = keyed ? (first?.key ?? null) : identity;
  if (own === said && !hasSalt) return { hash, claims, further: null };
  const salt = hasSalt ? digester.text(saltOf(accepted.hash)) : null;
  return { hash, claims, further: { email: own, salt } };
}

const NO_FACTS: RowFacts = { hash: null, claims: false, further: null };
