/** How many users stand where, counted over the whole checkpoint. It reads, and decides nothing. */

import type { Database } from "../sqlite/database.js";
import { isFinished, STATE, type State } from "../plan/states.js";

/** Users by state, and by code where they have one. A second row of one user is none. */
export interface StateCounts {
  /** All that the checkpoint knows; the sum of the eight that follow. */
  readonly users: number;
  readonly imported: number;
  readonly created: number;
  readonly existed: number;
  readonly skipped: number;
  readonly rejected: number;
  readonly failed: number;
  /** Known, and nothing was sent. */
  readonly pending: number;
  /** A call was about to be made and how it ended wasn't noted: in flight, or of a run that was killed. */
  readonly unknown: number;
  /** Of those who are at the core, whom the vendor's id couldn't be mapped to. */
  readonly unmapped: number;
  readonly rejects: Readonly<Record<string, number>>;
  readonly skips: Readonly<Record<string, number>>;
  readonly failures: Readonly<Record<string, number>>;
}

const NAMES = {
  [STATE.planned]: "pending",
  [STATE.intent]: "unknown",
  [STATE.imported]: "imported",
  [STATE.created]: "created",
  [STATE.existed]: "existed",
  [STATE.skipped]: "skipped",
  [STATE.rejected]: "rejected",
  [STATE.failed]: "failed",
} as const satisfies Record<State, keyof StateCounts>;

type CodeTable = "rejects" | "skips" | "failures";

/** Which table of codes a state's code belongs to. */
const CODES: Partial<Record<State, CodeTable>> = {
  [STATE.skipped]: "skips",
  [STATE.rejected]: "rejects",
  [STATE.failed]: "failures",
};

export function selectCounts(database: Database): StateCounts {
  const groups = database
    .prepare<[State, string | null, number]>(
      "SELECT state, code, count(*) FROM users GROUP BY state, code ORDER BY count(*) DESC, code",
    )
    .all();
  const states = { pending: 0, unknown: 0, imported: 0, created: 0, existed: 0 };
  const counts = { users: 0, ...states, skipped: 0, rejected: 0, failed: 0, unmapped: 0 };
  const codes: Record<CodeTable, Record<string, number>> = { rejects: {}, skips: {}, failures: {} };
  for (const [state, code, count] of groups) {
    counts.users += count;
    counts[NAMES[state]] += count;
    if (code === null) continue;
    if (isFinished(state)) counts.unmapped += count;
    const table = CODES[state];
    if (table !== undefined) codes[table][code] = count;
  }
  return { ...counts, ...codes };
}
