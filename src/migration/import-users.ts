/** The import: source → record → plan → checkpoint → core → checkpoint → summary, with a bounded number of users in flight. */

import type { Core } from "../core/core.js";
import { checkSum } from "./check-sum.js";
import type { HashConfig } from "../hash/hash.js";
import type { Applied, Applier } from "./apply-plan.js";
import { createCaller } from "./caller.js";
import {
  type Checkpoint,
  type CoreBinding,
  checkpointError,
  openCheckpoint,
} from "./checkpoint/checkpoint.js";
import type { ImportSummary, MigrationEvent } from "./events.js";
import { type Input, readInput, sourceNames, totalBytes } from "./inputs.js";
import { type Intake, type IntakeContext, takeIn, type Todo } from "./intake.js";
import { createPace, type Pace } from "./pace.js";
import type { Policy } from "./policy.js";
import { bindCheckpoint, checkCore } from "./preflight.js";
import { createProgress, type Progress } from "./progress.js";
import { createTally, type Tally } from "./tally.js";
import { SYSTEM_TIMING, type Timing } from "./timing.js";
import { tell } from "./telling.js";
import {
  applyWork,
  postponed,
  prepareWork,
  settlementOf,
  type Work,
  withdrawn,
} from "./user-work.js";

/** What a dry run and an import both need. */
export interface ReadingOptions {
  /** The files in the order in which they are read, from `openInputs`. */
  readonly inputs: readonly Input[];
  readonly policy: Policy;
  /** The vendor account's scrypt parameters, where the export needs them. */
  readonly hashConfig: HashConfig | null;
  /** Column names by field, for the generic sources. */
  readonly map: ReadonlyMap<string, string>;
  /** Keeps equal ids of two databases apart; `""` by default. */
  readonly namespace: string;
  /** Stops the run softly: calls in flight end, progress is saved, the summary says `interrupted`. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: MigrationEvent) => void;
  readonly timing?: Timing;
}

export interface ImportOptions extends ReadingOptions {
  /** The core; it stays open. */
  readonly core: Core;
  /** What the checkpoint knows the core by. */
  readonly binding: CoreBinding;
  /** The checkpoint's path; created where it isn't there. */
  readonly checkpoint: string;
  /** Most users in flight at once. */
  readonly concurrency: number;
  /** The core that the checkpoint knows is at another URL now. */
  readonly targetMoved: boolean;
}

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
  /** Aborted by the operator or by an error that ends the run. */
  readonly signal: AbortSignal;
  readonly emit: (event: MigrationEvent) => void;
  /** Ends the run with an error. */
  readonly fail: (error: unknown) => void;
  /** Users whose calls were never made because the run was stopped. */
  pending: number;
}

async function run(options: ImportOptions, checkpoint: Checkpoint): Promise<ImportSummary> {
  const { core, policy, inputs, timing = SYSTEM_TIMING, onEvent: emit = () => {} } = options;
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
  const progress = createProgress(emit, { tally, pace, timing, totalBytes: totalBytes(inputs) });
  const applier = { core, policy, caller: createCaller(tally, timing, signal) };
  const run: Run = { checkpoint, applier, tally, pace, progress, signal, emit, fail, pending: 0 };

  const truncated = await readAll(options, run).catch(fail);
  const readToTheEnd = !signal.aborted;
  await pace.idle();
  if (fatal !== undefined) throw fatal.error;

  const summary: ImportSummary = {
    command: "import",
    source: sourceNames(inputs),
    core: core.target,
    ...tally.counts(),
    ...tally.outcomes,
    pending: run.pending,
    calls: tally.calls,
    proved: false,
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
    const context = contextOf(options, input, run);
    for await (const items of readInput(input, options, run)) {
      await run.pace.room();
      if (run.signal.aborted) return truncated;
      const intake = takeIn(items, input.path, context);
      if (intake.truncated) truncated.push(input.path);
      run.pace.track(Math.max(1, intake.todo.length), admit(run, intake).catch(run.fail));
      run.progress.tick();
    }
  }
  return truncated;
}

function contextOf(options: ImportOptions, input: Input, run: Run): IntakeContext {
  return {
    digester: run.checkpoint.digester,
    ledger: run.checkpoint.ledger,
    tally: run.tally,
    policy: options.policy,
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

function count({ tally, emit, progress }: Run, { todo }: Work, applied: Applied): void {
  const { row, sourceId } = todo.candidate;
  if (applied.kind === "done") {
    tally.ended(applied.outcome);
    tally.noticed(applied.notices);
  } else {
    const type = applied.kind === "rejected" ? "reject" : "failure";
    tell({ type, row, sourceId, code: applied.code, hint: applied.hint }, tally, emit);
  }
  progress.tick();
}

function anySignal(own: AbortSignal, given: AbortSignal | undefined): AbortSignal {
  return given === undefined ? own : AbortSignal.any([own, given]);
}
