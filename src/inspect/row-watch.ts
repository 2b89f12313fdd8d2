/** Who hears of the rows of an inspection, for the run itself. Types only. */

import type { PlannedUser } from "../plan/action.js";
import type { Input } from "../source/inputs.js";
import type { SourceItem } from "../source/source.js";
import type { HashColumn } from "./hash-column.js";
import type { KnowsRows } from "./left-out-rows.js";
import type { RowFacts } from "./row-sums.js";

/** Rows that were read, of the same indexes. */
export interface HeardRows {
  readonly items: readonly SourceItem[];
  /** Null for a row that names no user. */
  readonly users: readonly (PlannedUser | null)[];
  /** None where no row is known from an earlier run. */
  readonly facts: readonly RowFacts[];
}

/** Hears of each row with its user, in the order of the inputs and of their rows. */
export interface RowWatch {
  /** Whether the items are to say where in the file they begin. */
  readonly needsOffsets: boolean;
  /** @param hasContests whether some contact is contested so far */
  take(input: Input, rows: HeardRows, hasContests: boolean): void;
  /** @param column the pass over the input's hashes, which is over */
  end(input: Input, column: HashColumn): void;
  /** What says which rows aren't read; absent where all are. */
  readonly known?: RowMemory | null;
}

/** Rows that an earlier run has read. */
export interface RowMemory extends KnowsRows {
  readonly isInDoubt: boolean;
  /** Whether rows may be left out. */
  readonly leavesOut: boolean;
  /** What was heard so far counts no more. Less is left out from now on, or nothing. */
  startOver(): void;
}
