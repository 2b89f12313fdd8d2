/** The events of a migration. These shapes are the machine output of `--json`; fields are only added. */

import type { HashAlgorithm } from "../hash/hash.js";
import type { ColumnsRead } from "../source/source.js";

/** A row of an input: the file as the operator named it, and the row's number from 1. */
export interface RowRef {
  readonly file: string;
  readonly number: number;
  /**
   * The line at which it begins, from 1, as an editor counts; absent where rows aren't lines, as in
   * a JSON document, and of rows that only the checkpoint knows.
   */
  readonly line?: number | undefined;
  /** Of a file of rejects: the row of the export that stands here. */
  readonly origin?: RowRef | undefined;
}

/** A user who was rejected, skipped or failed. Holds no contact and no hash. */
export interface RowEvent {
  readonly type: "reject" | "skip" | "failure";
  readonly row: RowRef;
  /** The vendor's id; null where there is none or where it looks like a contact. */
  readonly sourceId: string | null;
  readonly code: string;
  /** What it is and what the operator can do, in a sentence. */
  readonly hint: string;
}

/** How far the run is; at most once a second. */
export interface ProgressEvent {
  readonly type: "progress";
  /**
   * `census` while the inputs are read, `list` while `reconcile` reads the core's list of users; each
   * phase counts anew.
   */
  readonly phase: "census" | "list" | "run";
  /** Rows read so far, and how many of them have an outcome. */
  readonly read: number;
  readonly done: number;
  readonly rejected: number;
  readonly failed: number;
  readonly retries: number;
  /** As in the summary. */
  readonly pauses: number;
  readonly pausedMs: number;
  readonly mapped: number;
  /** Users on their way, each with a call or a chain of calls. */
  readonly inFlight: number;
  /** Calls at the core that aren't answered yet. */
  readonly callsInFlight: number;
  /** The most calls in flight that are allowed now; null where only `inFlight` limits them. */
  readonly callLimit: number | null;
  /** Rows in all; null where they weren't counted, or where not all are to be read. */
  readonly total: number | null;
  /** Bytes read so far and in all; `totalBytes` is null where it can't be known. */
  readonly bytes: number;
  readonly totalBytes: number | null;
  readonly elapsedMs: number;
}

/** All calls wait for a second or more; the run goes on by itself, or ends with the code `outage`. */
export interface PauseEvent {
  readonly type: "pause";
  /**
   * `retry_after`: the core asks for it. `busy`: it is overloaded and doesn't say for how long.
   * `outage`: it doesn't answer, and is asked again after the wait.
   */
  readonly reason: "retry_after" | "busy" | "outage";
  readonly waitMs: number;
  /** What the core said, or why it didn't answer; written to follow a colon. */
  readonly message: string;
}

/** How far the core's queue is, to which an import has given whole accounts; of the users whom it waits for at its end. */
export interface QueueEvent {
  readonly type: "queue";
  /** Users in the queue still, as far as counts of it show. */
  readonly queued: number;
  /** Users who are through it. They count once the core shows them. */
  readonly written: number;
  /** Users whom the core couldn't write. */
  readonly failed: number;
  /** Milliseconds until the queue is empty, at its pace so far; null where none is written yet. */
  readonly leftMs: number | null;
}

/** A fact about the inputs as a whole. Holds no contact and no hash. */
export interface Finding {
  readonly code: string;
  /** The number of rows that it is about; a lower bound where `hint` says "at least". */
  readonly count: number;
  /** A few of those rows. */
  readonly rows: readonly RowRef[];
  /** The vendor's ids of a few users whom no row of this run names; absent where rows do. */
  readonly sourceIds?: readonly string[];
  /** What it means and what the operator can do. */
  readonly hint: string;
}

/** A finding as it is told: by an import before its first call, by a dry run at its end; `id_not_kept` at an import's end. */
export interface FindingEvent extends Finding {
  readonly type: "finding";
}

/**
 * The columns of a generic file that were read, each with its field, and those that weren't; no
 * values. They are told once the file is read, before an import's first call.
 */
export interface ColumnsEvent extends Omit<ColumnsRead, "unmatched"> {
  readonly type: "columns";
  readonly file: string;
}

/** How an import would end for a row, as far as a dry run has asked the core. Holds no contact and no hash. */
export interface PredictionEvent {
  readonly type: "prediction";
  readonly row: RowRef;
  /** `stop`: the import would end before it sends this user. */
  readonly outcome: Outcome | "stop";
  /** Of a reject, a skip, a failure or a stop; else null. */
  readonly code: string | null;
}

/** A field that some row of an input fills, or a path of the caller's own mapping, and what becomes of it; no values. Told where a caller asks for fields. */
export interface FieldEvent {
  readonly type: "field";
  readonly file: string;
  /** A column's name, a path as in `identities[].provider`, or a mapping's expression. */
  readonly path: string;
  /** How many rows fill it; 0 only for a mapping's. */
  readonly rows: number;
  /** `told` is one that stays behind, with a code; `meaningless` one that means nothing elsewhere, with a reason. */
  readonly fate: "read" | "carried" | "told" | "meaningless";
  /** What it is: `id`, `contact`, `hash`, `joined`, `metadata` and the like; null where that isn't known. */
  readonly is: string | null;
  readonly code: string | null;
  readonly reason: string | null;
}

/** What an import or a dry run tells while it runs. */
export type MigrationEvent =
  | RowEvent
  | FindingEvent
  | ColumnsEvent
  | FieldEvent
  | ProgressEvent
  | QueueEvent
  | PauseEvent;

/** How many of the accepted hashes were made alike. */
export interface HashCount {
  readonly algorithm: HashAlgorithm;
  /** bcrypt `"10"`, argon2 `"m=65536,t=3,p=4"`, vendor scrypt `"m=14,r=8"`; `"other"` for all kinds after the first fifty. */
  readonly cost: string;
  /** In characters, as sent; null where `cost` is `"other"`. */
  readonly length: number | null;
  readonly count: number;
}

/** How a record ended in a run. Every record read has exactly one. */
export type Outcome =
  | "imported"
  | "created"
  | "existed"
  | "skipped"
  | "rejected"
  | "failed"
  | "unchanged";

/** The calls of interface.md 4, and also lookups, mappings of user ids, and what sends the other parts of accounts. */
export type CallName = "code" | "consume" | "update" | "import" | "lookup" | "map" | "part";
