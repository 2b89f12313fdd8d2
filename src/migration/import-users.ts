/** The import: source → record → plan → checkpoint → core → checkpoint → summary, with a bounded number of users in flight. */

import { prepareBulk, type Preparation, tellFindings } from "./before-bulk.js";
import { createCensus, type CensusTaker } from "./census/census.js";
import { finding } from "./census/findings.js";
import { columnOf } from "./census/take-census.js";
import { checkSum } from "./check-sum.js";
import type { Applier } from "./applier.js";
import type { Applied } from "./apply-plan.js";
import { createCaller } from "./caller.js";
import { type Checkpoint, checkpointError, openCheckpoint } from "./checkpoint/checkpoint.js";
import { MAPPED } from "./checkpoint/schema.js";
import { type Departures, departureFindings, newDepartures } from "./departures.js";
import type { ImportSummary, MigrationEvent, RowEvent } from "./events.js";
import { type Input, readInput, sourceNames, totalBytes } from "./inputs.js";
import { type Intake, type IntakeContext, takeIn, type Todo, type ToMap } from "./intake.js";
import { mapId, whyUnmapped } from "./keep-id.js";
import { createLimit, type Limit } from "./limit.js";
import type { ImportOptions } from "./options.js";
import { createPace, type Pace } from "./pace.js";
import { patientCore } from "./patient-core.js";
import { bindCheckpoint, checkCore } from "./preflight.js";
import { createProgress, type Progress } from "./progress.js";
import { hasTooManyRejects } from "./reject-allowance.js";
import { createStop, type Stop } from "./stop.js";
import { createTally, ID_NOT_KEPT, type Tally } from "./tally.js";
import { SYSTEM_TIMING } from "./timing.js";
import { tell } from "./telling.js";
import {
  applyWork,
  isToSettle,
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
    const summary = await importWith(options, checkpoint);
    checkpoint.close();
    return summary;
  } catch (error) {
    closeAfterFailure(checkpoint);
    throw checkpointError(error, options.checkpoint);
  }
}

async function importWith(options: ImportOptions, checkpoint: Checkpoint): Promise<ImportSummary> {
  const { binding, policy, targetMoved, signal, timing = SYSTEM_TIMING } = options;
  const core = patientCore(options.core, timing, signal);
  try {
    await checkCore(core, policy, checkpoint.cutOver() !== null);
    await bindCheckpoint(checkpoint, binding, core, targetMoved);
  } catch (error) {
    // Whoever says stop while the core is asked wants to hear no more of it.
    if (signal?.aborted !== true) throw error;
  }
  return run(options, checkpoint);
}

/** What can't be closed after a failure is most likely its consequence; the first one is told. */
function closeAfterFailure(checkpoint: Checkpoint): void {
  try {
    checkpoint.close();
  } catch {
    // Told already.
  }
}

/** What the parts of one run share. */
interface Run {
  readonly checkpoint: Checkpoint;
  readonly applier: Applier;
  readonly tally: Tally;
  readonly pace: Pace;
  readonly progress: Progress;
  readonly limit: Limit;
  readonly preparation: Preparation;
  /** Where the census is taken on the way, because the inputs can be read but once. */
  readonly census: CensusTaker | null;
  /** Aborted by the operator or by an error that ends the run. */
  readonly signal: AbortSignal;
  readonly stop: Stop;
  readonly departures: Departures;
  readonly emit: (event: MigrationEvent) => void;
  /** Counts a reject, skip or failure and hands it on. */
  readonly tell: (event: RowEvent) => void;
  /** Users whose calls were never made because the run was stopped. */
  pending: number;
}

async function run(options: ImportOptions, checkpoint: Checkpoint): Promise<ImportSummary> {
  const { timing = SYSTEM_TIMING, maxDurationMs } = options;
  const stop = createStop({ given: options.signal, timing, maxDurationMs });
  try {
    return await runUntil(stop, options, checkpoint);
  } finally {
    stop.dispose();
  }
}

