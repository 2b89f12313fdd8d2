/** Who hears of the rows of an inspection, for the run itself. Types only. */

import type { PlannedUser } from "../plan/action.js";
import type { Input } from "../source/inputs.js";
import type { SourceItem } from "../source/source.js";

/** Rows that were read, of the same indexes. */
export interface HeardRows {
  readonly items: readonly SourceItem[];
  /** Null for a row that names no user. */
  readonly users: readonly (PlannedUser | null)[];
}

/** Hears of each row with its user, in the order of the inputs and of their rows. */
export interface RowWatch {
  /** @param hasContests whether some contact is contested so far */
  take(input: Input, rows: HeardRows, hasContests: boolean): void;
}
