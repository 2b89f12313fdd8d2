/** Takes the staged rows of an import, decides about each batch and starts its calls, never far ahead of the calls before. */

import { setImmediate as turn } from "node:timers/promises";
import { runBatch, type RunContext } from "./run-batch.js";
import type { Preparation } from "./before-bulk.js";
import type { MissingUsers } from "./run-end.js";
import type { MigrationEvent, RowRef } from "../events/events.js";
import type { Input } from "../source/inputs.js";
import type { RowChoice, Stage } from "../stage/stage.js";
import type { StagedRow } from "../stage/staged-row.js";
import { decideBatch, type PlannedBatch, type SharedContext } from "./plan-batch.js";
import { createLimit, type Limit } from "./limit.js";
import type { Entries } from "../checkpoint/ledger.js";
import { createTally } from "../events/tally.js";
import type { ImportOptions } from "./options.js";
import type { Timing } from "../calls/timing.js";
import type { RejectsOut } from "./rejects-out.js";

/** What the parts of one run share. */
export interface Run extends RunContext {
  readonly limit: Limit;
  readonly preparation: Preparation;
  /** Rows of all inputs; null where a stop came before they were read. */
  readonly rows: number | null;
  /** All rows, as they were read. */
  readonly stage: Stage;
  /** A row as the proof has shown its user. */
  readonly proved: (row: StagedRow) => StagedRow;
  readonly missingUsers: MissingUsers;
  readonly rejects: RejectsOut;
  readonly emit: (event: MigrationEvent) => void;
  readonly timing: Timing;
}

/** Rows that are taken, and no others; or all but those. */
type Choice =
  | {
      readonly only: readonly RowRef[];
      /** Of rows that this run has counted before. */
      readonly entries?: Entries;
    }
  | { readonly allBut: readonly RowRef[] };

/** A part of a run that takes some rows of the files by themselves. */
export function rowsApart(run: Run): Run {
  return {
    ...run,
    // A pilot's limit counts them, or has counted them, and cuts none of them off.
    limit: { ...createLimit(undefined), take: run.limit.take },
    // The files aren't taken to their end.
    recorder: { ...run.recorder, readToEnd: async () => {} },
    pending: 0,
    together: null,
  };
}

/**
 * Takes the rows from the stage and starts the calls of their users.
 *
 * @returns the paths of the files that were cut off
 */
export async function readAll(options: ImportOptions, run: Run, choice: Choice): Promise<string[]> {
  const truncated: string[] = [];
  const shared = contextOf(run, "only" in choice ? choice.entries : undefined);
  const { namespace } = options;
  for (const input of options.inputs) {
    if (run.signal.aborted) break;
    const context = { ...shared, source: input.source.name, namespace };
    for (const rows of run.limit.cut(run.stage.read(input, chosenOf(input, choice)))) {
      await run.pace.room();
      // Planning takes longer than sending: an embedded core would wait for it idle, a third of the time.
      await turn();
      if (run.signal.aborted) break;
      const batch = decideBatch(rows.map(run.proved), input.path, context);
      if (batch.truncated) truncated.push(input.path);
      startCalls(batch, options, run);
      run.progress.tick();
    }
    const isWhole = !run.signal.aborted && !run.limit.hasCut && !truncated.includes(input.path);
    if (isWhole) run.recorder.readToEnd(input.path).catch(run.stop.fail);
  }
  return truncated;
}

function startCalls(batch: PlannedBatch, { room }: ImportOptions, run: Run): void {
  run.limit.take(batch.users);
  // Refusals hold the reading back only where the caller takes them one by one.
  const untold = room === undefined ? 0 : batch.refusals.length;
  run.pace.track(Math.max(1, batch.users + untold), runBatch(run, batch).catch(run.stop.fail));
}

function chosenOf({ path }: Input, choice: Choice): RowChoice {
  const numbers = (rows: readonly RowRef[]): ReadonlySet<number> =>
    new Set(rows.filter(({ file }) => file === path).map(({ number }) => number));
  return "only" in choice ? { only: numbers(choice.only) } : { allBut: numbers(choice.allBut) };
}

/** @param again of rows that were counted before */
function contextOf(run: Run, again: Entries | undefined): SharedContext {
  const { checkpoint, missingUsers, rejects } = run;
  const { policy, carried, cutOver, wasEmpty, looksUp } = run.context;
  return {
    digester: checkpoint.digester,
    ledger: again ?? checkpoint.ledger,
    tally: again === undefined ? run.tally : createTally(),
    policy,
    carried,
    cutOver,
    wasEmpty,
    looksUp,
    missingUsers,
    rejects,
  };
}
