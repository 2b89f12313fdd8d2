/** The tally counts a run's rows and outcomes; the outcomes must add up to the rows read. */

import { EXAMPLES } from "../errors/first-rows.js";
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
  newExampleCounter,
} from "./findings.js";

/** The notice on a user whom the vendor's id doesn't lead to, although `--keep-ids` asks for it. */
export const ID_NOT_KEPT = "id_not_kept";

/** Notices that only calls bring to light. At a run's end their rows are told, and not their number alone. */
const FOUND: ReadonlyMap<string, FindingCode> = new Map(
  ([ID_NOT_KEPT, "unverified_not_replaced", "other_way_in", "contact_conflict"] as const).map(
    (code) => [code, code],
  ),
);

/** What goes along with a user, a bit for each part of the account; `left`: the day of joining doesn't. */
export const CARRIED_BIT = {
  verified: 1,
  joined: 2,
  metadata: 4,
  social: 8,
  totp: 16,
  roles: 32,
  left: 64,
} as const;

/** What goes along with a row's user, of {@link CARRIED_BIT}. */
interface Brings {
  readonly bits: number;
  readonly row: RowRef;
}

/** A run's counters. */
export class Tally {
  readonly outcomes: Record<Outcome, number> = {
    imported: 0,
    created: 0,
    existed: 0,
    skipped: 0,
    rejected: 0,
    failed: 0,
    unchanged: 0,
  };
  readonly calls = noCalls();
  /** Users who are to be brought, by how. */
  readonly ready = { import: 0, passwordless: 0, thirdparty: 0 };
  /** The users imported in this run, by the algorithm of their hash. */
  readonly importedAlgorithms: Partial<Record<HashAlgorithm, number>> = {};
  /** Users whose hash is kept for the bridge: who would be imported so, and who were. */
  readonly bridged = { planned: 0, imported: 0 };
  /** Of those created in this run, who sign in by a social account. */
  social = 0;
  /** How many users have which parts of their accounts carried, each part a bit: who would be brought so, and who were. */
  readonly carried = { planned: new Map<number, number>(), brought: new Map<number, number>() };
  /** Users who are brought without the day on which they joined. */
  readonly joinedLeft = newExampleCounter();
  retries = 0;
  /** Waits of all calls at once, and their milliseconds. */
  pauses = 0;
  pausedMs = 0;
  /** Users who were brought by a sign-in. */
  signedIn = 0;
  /** Users whom the vendor's id leads to since this run, or did before. */
  mapped = 0;
  /** Rows still to be read whose users the run has brought that this one goes on with. */
  ahead: () => number = () => 0;
  #read = 0;
  readonly #algorithms: Partial<Record<HashAlgorithm, number>> = {};
  readonly #rejects: Record<string, number> = {};
  readonly #skips: Record<string, number> = {};
  readonly #notices: Record<string, number> = {};
  /** Rows beside the users, by code. */
  readonly otherRows = { rejects: {}, skips: {}, failures: {} };
  readonly #found = new Map<FindingCode, ExampleCounter>();

  read(records = 1): void {
    this.#read += records;
  }

  /** A row that can't be read, or whose user or contact is counted already; it is counted by its event as well. */
  beside({ type, code }: Pick<RowEvent, "type" | "code">): void {
    increment(this.otherRows[`${type}s`], code);
  }

  /** @param signIn by the algorithm of the hash that was imported, one that was kept, a social account; null by a code */
  ended(
    outcome: Outcome,
    signIn: HashAlgorithm | "bridged" | "social" | null = null,
    brings: Brings | null = null,
  ): void {
    this.outcomes[outcome] += 1;
    if (brings !== null && (outcome === "imported" || outcome === "created")) this.brings(brings);
    if (signIn === "social") this.social += Number(outcome === "created");
    else if (outcome !== "imported" || signIn === null) return;
    else if (signIn === "bridged") this.bridged.imported += 1;
    else increment(this.importedAlgorithms, signIn);
  }

  rejected(code: string): void {
    this.outcomes.rejected += 1;
    increment(this.#rejects, code);
  }

  skipped(code: string): void {
    this.outcomes.skipped += 1;
    increment(this.#skips, code);
  }

  noticed(codes: readonly string[], row: RowRef): void {
    for (const code of codes) {
      increment(this.#notices, code);
      const finding = FOUND.get(code);
      if (finding !== undefined) countExample(counterOf(this.#found, finding), row);
    }
  }

  /** A row is a duplicate of one before it that has a lesser right to the contact. */
  claimed(row: RowRef, first: RowRef): void {
    const counter = counterOf(this.#found, "contact_claimed_unverified");
    counter.count += 1;
    if (counter.rows.length < EXAMPLES) counter.rows.push(row, first);
  }

  /** What the notices so far say that the operator has to look into, with rows. */
  findings(): Finding[] {
    return inOrder([...this.#found].map(([code, counter]) => finding(code, counter)));
  }

  planned(kind: keyof Tally["ready"], password: HashAlgorithm | "bridged" | null, bits = 0): void {
    this.ready[kind] += 1;
    if (password === "bridged") this.bridged.planned += 1;
    else if (password !== null) increment(this.#algorithms, password);
    countBits(this.carried.planned, bits);
  }

  done(): number {
    return Object.values(this.outcomes).reduce((sum, count) => sum + count, 0);
  }

  /** @param users -1 where a part stays behind with which a user was counted */
  brings({ bits, row }: Brings, users = 1): void {
    countBits(this.carried.brought, bits, users);
    if ((bits & CARRIED_BIT.left) !== 0) countExample(this.joinedLeft, row);
  }

  readSoFar(): number {
    return this.#read;
  }

  counts(): Counts {
    const { skipped, rejected } = this.outcomes;
    return {
      read: this.#read,
      skipped,
      rejected,
      algorithms: this.#algorithms,
      rejects: this.#rejects,
      skips: this.#skips,
      notices: this.#notices,
    };
  }
}

function countBits(counts: Map<number, number>, bits: number, users = 1): void {
  if (bits !== 0) counts.set(bits, (counts.get(bits) ?? 0) + users);
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
