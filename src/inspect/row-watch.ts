/** Who hears of the rows of an inspection, for the run itself. Types only. */

import type { PlannedUser } from "../plan/action.js";
import type { Input } from "../source/inputs.js";
import type { SourceItem } from "../source/source.js";
import type { HashColumn } from "./hash-column.js";
import type { KnowsRows } from "./left-out-rows.js";
import type { RowFacts } from "./row-sums.js";

/** Hears of each row with its user, in the order of the inputs and of their rows. */
export interface RowWatch {
  /** Whether the items are to say where in the file they begin. */
  readonly needsOffsets: boolean;
  /**
   * @param users of the same indexes; null for a row that names none
   * @param hasContests whether some contact is contested so far
   */
  take(
    input: Input,
    items: readonly SourceItem[],
    users: readonly (PlannedUser | null)[],
    hasContests: boolean,
    facts: readonly RowFacts[],
  ): void;
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
