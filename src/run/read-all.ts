/** Reads the inputs of an import, plans each batch and starts its calls. Reading never runs far ahead of the calls. */

import { setImmediate as turn } from "node:timers/promises";
import { runBatch, type RunContext } from "./run-batch.js";
import type { Preparation } from "./before-bulk.js";
import type { Inspector } from "../inspect/inspection.js";
import { fieldsEmitter } from "../inspect/inspect-inputs.js";
import type { MissingUsers } from "./run-end.js";
import type { MigrationEvent, RowRef } from "../events/events.js";
import { type Input, readInput } from "../source/inputs.js";
import type { SourceItem } from "../source/source.js";
import { type BatchContext, batchContext, type PlannedBatch, planBatch } from "./plan-batch.js";
import { RunError } from "../errors/run-error.js";
import type { Limit } from "./limit.js";
import { keptParts } from "../plan/account-plan.js";
import type { ImportOptions } from "./options.js";
import { allButRows, onlyRows } from "./only-rows.js";
import type { RememberedRows } from "./known-rows.js";
import type { Timing } from "../calls/timing.js";
import { noteSpans, passOver, spansBetween } from "./pass-over.js";
import type { RejectsOut } from "./rejects-out.js";
import type { SettledSpan } from "./settled-spans.js";

/** What the parts of one run share. */
export interface Run extends RunContext {
  readonly limit: Limit;
  readonly preparation: Preparation;
  /** Rows that the inspection has shown to change nothing, remembered for the next run; null where it can't tell any. */
  readonly remembered: RememberedRows | null;
  /** Inspects the rows on the way, where the inputs can be read only once. */
  readonly inspector: Inspector | null;
  readonly missingUsers: MissingUsers;
  readonly rejects: RejectsOut;
  readonly emit: (event: MigrationEvent) => void;
  readonly timing: Timing;
}

/** Spans whose rows are noted in one transaction: each would wait for the disk, as often as rows have changed. */
const NOTED_AT_ONCE = 100;

/** Rows that are read, and no others; or all but those. */
type Choice = { readonly only: readonly RowRef[] } | { readonly allBut: readonly RowRef[] };

/**
 * Reads the inputs and starts the calls of their users.
 *
 * @returns the paths of the files that were cut off
 */
export async function readAll(options: ImportOptions, run: Run, choice: Choice): Promise<string[]> {
  const truncated: string[] = [];
  for (const input of options.inputs) {
    if (run.signal.aborted) break;
    const context = contextOf(options, input, run);
    const { signal, progress, rejects } = run;
    const keepsAccount = keptParts(run.context.carried);
    const telling = run.inspector === null ? {} : fieldsEmitter(input, options, run.emit, signal);
    const mayPass = "allBut" in choice && choice.allBut.length === 0;
    const spans = mayPass ? (run.remembered?.spansOf(input) ?? []) : [];
    const leaving = { leftOut: spans, keepsRaw: rejects.isWanted, keepsAccount };
    const reading = { signal, progress, ...leaving, ...telling };
    const rows = run.limit.cut(readInput(choose(input, choice), reading));
    let passed = 0;
    for await (const next of inTurn(rows, spans, run)) {
      if ("user" in next) {
        if (passed % NOTED_AT_ONCE === 0) {
          await noteSpans(spans.slice(passed, passed + NOTED_AT_ONCE), input.path, run);
        }
        passed += 1;
        passOver(next, input.path, context, run);
      } else {
        const batch = planBatch(next, input.path, context);
        if (batch.truncated) truncated.push(input.path);
        startCalls(batch, options, run);
      }
      run.progress.tick();
    }
    const isWhole = !run.signal.aborted && !run.limit.hasCut && !truncated.includes(input.path);
    if (!isWhole) continue;
    if (passed < spans.length) throw lostRows(input.path);
    context.inspector?.end();
    run.recorder.readToEnd(input.path).catch(run.stop.fail);
  }
  return truncated;
}

/** Rows that are read, as there is room for their calls, and spans of those that aren't, until the run is stopped. */
async function* inTurn(
  batches: AsyncIterable<readonly SourceItem[]>,
  spans: readonly SettledSpan[],
  { pace, signal }: Run,
): AsyncGenerator<readonly SourceItem[] | SettledSpan> {
  const parts = spansBetween(spans);
  for await (const items of batches) {
    for (const next of parts(items)) {
      await pace.room();
      // Planning takes longer than sending: an embedded core would wait for it idle, a third of the time.
      await turn();
      if (signal.aborted) return;
      yield next;
    }
  }
}

/** Rows that were left out of the reading have to be counted in their turn. */
function lostRows(path: string): RunError {
  return new RunError("internal", `Rows of ${path} were passed over and not counted.`, {
    hint: "This is a bug in auth-migrate; please report it. The checkpoint is intact.",
  });
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

function contextOf(options: ImportOptions, input: Input, run: Run): BatchContext {
  const { preparation, checkpoint, tally, inspector, missingUsers, rejects } = run;
  const { policy, carried, cutOver, wasEmpty, looksUp } = run.context;
  return batchContext(options, input, {
    digester: checkpoint.digester,
    ledger: checkpoint.ledger,
    tally,
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
