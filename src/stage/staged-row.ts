/** A row as the stage hands it back. */

import type { PlannedUser } from "../plan/action.js";
import type { Among } from "../plan/contests.js";
import type { Key } from "../plan/digests.js";
import type { RawRow } from "../source/raw/raw-row.js";
import type { SourceItem } from "../source/source.js";
import type { Waiting } from "./waiting.js";

/** What a row has beside its keys, in digests. */
export interface RowFacts {
  /** Its accepted hash; null without one. */
  readonly hash: Key | null;
  /** Whether its user claims the email as an address of their own. */
  readonly claims: boolean;
  /** Null where the keys say it all: the email is the first contact, or the identity of who has no id. */
  readonly further: FurtherFacts | null;
}

/** What few rows have; null for what this one has none of. */
export interface FurtherFacts {
  readonly email: Key | null;
  /** The salt of the hash, where it stands apart. */
  readonly salt: Key | null;
}

/** A user with the facts of its row, where there are any. */
export interface StagedUser extends PlannedUser {
  readonly facts?: RowFacts;
}

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
