/** A row as the stage hands it back. */

import type { PlannedUser } from "../plan/action.js";
import type { Among } from "../plan/contests.js";
import type { RawRow } from "../source/raw/raw-row.js";
import type { SourceItem } from "../source/source.js";
import type { Waiting } from "./waiting.js";

/** A row that was read, with its user. */
export interface StagedRow {
  readonly kind: SourceItem["kind"];
  readonly number: number;
  readonly line?: number | undefined;
  readonly origin?: string | undefined;
  /** Why the row can't be read or names no user; empty of any other. */
  readonly code: string;
  readonly hint: string;
  /** As it stood in the input, where rejects are written out. */
  readonly raw?: (() => RawRow) | undefined;
  /** Null for a row that names no user, or that waits. */
  readonly user: PlannedUser | null;
  readonly waiting?: Waiting | undefined;
  /** What the other rows and earlier runs make of it; absent of a new user's own. */
  readonly among?: Among;
}
