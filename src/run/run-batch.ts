/** Runs one planned batch: intents are written, calls made, outcomes written, and then counted. */

import type { CallContext } from "./call-context.js";
import type { Applied } from "./apply-plan.js";
import type { Checkpoint } from "../checkpoint/checkpoint.js";
import { isFinishedEntry } from "../plan/entry.js";
import { MAPPED, STATE } from "../plan/states.js";
import type { RowEvent, RowRef } from "../events/events.js";
import type { PlannedBatch, Todo, ToMap } from "./plan-batch.js";
import { mapId, whyUnmapped } from "./keep-id.js";
import type { Pace } from "../calls/pace.js";
import type { Progress } from "../calls/progress.js";
import type { RunRecorder } from "./run-recorder.js";
import type { Stop } from "./stop.js";
import { ID_NOT_KEPT, type Tally } from "../events/tally.js";
import {
  applyWork,
  isToSettle,
  looksUp,
  postponed,
  prepareWork,
  outcomeWriteOf,
  unseen,
  type Work,
  withdrawn,
} from "./user-work.js";

/** What the users of one run share. */
export interface RunContext {
  readonly checkpoint: Checkpoint;
  readonly context: CallContext;
  readonly tally: Tally;
  readonly pace: Pace;
  readonly progress: Progress;
  /** Aborted by the operator or by an error that ends the run. */
  readonly signal: AbortSignal;
  readonly stop: Stop;
  readonly recorder: RunRecorder;
  /** Resolves when more refusals can be told. */
  readonly room: () => Promise<void>;
  /** Counts a reject, skip or failure and emits it. */
  readonly emitRow: (event: RowEvent) => void;
  /** Told of each user who is at the core when their calls have ended: brought by this migration, or there before. */
  readonly ended?: (row: RowRef, how: "brought" | "existed") => void;
  /** Users whose calls were never made because the run was stopped. */
  pending: number;
}

/** Makes the batch's intents durable, tells its refusals, and starts the calls for its users. */
export async function runBatch(run: RunContext, batch: PlannedBatch): Promise<void> {
  const { pace, tally, checkpoint } = run;
  const works = await prepareAll(run, batch.todo);
  const intents = [...batch.intents];
  const touched = [...batch.touched];
  for (const { intent, todo } of works) {
    if (intent === null) touched.push(todo);
    else intents.push(intent);
  }
  await Promise.all([
    checkpoint.ledger.writeIntents(intents, touched),
    run.recorder.keepRows(unsaid(batch)),
  ]);
  for (const { keys, entry } of run.ended === undefined ? [] : batch.touched) {
    // A plan that isn't the one that was carried out isn't what is at the core.
    const isOurs = entry.state !== STATE.existed && entry.samePlan;
    run.ended?.(keys.row, isOurs ? "brought" : "existed");
  }
  tally.outcomes.unchanged += batch.unchanged;
  tally.outcomes.existed += batch.existed;
  if (batch.refusals.length > 0) await run.room();
  for (const event of batch.refusals) run.emitRow(event);
  for (const work of works) {
    if (work.decided !== null && !isToSettle(work)) count(run, work, work.decided);
    else {
      pace.enter();
      void pace.run(() => perform(run, work));
    }
  }
  for (const one of batch.toMap) {
    pace.track(1, pace.run(() => mapFinished(run, one)).catch(run.stop.fail));
  }
}

/** Refusals of rows whose users have no entry, or one that says otherwise. */
function unsaid({ refusals, intents }: PlannedBatch): readonly RowEvent[] {
  if (refusals.length === intents.length) return [];
  const said = new Set(intents.map(({ keys }) => keys.row));
  return refusals.filter(({ row }) => !said.has(row));
}

/** Emits a row whose user stays finished, and keeps it, since the entry doesn't say it. */
function emitFinished(run: RunContext, event: RowEvent): void {
  run.recorder.keepRows([event]).catch(run.stop.fail);
  run.emitRow(event);
}

async function prepareAll(run: RunContext, todo: readonly Todo[]): Promise<readonly Work[]> {
  const works: Work[] = [];
  const lookups: Promise<Work>[] = [];
  for (const one of todo) {
    const work = prepare(run, one);
    if (work instanceof Promise) lookups.push(work);
    else works.push(work);
  }
  return lookups.length === 0 ? works : [...works, ...(await Promise.all(lookups))];
}

