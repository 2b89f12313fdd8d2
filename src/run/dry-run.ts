/** What the readings of a dry run's inputs share, and how rows are told of which no core is asked. */

import type { Prepared, Surroundings } from "./before-bulk.js";
import { newMissingUsers } from "./run-end.js";
import type { MigrationEvent, RowEvent } from "../events/events.js";
import { NOTHING_CARRIED } from "../plan/carried.js";
import type { ReadingOptions } from "./options.js";
import type { PlannedBatch, SharedContext } from "./plan-batch.js";
import { countCalls, Predictor } from "./predict-users.js";
import type { Asked } from "./asked-core.js";
import { createLimit, type Limit } from "./limit.js";
import { type CallCounts, createTally, emitRow, noCalls } from "../events/tally.js";
import { createProgress, type Progress } from "../calls/progress.js";
import { wantsLookups } from "./preflight.js";

/** What holds where no core is asked. */
const ALONE = { cutOver: false, wasEmpty: true, looksUp: false } as const;

/** What the inputs of a dry run share. */
export interface DryRun {
  readonly signal: AbortSignal;
  readonly emit: (event: MigrationEvent) => void;
  readonly limit: Limit;
  /** The paths of files that were cut off. */
  readonly truncated: string[];
  readonly plannedCalls: CallCounts;
  readonly progress: Progress;
  /** Null where no core is asked. */
  readonly predictor: Predictor | null;
  readonly shared: SharedContext;
}

/** What the run has made before it reads its first row. */
export interface Beginning
  extends Pick<SharedContext, "rejects" | "digester">,
    Pick<Surroundings, "signal" | "emit" | "timing" | "start"> {
  readonly asked: Asked | null;
}

export function dryRunOf(
  options: ReadingOptions,
  { inspection }: Prepared,
  { asked, signal, emit, timing, start, rejects, digester }: Beginning,
  ledger: SharedContext["ledger"],
): DryRun {
  const { policy } = options;
  const tally = createTally();
  const plannedCalls = noCalls();
  const { cutOver, wasEmpty, looksUp } = asked ?? ALONE;
  const { carried = NOTHING_CARRIED } = options;
  const rules = { policy, carried, cutOver, wasEmpty, looksUp, digester };
  const predictor =
    asked === null
      ? null
      : new Predictor({
          asked,
          rules,
          tally,
          plannedCalls,
          emit,
          timing,
          rejects,
          rows: inspection.rows,
        });
  return {
    signal,
    emit,
    predictor,
    plannedCalls,
    limit: createLimit(options.limit),
    truncated: [],
    progress: createProgress(emit, {
      tally,
      timing,
      start,
      pace: predictor?.pace ?? null,
      traffic: predictor?.traffic,
      phase: "run",
      totalBytes: null,
      total: options.limit === undefined ? inspection.rows : null,
    }),
    shared: {
      ...rules,
      rejects,
      ledger,
      tally,
      missingUsers: newMissingUsers(),
    },
  };
}

/** Counts the calls for a batch's users, of an import that knows no user. */
export function countUnasked(
  { tasks }: PlannedBatch,
  { plannedCalls, shared }: Pick<DryRun, "plannedCalls" | "shared">,
): void {
  const { tally, policy } = shared;
  const looksUp = wantsLookups(policy);
  for (const task of tasks) countCalls({ plannedCalls, tally }, task, looksUp, null);
}

/** Tells a batch's refusals. */
export function tellRefusals(
  refusals: readonly RowEvent[],
  { emit, shared }: Pick<DryRun, "emit" | "shared">,
): void {
  const { rejects, tally } = shared;
  for (const event of refusals) {
    rejects.take(event);
    emitRow(event, tally, emit);
  }
}
