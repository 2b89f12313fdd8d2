/** The import: source → record → plan → checkpoint → core → checkpoint → summary, with a bounded number of users in flight. */

import { prepareBulk, type Preparation, tellFindings } from "./before-bulk.js";
import { createCensus, type CensusTaker } from "./census/census.js";
import { finding } from "./census/findings.js";
import { columnOf } from "./census/take-census.js";
import { checkSum } from "./check-sum.js";
import type { Applied, Applier } from "./apply-plan.js";
import { createCaller } from "./caller.js";
import { type Checkpoint, checkpointError, openCheckpoint } from "./checkpoint/checkpoint.js";
import { MAPPED } from "./checkpoint/schema.js";
import type { ImportSummary, MigrationEvent } from "./events.js";
import { type Input, readInput, sourceNames, totalBytes } from "./inputs.js";
import { type Intake, type IntakeContext, takeIn, type Todo, type ToMap } from "./intake.js";
import { mapId, whyUnmapped } from "./keep-id.js";
import type { ImportOptions } from "./options.js";
import { createPace, type Pace } from "./pace.js";
import { bindCheckpoint, checkCore } from "./preflight.js";
import { createProgress, type Progress } from "./progress.js";
import { createTally, ID_NOT_KEPT, type Tally } from "./tally.js";
import { SYSTEM_TIMING } from "./timing.js";
import { tell } from "./telling.js";
import {
  applyWork,
  postponed,
  prepareWork,
  settlementOf,
  type Work,
  withdrawn,
} from "./user-work.js";

/**
 * Imports the users of all inputs and leaves every one of them in exactly one outcome.
 *
 * @returns the summary; `interrupted` where `signal` stopped the run, with the rest `pending`
 * @throws RunError when the run can't start or go on; what was done is in the checkpoint
 */
export async function importUsers(options: ImportOptions): Promise<ImportSummary> {
  const checkpoint = openCheckpoint(options.checkpoint);
  try {
    try {
      await checkCore(options.core, options.policy);
      await bindCheckpoint(checkpoint, options.binding, options.core, options.targetMoved);
      return await run(options, checkpoint);
    } finally {
      checkpoint.close();
    }
  } catch (error) {
    throw checkpointError(error, options.checkpoint);
  }
}

/** What the parts of one run share. */
interface Run {
  readonly checkpoint: Checkpoint;
  readonly applier: Applier;
  readonly tally: Tally;
  readonly pace: Pace;
  readonly progress: Progress;
  readonly preparation: Preparation;
  /** Where the census is taken on the way, because the inputs can be read but once. */
  readonly census: CensusTaker | null;
  /** Aborted by the operator or by an error that ends the run. */
  readonly signal: AbortSignal;
  readonly emit: (event: MigrationEvent) => void;
  /** Ends the run with an error. */
  readonly fail: (error: unknown) => void;
  /** Users whose calls were never made because the run was stopped. */
  pending: number;
}

async function run(options: ImportOptions, checkpoint: Checkpoint): Promise<ImportSummary> {
  const { core, inputs, timing = SYSTEM_TIMING, onEvent: emit = () => {} } = options;
  const start = timing.now();
  const tally = createTally();
  const pace = createPace(options.concurrency);
  // The first error that ends the run; what is in flight then ends before it is thrown.
  let fatal: { readonly error: unknown } | undefined;
  const failed = new AbortController();
  const fail = (error: unknown): void => {
    fatal ??= { error };
    failed.abort();
  };
  const signal = anySignal(failed.signal, options.signal);
  const preparation = await prepareBulk(options, { signal, emit, timing, start });
  const { policy } = preparation;
  const census = preparation.census === null ? createCensus() : null;
  const progress = createProgress(emit, {
    ...{ tally, pace, timing, start, phase: "run" },
    totalBytes: totalBytes(inputs),
  });
  const applier = { core, policy, caller: createCaller(tally, timing, signal) };
  const parts = { checkpoint, applier, tally, pace, progress, preparation, census, signal };
  const run: Run = { ...parts, emit, fail, pending: 0 };

  const truncated = await readAll(options, run).catch(fail);
  const readToTheEnd = !signal.aborted;
  await pace.idle();
  if (fatal !== undefined) throw fatal.error;
  if (census !== null && readToTheEnd) tellFindings(census.result().findings, emit);
  if (tally.idsNotKept.count > 0) tellFindings([finding(ID_NOT_KEPT, tally.idsNotKept)], emit);

  const summary: ImportSummary = {
    command: "import",
    source: sourceNames(inputs),
    core: core.target,
    ...tally.counts(),
    ...tally.outcomes,
    pending: run.pending,
    hashes: (census?.result() ?? preparation.census)?.hashes ?? [],
    passwordExport: options.passwordCoverage?.() ?? null,
    mapped: tally.mapped,
    calls: tally.calls,
    proved: preparation.proved,
    elapsedMs: Math.round(timing.now() - start),
    checkpoint: checkpoint.path,
    truncated: truncated ?? [],
    // A signal that came after the last row, and kept nobody from being sent, stopped nothing.
    interrupted: !readToTheEnd || run.pending > 0,
  };
  checkSum(summary.read, tally.done() + run.pending);
  return summary;
}

