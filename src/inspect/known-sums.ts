/** What an inspection counts of rows that follow each other, as an earlier run has found it out: sums, which join with those of the rows behind. */

import type { FindingCode } from "../events/findings.js";
import { type KindCount, kindAmong } from "./histogram.js";

/** Rows that a finding names. */
const EXAMPLES = 3;

/** How many rows and lines behind the first row another one stands. */
export type Ahead = readonly [rows: number, lines: number];

/** How often something was told, and where first. */
export interface Told<Name extends string> {
  readonly name: Name;
  readonly count: number;
  readonly at: readonly Ahead[];
}

/** Rows that follow each other. */
export interface KnownSums {
  readonly rows: number;
  readonly lines: number;
  /** How many rows fill each column. */
  readonly filled: readonly number[];
  /** Addresses that no user is known by, so that others may have them as well. */
  readonly unclaimed: number;
  /** Addresses that aren't written in lower case. */
  readonly capitals: number;
  readonly byCode: number;
  readonly bySocial: number;
  readonly roles: readonly string[];
  readonly kinds: readonly KindCount[];
  readonly notes: readonly Told<FindingCode>[];
  readonly steps: readonly Told<string>[];
}

export const NO_ROWS: KnownSums = {
  rows: 0,
  lines: 0,
  filled: [],
  unclaimed: 0,
  capitals: 0,
  byCode: 0,
  bySocial: 0,
  roles: [],
  kinds: [],
  notes: [],
  steps: [],
};

/** Sums that rows behind theirs are added to. */
export class GrowingSums implements KnownSums {
  rows = 0;
  lines = 0;
  unclaimed = 0;
  capitals = 0;
  byCode = 0;
  bySocial = 0;
  readonly filled: number[] = [];
  readonly roles: string[] = [];
  readonly kinds: KindCount[] = [];
  readonly notes: Told<FindingCode>[] = [];
  readonly steps: Told<string>[] = [];

  add(sums: KnownSums): void {
    const ahead = [this.rows, this.lines] as const;
    this.rows += sums.rows;
    this.lines += sums.lines;
    this.unclaimed += sums.unclaimed;
    this.capitals += sums.capitals;
    this.byCode += sums.byCode;
    this.bySocial += sums.bySocial;
    for (const [index, count] of sums.filled.entries()) {
      // A column that no row fills is absent, or null where it came as JSON.
      this.filled[index] = (this.filled[index] ?? 0) + (count ?? 0);
    }
    for (const role of sums.roles) if (!this.roles.includes(role)) this.roles.push(role);
    for (const kind of sums.kinds) addKind(this.kinds, kind);
    for (const note of sums.notes) tell(this.notes, note, ahead);
    for (const step of sums.steps) tell(this.steps, step, ahead);
  }
}

function addKind(kinds: KindCount[], kind: KindCount): void {
  const known = kindAmong(kinds, kind.algorithm, kind.cost, kind.length);
  if (known === undefined) kinds.push({ ...kind });
  else known.count += kind.count;
}

function tell<Name extends string>(
  told: Told<Name>[],
  { name, count, at }: Told<Name>,
  [rows, lines]: Ahead,
): void {
  const index = told.findIndex((one) => one.name === name);
  const known = told[index];
  const places = at.map(([row, line]): Ahead => [rows + row, lines + line]);
  if (known === undefined) told.push({ name, count, at: places });
  else {
    const first = [...known.at, ...places].slice(0, EXAMPLES);
    told[index] = { name, count: known.count + count, at: first };
  }
}
