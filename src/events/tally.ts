/** The tally counts a run's rows and outcomes; the outcomes must add up to the rows read. */

import type { HashAlgorithm } from "../hash/hash.js";
import type { CallName, Finding, Outcome, RowEvent, RowRef } from "./events.js";
import type { Counts } from "./summary.js";
import {
  counterOf,
  countExample,
  type ExampleCounter,
  finding,
  type FindingCode,
  inOrder,
} from "./findings.js";

/** The notice on a user whom the vendor's id doesn't lead to, although `--keep-ids` asks for it. */
export const ID_NOT_KEPT = "id_not_kept";

/** Notices that only calls bring to light, of which the rows are told at a run's end, and not their number alone. */
const FOUND: ReadonlyMap<string, FindingCode> = new Map(
  ([ID_NOT_KEPT, "unverified_not_replaced", "other_way_in", "contact_conflict"] as const).map(
    (code) => [code, code],
  ),
);

/** Users who are to be brought, by how. */
type Ready = Record<"import" | "passwordless" | "thirdparty", number>;

/** A run's counters. */
export interface Tally {
  readonly outcomes: Record<Outcome, number>;
  readonly calls: Record<CallName, number>;
  readonly ready: Ready;
  /** The users imported in this run, by the algorithm of their hash. */
  readonly importedAlgorithms: Partial<Record<HashAlgorithm, number>>;
  /** Users whose hash is kept for the bridge: who would be imported so, and who were. */
  readonly bridged: { planned: number; imported: number };
  /** How many users have which parts of their accounts carried, each part a bit: who would be brought so, and who were. */
  readonly carried: Readonly<Record<"planned" | "brought", Map<number, number>>>;
  retries: number;
  /** Waits of all calls at once, and their milliseconds. */
  pauses: number;
  pausedMs: number;
  /** Users who were brought by a sign-in. */
  signedIn: number;
  /** Users whom the vendor's id leads to since this run, or did before. */
  mapped: number;
  /** One more record was read, or several. */
  read(records?: number): void;
  /** @param password the algorithm of the hash that was imported, or that it was kept; null without one */
  ended(outcome: Outcome, password?: HashAlgorithm | "bridged" | null, carried?: number): void;
  rejected(code: string): void;
  skipped(code: string): void;
  noticed(codes: readonly string[], row: RowRef): void;
  /** A row is a duplicate of one before it that has a lesser right to the contact. */
  claimed(row: RowRef, first: RowRef): void;
  /** What the notices so far say that the operator has to look into, with rows. */
  findings(): Finding[];
  planned(kind: keyof Ready, password: HashAlgorithm | "bridged" | null, carried?: number): void;
  /** Records that have an outcome. */
  done(): number;
  readSoFar(): number;
  /** The counts that every summary has. */
  counts(): Counts;
}

export function createTally(): Tally {
  let read = 0;
  const rejects: Record<string, number> = {};
  const skips: Record<string, number> = {};
  const notices: Record<string, number> = {};
  const outcomes = noOutcomes();
  const ready: Ready = { import: 0, passwordless: 0, thirdparty: 0 };
  const bridged = { planned: 0, imported: 0 };
  const algorithms: Partial<Record<HashAlgorithm, number>> = {};
  const importedAlgorithms: Partial<Record<HashAlgorithm, number>> = {};
  const carried = { planned: new Map<number, number>(), brought: new Map<number, number>() };
  return {
    outcomes,
    calls: noCalls(),
    ready,
    importedAlgorithms,
    bridged,
    carried,
    retries: 0,
    pauses: 0,
    pausedMs: 0,
    signedIn: 0,
    mapped: 0,
    read: (records = 1) => {
      read += records;
    },
    ended: (outcome, password = null, bits = 0) => {
      outcomes[outcome] += 1;
      if (outcome === "imported" || outcome === "created") countBits(carried.brought, bits);
      if (outcome !== "imported" || password === null) return;
      if (password === "bridged") bridged.imported += 1;
      else increment(importedAlgorithms, password);
    },
    rejected: (code) => {
      outcomes.rejected += 1;
      increment(rejects, code);
    },
    skipped: (code) => {
      outcomes.skipped += 1;
      increment(skips, code);
    },
    ...countNotices(notices),
    planned: (kind, password, bits = 0) => {
      ready[kind] += 1;
      if (password === "bridged") bridged.planned += 1;
      else if (password !== null) increment(algorithms, password);
      countBits(carried.planned, bits);
    },
    done: () => Object.values(outcomes).reduce((sum, count) => sum + count, 0),
    readSoFar: () => read,
    counts: () => {
      const { skipped, rejected } = outcomes;
      return { read, skipped, rejected, algorithms, rejects, skips, notices };
    },
  };
}

/** @param notices how often there was each, counted on */
function countNotices(
  notices: Record<string, number>,
): Pick<Tally, "noticed" | "claimed" | "findings"> {
  const found = new Map<FindingCode, ExampleCounter>();
  return {
    noticed: (codes, row) => {
      for (const code of codes) {
        increment(notices, code);
        const finding = FOUND.get(code);
        if (finding !== undefined) countExample(counterOf(found, finding), row);
      }
    },
    claimed: (row, first) => {
      const counter = counterOf(found, "contact_claimed_unverified");
      countExample(counter, row);
      if (counter.rows.at(-1) === row) counter.rows.push(first);
    },
    findings: () => inOrder([...found].map(([code, counter]) => finding(code, counter))),
  };
}

function countBits(users: Map<number, number>, bits: number): void {
  if (bits !== 0) users.set(bits, (users.get(bits) ?? 0) + 1);
}

function increment<K extends string>(counts: Partial<Record<K, number>>, key: K): void {
  counts[key] = (counts[key] ?? 0) + 1;
}

/** Counts a reject, skip or failure and emits it. */
export function emitRow(event: RowEvent, tally: Tally, emit: (event: RowEvent) => void): void {
  if (event.type === "reject") tally.rejected(event.code);
  else if (event.type === "skip") tally.skipped(event.code);
  else tally.ended("failed");
  emit(event);
}

/** How often each call is to be made. */
export type CallCounts = Record<CallName, number>;

/** No calls. */
export function noCalls(): CallCounts {
  return { code: 0, consume: 0, update: 0, import: 0, lookup: 0, map: 0, part: 0 };
}

/** No user with any outcome. */
export function noOutcomes(): Record<Outcome, number> {
  return {
    imported: 0,
    created: 0,
    existed: 0,
    skipped: 0,
    rejected: 0,
    failed: 0,
    unchanged: 0,
  };
}
