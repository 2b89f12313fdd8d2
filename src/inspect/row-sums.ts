/** What an inspection makes of rows that follow each other: what it counts, by sums, and what it compares, by digests of each row. With both it goes on as if it had read them. */

import type { FindingCode } from "../events/findings.js";
import type { UserRecord } from "../account/user-record.js";
import type { HashAlgorithm, HashVerdict } from "../hash/hash.js";
import type { Plan } from "../plan/plan.js";
import type { SourceItem } from "../source/source.js";
import { noteOf } from "./contact-inspector.js";
import { digest, digestsOf } from "./digest.js";
import { type HashKind, kindAmong, type KindCount, kindOf } from "./histogram.js";
import type { KnownSums, Told } from "./known-sums.js";
import { wholeLength } from "./hash-column.js";

/** What an inspection has told of one row beside its contacts. */
export class RowFacts {
  verdict: Extract<HashVerdict, { verdict: "accepted" }> | null = null;
  readonly notes: FindingCode[] = [];
}

/** Rows that more are added to. */
export interface RowSums extends KnownSums {
  rows: number;
  readonly filled: number[];
  byCode: number;
  bySocial: number;
  readonly roles: string[];
  readonly kinds: KindCount[];
  readonly notes: Told<FindingCode>[];
  readonly steps: Told<string>[];
  readonly lines: number[];
  readonly lengths: number[];
  readonly keys: number[];
}

export function newRowSums(): RowSums {
  return {
    rows: 0,
    filled: [],
    byCode: 0,
    bySocial: 0,
    roles: [],
    kinds: [],
    notes: [],
    steps: [],
    lines: [],
    lengths: [],
    keys: [],
  };
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

/** A row whose part in an inspection can be written down. */
interface SummedRow {
  readonly record: UserRecord;
  readonly fills: readonly number[];
  readonly keys: readonly number[];
}

/** @returns null for a row that has to be read to be known */
export function summedRow({ item, facts: { verdict } }: ReadRow): SummedRow | null {
  if (item.kind !== "record" || item.fills === undefined) return null;
  const { record, fills } = item;
  const { email, hash, exclusions, notices } = record;
  if (exclusions.length > 0 || notices.includes(IMITATES)) return null;
  const isKnown = verdict === null ? hash === null : SUMMED.has(verdict.algorithm);
  if (!isKnown) return null;
  const user = digestsOf(record);
  const hashed = verdict === null ? 0 : digest(verdict.hash);
  // 0 stands for none.
  if ((email !== null && user.email === 0) || (verdict !== null && hashed === 0)) return null;
  return { record, fills, keys: [hashed, user.id, user.email, noteOf(record, user)] };
}

/** Adds a row that stands behind the others. */
export function addRow(
  sums: RowSums,
  { record, fills, keys }: SummedRow,
  { plan, facts }: ReadRow,
  line: number,
): void {
  const { verdict, notes } = facts;
  const at = [sums.rows, line] as const;
  sums.rows += 1;
  sums.lines.push(line);
  sums.keys.push(...keys);
  for (const index of fills) sums.filled[index] = (sums.filled[index] ?? 0) + 1;
  if (plan.kind === "passwordless") sums.byCode += 1;
  if (plan.kind === "thirdparty") sums.bySocial += 1;
  const roles = "account" in plan ? (plan.account?.roles ?? []) : [];
  for (const role of roles) if (!sums.roles.includes(role)) sums.roles.push(role);
  for (const note of notes) tell(sums.notes, note, at);
  for (const step of verdict?.steps ?? []) tell(sums.steps, step, at);
  sums.lengths.push(
    verdict === null || record.hash === null ? 0 : wholeLength(record.hash, verdict),
  );
  if (verdict !== null) addKind(sums.kinds, kindOf(verdict.algorithm, verdict.hash));
}

function tell<Name extends string>(
  told: Told<Name>[],
  name: Name,
  at: readonly [rows: number, lines: number],
): void {
  const known = told.find((one) => one.name === name);
  if (known === undefined) told.push({ name, count: 1, at: [at] });
  else {
    known.count += 1;
    if (known.at.length < EXAMPLES) known.at.push(at);
  }
}

/** Rows that a finding names. */
const EXAMPLES = 3;

function addKind(kinds: RowSums["kinds"], kind: HashKind): void {
  const known = kindAmong(kinds, kind.algorithm, kind.cost, kind.length);
  if (known === undefined) kinds.push({ ...kind, count: 1 });
  else known.count += 1;
}