async function runUntil(
  stop: Stop,
  options: ImportOptions,
  checkpoint: Checkpoint,
): Promise<ImportSummary> {
  const { core, inputs, timing = SYSTEM_TIMING, onEvent: emit = () => {} } = options;
  const start = timing.now();
  const tally = createTally();
  const pace = createPace(options.concurrency);
  const { signal } = stop;
  const preparation = await prepareBulk(options, { signal, emit, timing, start });
  const { policy } = preparation;
  const census = preparation.census === null ? createCensus() : null;
  const progress = createProgress(emit, {
    ...{ tally, pace, timing, start, phase: "run" },
    totalBytes: totalBytes(inputs),
  });
  const caller = createCaller(tally, timing, signal, {
    // A core in this process has no network to fill, and its calls are as many as share a commit.
    most: core.target.kind === "remote" ? options.concurrency : null,
    rate: options.rate,
    outageBudgetMs: options.outageBudgetMs,
    probe: () => core.probe(),
    onPause: emit,
  });
  const cutOver = checkpoint.cutOver() !== null;
  const applier = { core, policy, caller, cutOver, now: () => timing.now() };
  const parts = { checkpoint, applier, tally, pace, progress, preparation, census, signal };
  const limit = createLimit(options.limit);
  const departures = newDepartures();
  const run: Run = {
    ...parts,
    limit,
    stop,
    departures,
    emit,
    tell: teller(options, stop, tally),
    pending: 0,
  };

  const truncated = await readAll(options, run).catch(stop.fail);
  const readToTheEnd = !signal.aborted;
  await pace.idle();
  stop.throwIfFailed();
  if (census !== null && readToTheEnd) tellFindings(census.result().findings, emit);
  const isWhole = readToTheEnd && truncated?.length === 0 && !limit.hasCut;
  if (isWhole) tellFindings(departureFindings(checkpoint.ledger.absent(), departures), emit);
  if (tally.idsNotKept.count > 0) tellFindings([finding(ID_NOT_KEPT, tally.idsNotKept)], emit);

  // What came after the last row, and kept nobody from being sent, stopped nothing.
  const interrupted = !readToTheEnd || run.pending > 0;
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
    retries: tally.retries,
    pauses: tally.pauses,
    pausedMs: tally.pausedMs,
    calls: tally.calls,
    proved: preparation.proved,
    elapsedMs: Math.round(timing.now() - start),
    checkpoint: checkpoint.path,
    truncated: truncated ?? [],
    limited: limit.hasCut,
    interrupted,
    stoppedBy: interrupted ? stop.reason : null,
  };
  checkSum(summary.read, tally.done() + run.pending);
  return summary;
}

/** Tells rows, and stops the run where their rejects are too many. */
function teller(options: ImportOptions, stop: Stop, tally: Tally): Run["tell"] {
  const { onEvent: emit = () => {}, maxRejects, expectUsers: expected } = options;
  return (event) => {
    tell(event, tally, emit);
    if (event.type !== "reject" || maxRejects === undefined) return;
    const { rejected } = tally.outcomes;
    if (hasTooManyRejects(maxRejects, { rejected, read: tally.readSoFar(), expected })) {
      stop.softly("max_rejects");
    }
  };
}

