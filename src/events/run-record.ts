/** What a checkpoint keeps of a run: counts, a series of samples and how it ended. Nothing personal. lines/ says what each field is. */

import type { PauseEvent } from "./events.js";
import type { Field } from "./lines/lines.js";

type Line = Field<"report", "runs">[number];

/** A run as the checkpoint has kept it. Of one that was killed, the counts are of a few seconds before. */
export interface RunRecord extends Omit<Line, "begunAt" | "waits"> {
  readonly begunAt: Date;
  readonly waits: Readonly<Partial<Record<PauseEvent["reason"], PauseCount>>>;
}

/** Where a run stood at a moment; all counts are since its begin. */
export type RunSample = RunRecord["samples"][number];

/** A finding as it is kept: without ids. */
export type RunFinding = RunRecord["findings"][number];

/** How a run ended: by itself, by the operator, or by an error. */
export type RunEnding = NonNullable<RunRecord["ending"]>;

/** How often a run waited for a reason, and for how long, in milliseconds; pauses of a second and more. */
export type PauseCount = NonNullable<Line["waits"]["busy"]>;

/** What a run counted and found, as far as it came. */
export type KeptRun = Omit<
  RunRecord,
  "number" | "source" | "begunAt" | "elapsedMs" | "ending" | "reason"
>;

/** The sums over all runs. A user is brought once, so that no sum counts one twice. */
export type RunSums = Pick<
  RunRecord,
  "calls" | "retries" | "pauses" | "pausedMs" | "carriedUsers" | "waits"
>;
