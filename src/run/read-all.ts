/** Reads the inputs of an import, plans each batch and starts its calls. Reading never runs far ahead of the calls. */

import { setImmediate as turn } from "node:timers/promises";
import { runBatch, type RunContext } from "./run-batch.js";
import type { Preparation } from "./before-bulk.js";
import type { Inspector } from "../inspect/inspection.js";
import { fieldsEmitter } from "../inspect/inspect-inputs.js";
import type { MissingUsers } from "./run-end.js";
import type { MigrationEvent, RowRef } from "../events/events.js";
import { type Input, readInput } from "../source/inputs.js";
import { type BatchContext, batchContext, type PlannedBatch, planBatch } from "./plan-batch.js";
import { createLimit, type Limit } from "./limit.js";
import type { Matcher } from "../checkpoint/ledger.js";
import { createTally } from "../events/tally.js";
import { keptParts } from "../plan/account-plan.js";
import type { ImportOptions } from "./options.js";
import { allButRows, onlyRows } from "./only-rows.js";
import type { Timing } from "../calls/timing.js";
import type { RejectsOut } from "./rejects-out.js";

/** What the parts of one run share. */
export interface Run extends RunContext {
  readonly limit: Limit;
  readonly preparation: Preparation;
  /** Rows of all inputs, where the inspection has counted them. */
  readonly rows: number | null;
  /** Inspects the rows on the way, where the inputs can be read only once. */
  readonly inspector: Inspector | null;
  readonly missingUsers: MissingUsers;
  readonly rejects: RejectsOut;
  readonly emit: (event: MigrationEvent) => void;
  readonly timing: Timing;
}

/** Rows that are read, and no others; or all but those. */
type Choice =
  | {
      readonly only: readonly RowRef[];
      /** Of rows that this run has read, matched and counted before. */
      readonly matcher?: Matcher;
    }
  | { readonly allBut: readonly RowRef[] };

/** A part of a run that reads some rows of the files by themselves. */
export function rowsApart(run: Run): Run {
  return {
    ...run,
    // A pilot's limit counts them, or has counted them, and cuts none of them off.
    limit: { ...createLimit(undefined), take: run.limit.take },
    // The files aren't read to their end, nor their bytes for good.
    recorder: { ...run.recorder, readToEnd: async () => {} },
    progress: { ...run.progress, readBytes() {} },
    pending: 0,
    together: null,
  };
}

/**
 * Reads the inputs and starts the calls of their users.
 *
 * @returns the paths of the files that were cut off
 */
export async function readAll(options: ImportOptions, run: Run, choice: Choice): Promise<string[]> {
  const truncated: string[] = [];
  for (const input of options.inputs) {
    if (run.signal.aborted) break;
    const again = "only" in choice ? choice.matcher : undefined;
    const context = contextOf(options, input, run, again);
    const { signal, progress, rejects } = run;
    const keepsAccount = keptParts(run.context.carried);
    const telling = run.inspector === null ? {} : fieldsEmitter(input, options, run.emit, signal);
    const reading = { signal, progress, keepsRaw: rejects.isWanted, keepsAccount, ...telling };
    const rows = run.limit.cut(readInput(choose(input, choice), reading));
    for await (const items of rows) {
      await run.pace.room();
      // Planning takes longer than sending: an embedded core would wait for it idle, a third of the time.
      await turn();
      if (signal.aborted) break;
      const batch = planBatch(items, input.path, context);
      if (batch.truncated) truncated.push(input.path);
      startCalls(batch, options, run);
      progress.tick();
    }
    const isWhole = !run.signal.aborted && !run.limit.hasCut && !truncated.includes(input.path);
    if (!isWhole) continue;
    context.inspector?.end();
    run.recorder.readToEnd(input.path).catch(run.stop.fail);
  }
  return truncated;
}

function startCalls(batch: PlannedBatch, { room }: ImportOptions, run: Run): void {
  run.limit.take(batch.users);
  // Refusals hold the reading back only where the caller takes them one by one.
  const untold = room === undefined ? 0 : batch.refusals.length;
  run.pace.track(Math.max(1, batch.users + untold), runBatch(run, batch).catch(run.stop.fail));
}

function choose(input: Input, choice: Choice): Input {
  return "only" in choice ? onlyRows(input, choice.only) : allButRows(input, choice.allBut);
}

/** @param again of rows that were counted before */
function contextOf(
  options: ImportOptions,
  input: Input,
  run: Run,
  again: Matcher | undefined,
): BatchContext {
  const { preparation, checkpoint, inspector, missingUsers, rejects } = run;
  const { policy, carried, cutOver, wasEmpty, looksUp } = run.context;
  return batchContext(options, input, {
    digester: checkpoint.digester,
    ledger: again ?? checkpoint.ledger,
    tally: again === undefined ? run.tally : createTally(),
    policy,
    carried,
    cutOver,
    wasEmpty,
    looksUp,
    contests: preparation.contests,
    columns: preparation.columns,
    inspector,
    missingUsers,
    rejects,
  });
}