/** Reads every input and lets its users go, never far ahead of the calls. Says what was cut off. */
async function readAll(options: ImportOptions, run: Run): Promise<string[]> {
  const truncated: string[] = [];
  for (const input of options.inputs) {
    if (run.signal.aborted) break;
    const context = contextOf(options, input, run);
    for await (const items of run.limit.cut(readInput(input, run))) {
      await run.pace.room();
      if (run.signal.aborted) return truncated;
      const intake = takeIn(items, input.path, context);
      if (intake.truncated) truncated.push(input.path);
      const users = intake.todo.length + intake.toMap.length;
      run.limit.take(users);
      run.pace.track(Math.max(1, users), admit(run, intake).catch(run.stop.fail));
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
    cutOver: run.applier.cutOver,
    departures: run.departures,
  };
}

/** Makes the batch's intents durable, tells its refusals, and starts the calls for its users. */
async function admit(run: Run, intake: Intake): Promise<void> {
  const { pace, tally, checkpoint } = run;
  const works = await Promise.all(intake.todo.map((todo) => pace.run(() => prepare(run, todo))));
  const admissions = [...intake.admissions, ...works.flatMap(({ admission }) => admission ?? [])];
  const left = works.filter(({ admission }) => admission === null).map(({ todo }) => todo);
  await checkpoint.ledger.admit(admissions, [...intake.kept, ...left]);
  tally.outcomes.unchanged += intake.unchanged;
  tally.outcomes.existed += intake.existed;
  for (const event of intake.refusals) run.tell(event);
  for (const work of works) {
    if (work.decided !== null && !isToSettle(work)) count(run, work, work.decided);
    else pace.track(1, pace.run(() => perform(run, work)).catch(run.stop.fail));
  }
  for (const one of intake.toMap) {
    pace.track(1, pace.run(() => mapFinished(run, one)).catch(run.stop.fail));
  }
}

/** The lookup. Where it ends the run, the user is put off like everybody after them. */
async function prepare({ applier, signal, stop }: Run, todo: Todo): Promise<Work> {
  if (signal.aborted) return postponed(todo);
  try {
    return await prepareWork(applier, todo);
  } catch (error) {
    stop.fail(error);
    return postponed(todo);
  }
}

/** The calls for one user, the durable outcome, the count. */
async function perform(run: Run, work: Work): Promise<void> {
  const { ledger } = run.checkpoint;
  if (run.signal.aborted) {
    const settlement = withdrawn(work);
    if (settlement !== null) await ledger.settle(settlement);
    run.pending += 1;
    return;
  }
  const applied = work.decided ?? (await unlessStopped(run, applyWork(run.applier, work)));
  if (applied === null) return;
  await ledger.settle(settlementOf(work, applied));
  count(run, work, applied);
  if (applied.kind === "done" && applied.endsRun !== undefined) run.stop.fail(applied.endsRun);
}

/** The one call for a user of an earlier run, whose id is to be kept since. */
async function mapFinished(run: Run, { candidate, entry, keepId, change }: ToMap): Promise<void> {
  const { applier, tally, progress } = run;
  const { ledger } = run.checkpoint;
  if (run.signal.aborted) {
    run.pending += 1;
    return;
  }
  const { row, sourceId } = candidate;
  const coreId = ledger.coreIdOf(entry.id);
  // A user without one is shown by another id that must not be kept.
  const mapping =
    coreId === null ? undefined : await unlessStopped(run, mapId(applier, coreId, keepId));
  if (mapping === null) return;
  if (mapping?.kind === "failed") {
    run.tell({ type: "failure", row, sourceId, ...whyUnmapped(mapping.failure) });
  } else {
    if (mapping?.kind === "kept") {
      await ledger.settleMapping(entry.id);
      tally.mapped += 1;
    } else tally.noticed([ID_NOT_KEPT], row);
    if (change === null) tally.ended("unchanged");
    else run.tell(change);
  }
  progress.tick();
}

/**
 * Null, and the user pending, where the run was stopped before their next call. The intent stays:
 * what came of calls that were made, the next run finds out.
 */
async function unlessStopped<T>(run: Run, work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (!run.stop.isCauseOf(error)) throw error;
    run.pending += 1;
    return null;
  }
}

function count(run: Run, { todo }: Work, applied: Applied): void {
  const { tally, progress } = run;
  const { row, sourceId } = todo.candidate;
  if (applied.kind === "done") {
    tally.ended(applied.outcome);
    tally.noticed(applied.notices, row);
    if (applied.mapped === MAPPED.yes && todo.entry.mapped !== MAPPED.yes) tally.mapped += 1;
  } else if (applied.kind === "refused") {
    const { kind: type, code, hint } = applied.refusal;
    run.tell({ type, row, sourceId, code, hint });
  } else {
    const type = applied.kind === "rejected" ? "reject" : "failure";
    if (applied.kind === "unmapped") tally.noticed(applied.done.notices, row);
    run.tell({ type, row, sourceId, code: applied.code, hint: applied.hint });
  }
  progress.tick();
}
