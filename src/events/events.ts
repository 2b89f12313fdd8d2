/** The events of a migration and its summary. These shapes are the machine output of `--json`; fields are only added. */

import type { CoreTarget } from "../core/core.js";
import type { HashAlgorithm } from "../hash/hash.js";
import type { ColumnsRead } from "../source/source.js";
import type { ShardSummary } from "./shard.js";

/** A row of an input: the file as the operator named it, and the row's number from 1. */
export interface RowRef {
  readonly file: string;
  readonly number: number;
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
   * `join` while users look for their hash in a password export, `census` while an import reads its
   * inputs for the first time, `list` while `reconcile` reads the core's list of users; each phase
   * counts anew.
   */
  readonly phase: "join" | "census" | "list" | "run";
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
 * values. An import tells them before its first call. A dry run tells them at the file's end, and
 * so does an import whose input can be read only once.
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

/** A field that some row of an input fills, and what becomes of it; no values. Told where a caller asks for fields. */
export interface FieldEvent {
  readonly type: "field";
  readonly file: string;
  /** A column's name, or a path as in `identities[].provider`. */
  readonly path: string;
  /** How many rows fill it. */
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

/** What stopped a run before its end, other than an error: the caller's signal, its deadline, or too many rejects. */
export type StopReason = "signal" | "max_duration" | "max_rejects";

/** The calls of interface.md 4, and also lookups, mappings of user ids, and what sends the other parts of accounts. */
export type CallName = "code" | "consume" | "update" | "import" | "lookup" | "map" | "part";

/** What an import and a dry run count alike. */
export interface Counts {
  readonly read: number;
  readonly skipped: number;
  readonly rejected: number;
  /** Accepted hashes by algorithm, of users that are imported or would be. */
  readonly algorithms: Readonly<Partial<Record<HashAlgorithm, number>>>;
  readonly rejects: Readonly<Record<string, number>>;
  readonly skips: Readonly<Record<string, number>>;
  readonly notices: Readonly<Record<string, number>>;
}

/** What every summary says. */
interface RunSummary extends Counts {
  /** The inputs' sources, each once, separated by commas. */
  readonly source: string;
  /**
   * Accepted hashes of all rows by how they were made, the most frequent first. Skipped users and
   * duplicates count here, but not in `algorithms`.
   */
  readonly hashes: readonly HashCount[];
  /**
   * Of `imported`, in a dry run of `ready.import` or of those predicted as imported: users whose hash
   * no core takes and the vault keeps, for the bridge.
   */
  readonly bridged: number;
  /** What the users' password export gave them; null without one. */
  readonly passwordExport: PasswordCoverage | null;
  /**
   * The parts of accounts that are carried beside contacts and hashes: `verified`, `joined`,
   * `metadata`, `totp`, `roles`. A dry run that asks no core counts on one that offers them all.
   */
  readonly carried: readonly string[];
  /**
   * Under `--keep-ids`, the users whom the core finds by the vendor's id, since this run or an
   * earlier one. For a dry run, the users whose id an import would map. 0 without the option.
   */
  readonly mapped: number;
  /** Attempts at the core; all 0 for a dry run that asks none. */
  readonly calls: Readonly<Record<CallName, number>>;
  /**
   * Whether known passwords were verified before the bulk; for a remote core whether test users of
   * this migration signed in there.
   */
  readonly proved: boolean;
  readonly elapsedMs: number;
  /** The files with the rows that were rejected or failed; they hold hashes and contacts. */
  readonly rejectsFiles: readonly string[];
  /** Inputs that were cut off before their end. */
  readonly truncated: readonly string[];
  /** True where a pilot's limit left rows unread; the other counts are of those before them. */
  readonly limited: boolean;
  /** True when the run was stopped before its end; an import's progress is saved. */
  readonly interrupted: boolean;
  /** The shard whose part was counted; null for a whole export. */
  readonly shard: ShardSummary | null;
}

/** The end of an import. `read` is the sum of the seven outcomes and `pending`. */
export interface ImportSummary extends RunSummary {
  readonly command: "import";
  readonly core: CoreTarget;
  readonly imported: number;
  /** Those of `imported` by the algorithm of their hash. */
  readonly importedAlgorithms: Readonly<Partial<Record<HashAlgorithm, number>>>;
  readonly created: number;
  readonly existed: number;
  readonly failed: number;
  readonly unchanged: number;
  /** Records that were read but have no outcome; 0 unless the run was stopped, or left users in the core's queue. */
  readonly pending: number;
  /** Those of `pending` whom the core's queue has. */
  readonly queued: number;
  /** Calls that were made again. */
  readonly retries: number;
  /** Waits of all calls at once, because the core asked for one, was overloaded or didn't answer. */
  readonly pauses: number;
  /** How long they were, in milliseconds. */
  readonly pausedMs: number;
  /** Test users who were to sign in before the bulk, and how many of them did; null where none was to. */
  readonly signIns: { readonly users: number; readonly signedIn: number } | null;
  /** Null where the run wasn't stopped. */
  readonly stoppedBy: StopReason | null;
  readonly checkpoint: string;
}

/**
 * The end of a dry run. Where no core was asked, `read` is
 * the sum of `ready`, `skipped` and `rejected`.
 */
export interface ValidateSummary extends RunSummary {
  readonly command: "validate";
  /** Null where none was asked. */
  readonly core: CoreTarget | null;
  /** The calls that an import makes for these users, without retries: at the core that was asked, else at an empty one. */
  readonly plannedCalls: Readonly<Record<CallName, number>>;
  /** Users whom their rows alone let in. */
  readonly ready: Readonly<Record<"import" | "passwordless" | "thirdparty", number>>;
  /** Null where no core was asked. */
  readonly prediction: Prediction | null;
  /** The one from which the import goes on; null for a first run. */
  readonly checkpoint: string | null;
}

/** How an import would end, from what the core has answered. `read` is the sum of the outcomes, the stops and `unasked`. */
export interface Prediction {
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Users at whom the import would stop, by the code. */
  readonly stops: Readonly<Record<string, number>>;
  /** Users who were looked up. */
  readonly lookedUp: number;
  /** Users whose outcome depends on the core, and of whom it wasn't asked. */
  readonly unasked: number;
  /** How long a lookup took on average, in milliseconds; null where there was none. */
  readonly answerMs: number | null;
  /** How long the import's calls would take at the rate at which lookups were answered, in milliseconds; null as above. */
  readonly importMs: number | null;
}

/** A summary's `passwordExport`. */
export interface PasswordCoverage {
  /** Lines that could be read. */
  readonly lines: number;
  /** Lines that couldn't. */
  readonly unreadable: number;
  /** Users with a password in the vendor's own database whose rows hold no hash. */
  readonly users: number;
  /** Of these: users who found their hash. */
  readonly matched: number;
  /** Of these: users with several hashes, or with a line that fits other users equally well. */
  readonly ambiguous: number;
  /** Lines without a user. */
  readonly unused: number;
}