/** The lookup, where there is one. Where it ends the run, the user waits for the next run, as all users after them do. */
function prepare({ context, signal, stop, pace }: RunContext, todo: Todo): Work | Promise<Work> {
  if (signal.aborted) return postponed(todo);
  if (!looksUp(context, todo)) return unseen(context, todo);
  return pace.run(async () => {
    if (signal.aborted) return postponed(todo);
    try {
      return await prepareWork(context, todo);
    } catch (error) {
      stop.fail(error);
      return postponed(todo);
    }
  });
}

/** The calls for one user. Their outcome is written while others call. Never rejects. */
async function perform(run: RunContext, work: Work): Promise<void> {
  const { context, stop, signal, checkpoint } = run;
  try {
    if (signal.aborted) {
      withdraw(run, work);
      return;
    }
    // No function in between: there is one of each on its way for every user who is.
    const applied = work.decided ?? (await applyWork(context, work));
    // No further user is sent; the run ends when all that was answered is durable.
    if (applied.kind === "done" && applied.endsRun !== undefined) stop.fail(applied.endsRun);
    end(run, work, applied, checkpoint.ledger.settle(outcomeWriteOf(work, applied)));
  } catch (error) {
    if (stop.isCauseOf(error)) run.pending += 1;
    else stop.fail(error);
    run.pace.leave();
  }
}

/** No call was made. */
function withdraw(run: RunContext, work: Work): void {
  const outcome = withdrawn(work);
  const settled = outcome === null ? DONE : run.checkpoint.ledger.settle(outcome);
  end(run, work, null, settled);
}

const DONE = Promise.resolve();

/**
 * An ending counts only when it is durable.
 *
 * @param applied null where no call was made
 */
function end(run: RunContext, work: Work, applied: Applied | null, settled: Promise<void>): void {
  const { stop, pace } = run;
  const arrive = (): void => {
    try {
      if (applied === null) run.pending += 1;
      else count(run, work, applied);
    } catch (error) {
      stop.fail(error);
    }
    pace.leave();
  };
  settled.then(arrive, (error: unknown) => {
    stop.fail(error);
    pace.leave();
  });
}

/** The one call for a user of an earlier run, whose id is to be kept since. */
async function mapFinished(run: RunContext, { keys, entry, keepId, change }: ToMap): Promise<void> {
  const { context, tally, progress } = run;
  const { ledger } = run.checkpoint;
  if (run.signal.aborted) {
    run.pending += 1;
    return;
  }
  const { row, sourceId } = keys;
  const coreId = ledger.coreIdOf(entry.id);
  // A user without one is shown by another id that must not be kept.
  const mapping =
    coreId === null
      ? undefined
      : await mapId(context, { userId: coreId, id: keepId, row }).catch((error: unknown) =>
          leftOpen(run, error),
        );
  if (mapping === null) return;
  if (mapping?.kind === "failed") {
    emitFinished(run, { type: "failure", row, sourceId, ...whyUnmapped(mapping.failure) });
  } else {
    if (mapping?.kind === "kept") {
      await ledger.settleMapping(entry.id);
      tally.mapped += 1;
    } else tally.noticed([ID_NOT_KEPT], row);
    if (change === null) tally.ended("unchanged");
    else emitFinished(run, change);
  }
  progress.tick();
}

/**
 * Null, and the user pending, where the run was stopped before their next call. The intent stays:
 * what came of calls that were made, the next run finds out.
 */
function leftOpen(run: RunContext, error: unknown): null {
  if (!run.stop.isCauseOf(error)) throw error;
  run.pending += 1;
  return null;
}

function count(run: RunContext, { todo, notices }: Work, applied: Applied): void {
  const { tally, progress } = run;
  const { row, sourceId } = todo.keys;
  if (applied.kind === "done") {
    run.ended?.(row, applied.outcome === "existed" ? "existed" : "brought");
    tally.ended(applied.outcome, todo.plan.kind === "import" ? todo.plan.algorithm : null);
    tally.noticed(applied.notices, row);
    tally.noticed(notices, row);
    if (applied.mapped === MAPPED.yes && todo.entry.mapped !== MAPPED.yes) tally.mapped += 1;
  } else if (applied.kind === "refused") {
    const { kind: type, code, hint } = applied.refusal;
    emitFinished(run, { type, row, sourceId, code, hint });
  } else {
    const type = applied.kind === "rejected" ? "reject" : "failure";
    const event = { type, row, sourceId, code: applied.code, hint: applied.hint } as const;
    if (applied.kind === "unmapped") {
      tally.noticed(applied.done.notices, row);
      tally.noticed(notices, row);
      run.emitRow(event);
    } else if (isFinishedEntry(todo.entry)) emitFinished(run, event);
    else run.emitRow(event);
  }
  progress.tick();
}