/** Reads every input and lets its users go, never far ahead of the calls. Says what was cut off. */
async function readAll(options: ImportOptions, run: Run): Promise<string[]> {
  const truncated: string[] = [];
  for (const input of options.inputs) {
    if (run.signal.aborted) break;
    const context = contextOf(options, input, run);
    for await (const items of readInput(input, run)) {
      await run.pace.room();
      if (run.signal.aborted) return truncated;
      const intake = takeIn(items, input.path, context);
      if (intake.truncated) truncated.push(input.path);
      const users = intake.todo.length + intake.toMap.length;
      run.pace.track(Math.max(1, users), admit(run, intake).catch(run.fail));
      run.progress.tick();
    }
  }
  return truncated;
}

function contextOf(options: ImportOptions, input: Input, run: Run): IntakeContext {
  const { policy, columns } = run.preparation;
  const column = columnOf(columns, input);
  return {
    digester: run.checkpoint.digester,
    ledger: run.checkpoint.ledger,
    tally: run.tally,
    policy,
    column,
    census: run.census?.begin(column) ?? null,
    hashConfig: options.hashConfig,
    source: input.source.name,
    vendor: input.vendor,
    namespace: options.namespace,
  };
}

/** Makes the batch's intents durable, tells its refusals, and starts the calls for its users. */
async function admit(run: Run, intake: Intake): Promise<void> {
  const { pace, tally, checkpoint, emit } = run;
  const works = await Promise.all(intake.todo.map((todo) => pace.run(() => prepare(run, todo))));
  const admissions = [...intake.admissions, ...works.map((work) => work.admission)];
  await checkpoint.ledger.admit(admissions, intake.kept);
  tally.outcomes.unchanged += intake.unchanged;
  for (const event of intake.refusals) tell(event, tally, emit);
  for (const work of works) {
    if (work.decided !== null) count(run, work, work.decided);
    else pace.track(1, pace.run(() => perform(run, work)).catch(run.fail));
  }
  for (const one of intake.toMap) {
    pace.track(1, pace.run(() => mapFinished(run, one)).catch(run.fail));
  }
}

/** The lookup. Where it ends the run, the user is put off like everybody after them. */
async function prepare({ applier, signal, fail }: Run, todo: Todo): Promise<Work> {
  if (signal.aborted) return postponed(todo);
  try {
    return await prepareWork(applier, todo);
  } catch (error) {
    fail(error);
    return postponed(todo);
  }
}

/** The calls for one user, the durable outcome, the count. */
async function perform(run: Run, work: Work): Promise<void> {
  const { ledger } = run.checkpoint;
  if (run.signal.aborted) {
    await ledger.settle(withdrawn(work));
    run.pending += 1;
    return;
  }
  const applied = await applyWork(run.applier, work);
  await ledger.settle(settlementOf(work, applied));
  count(run, work, applied);
  if (applied.kind === "done" && applied.endsRun !== undefined) run.fail(applied.endsRun);
}

/** The one call for a user of an earlier run, whose id is to be kept since. */
async function mapFinished(run: Run, { candidate, entry, keepId, change }: ToMap): Promise<void> {
  const { applier, tally, emit, progress } = run;
  const { ledger } = run.checkpoint;
  if (run.signal.aborted) {
    run.pending += 1;
    return;
  }
  const { row, sourceId } = candidate;
  const coreId = ledger.coreIdOf(entry.id);
  // A user without one is shown by another id that must not be kept.
  const mapping = coreId === null ? null : await mapId(applier, coreId, keepId);
  if (mapping?.kind === "failed") {
    tell({ type: "failure", row, sourceId, ...whyUnmapped(mapping.failure) }, tally, emit);
  } else {
    if (mapping?.kind === "kept") {
      await ledger.settleMapping(entry.id);
      tally.mapped += 1;
    } else tally.noticed([ID_NOT_KEPT], row);
    if (change === null) tally.ended("unchanged");
    else tell(change, tally, emit);
  }
  progress.tick();
}

function count({ tally, emit, progress }: Run, { todo }: Work, applied: Applied): void {
  const { row, sourceId } = todo.candidate;
  if (applied.kind === "done") {
    tally.ended(applied.outcome);
    tally.noticed(applied.notices, row);
    if (applied.mapped === MAPPED.yes) tally.mapped += 1;
  } else {
    const type = applied.kind === "rejected" ? "reject" : "failure";
    if (applied.kind === "unmapped") tally.noticed(applied.done.notices, row);
    tell({ type, row, sourceId, code: applied.code, hint: applied.hint }, tally, emit);
  }
  progress.tick();
}

function anySignal(own: AbortSignal, given: AbortSignal | undefined): AbortSignal {
  return given === undefined ? own : AbortSignal.any([own, given]);
}
