/** From a source's item to a planned user: the pure part of the pipeline, which an import and a dry run share. */

import { normalizeHash } from "../hash/normalize.js";
import { RunError } from "../errors/run-error.js";
import type { HashConfig, HashVerdict, NormalizeOptions, RawHash } from "../hash/hash.js";
import type { SignerKeys } from "../hash/signer-keys.js";
import type { UserRecord } from "../account/user-record.js";
import type { SourceItem } from "../source/source.js";
import type { InputCensus } from "../inspect/census.js";
import type { HashColumn } from "../inspect/hash-column.js";
import type { ClaimedContact, Candidate } from "./entry.js";
import { claimsOf, type Planned } from "./contests.js";
import type { Digester, Key } from "./digests.js";
import type { RowRef } from "../events/events.js";
import { isRefusal, type Plan, planUser, type RefusalPlan } from "./plan.js";
import type { Policy } from "./policy.js";

/** A user with its plan, and what the ledger needs to know of it. */
export interface PlannedUser {
  readonly plan: Plan;
  readonly candidate: Candidate;
}

/** What judging hashes needs of the run and of the pass over one input. */
export interface JudgingContext {
  readonly policy: Policy;
  readonly hashConfig: HashConfig | null;
  readonly signerKeys: SignerKeys;
  /** Whose hashes they are, as far as the operator or the file's shape says. */
  readonly vendor: string;
  readonly column: HashColumn;
  /** Counts the hashes; null where a pass before this one has done it. */
  readonly census: InputCensus | null;
}

/** What planning needs beside that. */
export interface PlanningContext extends JudgingContext {
  readonly digester: Digester;
  /** The source's name and the operator's namespace, which keep ids of two databases apart. */
  readonly source: string;
  readonly namespace: string;
}

/** A row's item; the mark of a file that was cut off is no row. */
export type RowItem = Exclude<SourceItem, { readonly kind: "truncated" }>;

const NO_HASH: HashVerdict = { verdict: "none" };

/**
 * Plans the user of a row.
 *
 * @returns null for a row that nobody can be told from
 * @throws RunError as {@link judgeRow}
 */
export function planItem(item: RowItem, row: RowRef, context: PlanningContext): PlannedUser | null {
  if (item.kind === "record") return planRecord(item.record, row, context);
  return item.sourceId === undefined ? null : planReject(item.sourceId, item, row, context);
}

/**
 * Judges the hash, plans the user and makes the keys under which the ledger knows it.
 *
 * @throws RunError as {@link judgeRow}
 */
export function planRecord(record: UserRecord, row: RowRef, context: PlanningContext): PlannedUser {
  const { digester, policy } = context;
  context.census?.countContacts(record, row);
  const plan = planUser(record, judgeRow(record, row, context), policy);
  const keyed = record.sourceId !== null;
  const candidate: Candidate = {
    row,
    identity: identityKey(record, row, context),
    keyed,
    kind: isRefusal(plan) ? null : plan.kind,
    contacts: contactKeys({ record, plan }, digester),
    plan: digester.plan(plan),
    sourceId: tellableId(record),
  };
  return { plan, candidate };
}

/** A user who is known by the vendor's id, and whose row is good for nothing else. */
function planReject(
  sourceId: string,
  { code, hint }: Pick<RefusalPlan, "code" | "hint">,
  row: RowRef,
  { digester, source, namespace }: PlanningContext,
): PlannedUser {
  const plan: RefusalPlan = { kind: "reject", code, hint };
  const candidate: Candidate = {
    row,
    identity: digester.id(source, namespace, sourceId),
    keyed: true,
    kind: null,
    contacts: [],
    plan: digester.plan(plan),
    sourceId: withoutContact(sourceId),
  };
  return { plan, candidate };
}

/**
 * The verdict on a row's hash within its file. Rows come in the file's order, each once in a pass.
 *
 * @throws RunError `hash_config_missing`: without the account's parameters every user of the
 *   export would be refused for the operator's omission
 */
export function judgeRow(record: UserRecord, row: RowRef, context: JudgingContext): HashVerdict {
  const { hash } = record;
  if (hash === null) return NO_HASH;
  const { hashConfig, policy, column, census } = context;
  if (hash.kind === "vendor_scrypt" && hashConfig === null) {
    if (policy.onUnusableHash === "reject") throw hashConfigMissing(row);
  }
  const ofAnyLength = (): HashVerdict => judgeHash(hash, context, "any");
  const verdict = column.judge(hash, judgeHash(hash, context), row, ofAnyLength);
  census?.count(record, verdict, row);
  return verdict;
}

/** The verdict on a record's hash by a run's options; a proof judges by the same. */
export function judgeHash(
  hash: RawHash | null,
  context: Pick<JudgingContext, "hashConfig" | "signerKeys" | "policy" | "vendor">,
  argon2HashBytes: NormalizeOptions["argon2HashBytes"] = context.policy.argon2HashBytes,
): HashVerdict {
  if (hash === null) return NO_HASH;
  const { hashConfig, signerKeys, policy, vendor } = context;
  const { assumePlain, accept2x } = policy;
  return normalizeHash(hash, {
    hashConfig,
    signerKeys,
    vendor,
    assumePlain,
    accept2x,
    argon2HashBytes,
  });
}

/** The vendor's id, unless it is a contact: those are told nowhere and kept nowhere. */
export function tellableId({
  sourceId,
  phone,
}: Pick<UserRecord, "sourceId" | "phone">): string | null {
  // A number of many digits may be an id like any other, but not the digits of the user's own phone.
  if (sourceId === null || sourceId === phone?.value.slice(1)) return null;
  return withoutContact(sourceId);
}

/** An id as it may be told and kept; null for one that looks like a contact. */
export function withoutContact(id: string): string | null {
  return looksLikeContact(id) ? null : id;
}

/** The key of what makes two rows the same user. */
export function identityKey(
  record: UserRecord,
  row: RowRef,
  context: Pick<PlanningContext, "digester" | "source" | "namespace">,
): Key {
  const { digester, source, namespace } = context;
  if (record.sourceId !== null) return digester.id(source, namespace, record.sourceId);
  if (record.email !== null) return digester.contact("email", record.email.value);
  if (record.phone !== null) return digester.contact("phone", record.phone.value);
  return digester.row(row.file, row.number);
}

/**
 * Only contacts that the user gets at the core: somebody who is left out must not keep a contact
 * from the user who rightly has it.
 */
function contactKeys(planned: Planned, digester: Digester): ClaimedContact[] {
  return claimsOf(planned).map(({ kind, value, rank }) => ({
    kind,
    rank,
    key: digester.contact(kind, value),
  }));
}

/** An address, also in a URL's encoding, or an international number, also behind a prefix. */
const CONTACT = /@|%40|^\+[\d\s().-]+$|\+\d{7}/;

/** Some vendors use an address as the id; the checkpoint keeps no readable contact. */
function looksLikeContact(id: string): boolean {
  return CONTACT.test(id);
}

function hashConfigMissing({ file, number }: RowRef): RunError {
  return new RunError(
    "hash_config_missing",
    `${file}, row ${number} has a scrypt hash, which can't be built without the vendor account's hash parameters.`,
    {
      hint: "Copy the hash_config block from the vendor's console (Authentication, Users, password hash parameters) into a file and add --hash-config FILE.",
    },
  );
}
