/** What an inspection makes of rows that follow each other: what it counts, by sums, and what it compares, by digests of each row. With both it goes on as if it had read them. */

import type { UserRecord } from "../account/user-record.js";
import type { FindingCode } from "../events/findings.js";
import type { AcceptedHash, HashAlgorithm } from "../hash/hash.js";
import type { Plan } from "../plan/plan.js";
import { claimsEmail } from "../plan/user-keys.js";
import type { SourceItem } from "../source/source.js";
import { noteOf } from "./contact-inspector.js";
import { digest, digestsOf } from "./digest.js";
import { kindOf } from "./histogram.js";
import { type KnownSums, NO_ROWS, type Told } from "./known-sums.js";

/** What an inspection has told of one row beside its contacts. */
export class RowFacts {
  verdict: AcceptedHash | null = null;
  readonly notes: FindingCode[] = [];
}

/** Of vendor scrypt hashes the salts are compared as well. */
const SUMMED: ReadonlySet<HashAlgorithm> = new Set(["bcrypt", "argon2"]);
/** Such an address is compared with all others. */
const IMITATES = "email_lookalike";

/** A row as it was read and planned. */
export interface ReadRow {
  readonly item: SourceItem;
  readonly plan: Plan;
  readonly facts: RowFacts;
}

/** A row's part in an inspection. */
interface SummedRow {
  readonly sums: KnownSums;
  /** What it is compared by. */
  readonly keys: readonly number[];
}

/** @returns null for a row that has to be read to be known */
export function summedRow({ item, plan, facts }: ReadRow): SummedRow | null {
  if (item.kind !== "record" || item.fills === undefined) return null;
  const { record, fills } = item;
  const { email, hash, exclusions, notices } = record;
  const { verdict } = facts;
  if (exclusions.length > 0 || notices.includes(IMITATES)) return null;
  const isKnown = verdict === null ? hash === null : SUMMED.has(verdict.algorithm);
  if (!isKnown) return null;
  const user = digestsOf(record);
  const hashed = verdict === null ? 0 : digest(verdict.hash);
  // 0 stands for none.
  if ((email !== null && user.email === 0) || (verdict !== null && hashed === 0)) return null;
  const keys = [hashed, user.id, user.email, noteOf(record, user)];
  return { sums: { ...sumsOf(fills, plan, facts), ...addressSums(record, plan) }, keys };
}

function sumsOf(fills: readonly number[], plan: Plan, { verdict, notes }: RowFacts): KnownSums {
  const filled: number[] = [];
  for (const index of fills) filled[index] = 1;
  return {
    ...NO_ROWS,
    rows: 1,
    filled,
    byCode: plan.kind === "passwordless" ? 1 : 0,
    bySocial: plan.kind === "thirdparty" ? 1 : 0,
    roles: "account" in plan ? (plan.account?.roles ?? []) : [],
    kinds: verdict === null ? [] : [{ ...kindOf(verdict.algorithm, verdict.hash), count: 1 }],
    notes: notes.map(toldHere),
    steps: (verdict?.steps ?? []).map(toldHere),
  };
}

/** What its address can be compared by. */
export function addressSums(
  { email, emailAsWritten }: UserRecord,
  plan: Plan,
): Pick<KnownSums, "unclaimed" | "capitals"> {
  if (email === null) return { unclaimed: 0, capitals: 0 };
  return {
    unclaimed: claimsEmail(plan) ? 0 : 1,
    capitals: emailAsWritten === undefined ? 0 : 1,
  };
}

function toldHere<Name extends string>(name: Name): Told<Name> {
  return { name, count: 1, at: [[0, 0]] };
}
