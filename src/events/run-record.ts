/** What a checkpoint keeps of a run: counts, a series of samples and how it ended. Nothing personal. */

import type { CallName, HashCount, Outcome, PauseEvent } from "./events.js";

/** Where a run stood at a moment; all counts are since its begin. */
export interface RunSample {
  /** Milliseconds since the run's begin. */
  readonly elapsedMs: number;
  /** Rows with an outcome. */
  readonly done: number;
  readonly rejected: number;
  readonly failed: number;
  readonly retries: number;
  /** As in the summary. */
  readonly pauses: number;
  readonly pausedMs: number;
  /** Users on their way at that moment. */
  readonly inFlight: number;
  readonly calls: Readonly<Record<CallName, number>>;
}

/** A time in which all calls waited, in milliseconds since the run's begin. */
export interface PauseSpan {
  readonly beganMs: number;
  readonly endedMs: number;
}

/** A finding as it is kept: without rows and ids. */
export interface RunFinding {
  readonly code: string;
  readonly count: number;
  readonly hint: string;
}

/** How a run ended: by itself, by the operator, or by an error. */
export type RunEnding = "finished" | "stopped" | "failed";

/** The sums of a run that are one number each. */
export type RunTotal = "read" | "pending" | "mapped" | "retries" | "pauses" | "pausedMs";

/** How often a run waited for a reason, and for how long, in milliseconds; pauses of a second and more. */
export interface PauseCount {
  readonly count: number;
  readonly ms: number;
}

/** What a run counted, as far as it came. */
export interface RunCounts extends Readonly<Record<RunTotal, number>> {
  /** Rows in all; null where they weren't counted, or where not all were to be read. */
  readonly total: number | null;
  /** Users in all at its end, with one for each row that wasn't read; null before, and where nobody knows how many there are. */
  readonly known: number | null;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  readonly calls: Readonly<Record<CallName, number>>;
  /** Accepted hashes of users who were to be imported, by algorithm. */
  readonly algorithms: Readonly<Record<string, number>>;
  readonly rejects: Readonly<Record<string, number>>;
  readonly skips: Readonly<Record<string, number>>;
  readonly failures: Readonly<Record<string, number>>;
  readonly notices: Readonly<Record<string, number>>;
  /** Users by the parts of their accounts that it has carried along. */
  readonly carriedUsers: Readonly<Record<string, number>>;
  /** Pauses of a second and more, by what they were for. */
  readonly waits: Readonly<Partial<Record<PauseEvent["reason"], PauseCount>>>;
}

/** A run as the checkpoint has kept it. Of one that was killed, the counts are of a few seconds before. */
export interface RunRecord extends RunCounts {
  /** From 1, in the order in which they began. */
  readonly number: number;
  /** The inputs' sources, separated by commas. */
  readonly source: string;
  readonly begunAt: Date;
  /** How long it took, or was known to go on. */
  readonly elapsedMs: number;
  /** Null for one that goes on, or that was killed. */
  readonly ending: RunEnding | null;
  /** What stopped it, or the code of the error; of a run that is finished, what left rows unread (`limited`, `truncated`); else null. */
  readonly reason: string | null;
  /** Accepted hashes of all rows by how they were made, the most frequent first. */
  readonly hashes: readonly HashCount[];
  readonly findings: readonly RunFinding[];
  /** In the order of time, a few hundred at most; empty for all but the latest runs. */
  readonly samples: readonly RunSample[];
  readonly pauseSpans: readonly PauseSpan[];
}
