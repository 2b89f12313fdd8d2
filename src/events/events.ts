/** The events of a migration. lines/ says what each of their fields is: it is the machine output of `--json` as well, and fields are only added. */

import type { Field, LineOf, RunEvent } from "./lines/lines.js";

/** A row of an input: the file as the operator named it, and the row's number from 1. */
export type RowRef = LineOf<"reject">["row"];

/** A user who was rejected, skipped or failed. Holds no contact and no hash. */
export interface RowEvent extends Omit<LineOf<"reject">, "type"> {
  readonly type: "reject" | "skip" | "failure";
}

/** How far the run is; at most once a second. */
export type ProgressEvent = LineOf<"progress">;

/** All calls wait for a second or more; the run goes on by itself, or ends with the code `outage`. */
export type PauseEvent = LineOf<"pause">;

/** How far the core's queue is, to which an import has given whole accounts; of the users whom it waits for at its end. */
export type QueueEvent = LineOf<"queue">;

/** A finding as it is told: by an import before its first call, by a dry run at its end; `id_not_kept` at an import's end. */
export type FindingEvent = LineOf<"finding">;

/** A fact about the inputs as a whole. Holds no contact and no hash. */
export type Finding = Omit<FindingEvent, "type">;

/**
 * The columns of a generic file that were read, each with its field, and those that weren't; no
 * values. They are told once the file is read, before an import's first call.
 */
export type ColumnsEvent = LineOf<"columns">;

/** How an import would end for a row, as far as a dry run has asked the core. Holds no contact and no hash. */
export type PredictionEvent = LineOf<"prediction">;

/** A field that some row of an input fills, or a path of the caller's own mapping, and what becomes of it; no values. Told where a caller asks for fields. */
export type FieldEvent = LineOf<"field">;

/** What an import or a dry run tells while it runs. */
export type MigrationEvent = RunEvent;

/** How a record ended in a run. Every record read has exactly one. */
export type Outcome = Exclude<PredictionEvent["outcome"], "stop">;

/** The calls of interface.md 4, and also lookups, mappings of user ids, and what sends the other parts of accounts. */
export type CallName = keyof Field<"import-summary", "calls">;
