/** Runs one planned batch: users are looked up, intents written, calls made, outcomes written, and then counted. Order: the intent is durable, the call is made, the outcome is durable, it is counted. */

import type { Pace } from "../calls/pace.js";
import type { Progress } from "../calls/progress.js";
import type { Checkpoint } from "../checkpoint/checkpoint.js";
import type { RowEvent, RowRef } from "../events/events.js";
import type { Tally } from "../events/tally.js";
import type { CallOutcome, Done, Task } from "../plan/action.js";
import { type IntentWrite, isFinishedEntry, type Touch } from "../plan/entry.js";
import { isRefusal } from "../plan/plan.js";
import { MAPPED, STATE } from "../plan/states.js";
import { intentOf, outcomeOf, withdrawn } from "../plan/writes.js";
import type { CallContext } from "./call-context.js";
import { carryOut, endOfRun, type Ready } from "./carry-out.js";
import { lookUp } from "./look-up.js";
import type { PlannedBatch } from "./plan-batch.js";
import type { RunRecorder } from "./run-recorder.js";
import type { Stop } from "./stop.js";

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

/** Looks the batch's users up, makes their intents durable, tells the refusals, and starts the calls. */
export async function runBatch(run: RunContext, batch: PlannedBatch): Promise<void> {
  const tasks: Task[] = [];
  const lookups: Promise<Task>[] = [];
  for (const task of batch.tasks) {
    if (task.action.kind === "look_up") lookups.push(run.pace.run(() => lookedUp(run, task)));
    else tasks.push(run.signal.aborted && !isKept(task) ? postponed(task) : task);
  }
  if (lookups.length > 0) tasks.push(...(await Promise.all(lookups)));
  await writeIntents(run, tasks, batch.refusals);
  for (const task of tasks) if (isKept(task)) countKept(run, task);
  if (batch.refusals.length > 0) await run.room();
  for (const event of batch.refusals) run.emitRow(event);
  for (const task of tasks) begin(run, task);
}

/** The entry stays as it is, or says that the row is refused. */
function isKept({ action: { kind } }: Task): boolean {
  return kind === "keep" || kind === "refuse" || kind === "map_id";
}

/** Looks a user up. If the lookup ends the run, this user and all later ones wait for the next run. */
async function lookedUp({ context, signal, stop }: RunContext, task: Task): Promise<Task> {
  if (signal.aborted) return postponed(task);
  try {
    const action = await lookUp(context, task);
    if (action.kind === "stop") throw endOfRun(action.code, task.keys.row);
    return { ...task, action };
  } catch (error) {
    stop.fail(error);
    return postponed(task);
  }
}

function postponed(task: Task): Task {
  return { ...task, action: { kind: "postpone" } };
}

async function writeIntents(
  { checkpoint, recorder }: RunContext,
  tasks: readonly Task[],
  refusals: readonly RowEvent[],
): Promise<void> {
  const intents: IntentWrite[] = [];
  const touched: Touch[] = [];
  for (const task of tasks) {
    const intent = intentOf(task);
    if (intent === null) touched.push(task);
    else intents.push(intent);
  }
  // Refusals of rows whose users have no entry, or one that says otherwise.
  const said =
    refusals.length === 0
      ? []
      : tasks.filter(({ plan, entry }) => isRefusal(plan) && !isFinishedEntry(entry));
  const rows = new Set(said.map(({ keys }) => keys.row));
  await Promise.all([
    checkpoint.ledger.writeIntents(intents, touched),
    recorder.keepRows(refusals.filter(({ row }) => !rows.has(row))),
  ]);
}

/** Counts a user for whom nothing is sent but, perhaps, the vendor's id. */
function countKept({ tally, ended }: RunContext, { action, entry, keys }: Task): void {
  if (action.kind === "keep") tally.outcomes[action.outcome] += 1;
  // A plan that isn't the one that was carried out isn't what is at the core.
  const isOurs = entry.state !== STATE.existed && entry.samePlan;
  ended?.(keys.row, isOurs ? "brought" : "existed");
}

/** Starts what is to be done for a user whose intent is durable. */
function begin(run: RunContext, task: Task): void {
  const { action, entry } = task;
  switch (action.kind) {
    case "keep":
    case "refuse":
    case "look_up":
    case "stop":
      return;
    case "postpone":
      run.pending += 1;
      return;
    case "settle":
      // The intent has said it already; of a finished user there is nothing to say.
      if (isFinishedEntry(entry) || action.outcome.kind !== "refused") {
        count(run, task, action.outcome);
        return;
      }
  }
  run.pace.enter();
  void run.pace.runFirst(() => perform(run, task, action));
}

/** The calls for one user. Their outcome is written while others call. Never rejects. */
async function perform(run: RunContext, task: Task, action: Ready): Promise<void> {
  const { context, stop, signal, pace } = run;
  const { ledger } = run.checkpoint;
  try {
    // No call is made for a user once the run is being stopped.
    const outcome = signal.aborted ? null : await carryOut(context, task, action);
    const write = outcome === null ? withdrawn(task) : outcomeOf(task, outcome);
    // No further user is sent; the run ends when all that was answered is durable.
    if (outcome?.kind === "done" && outcome.endsRun !== undefined) {
      stop.fail(endOfRun(outcome.endsRun, task.keys.row));
    }
    const written = write === null ? WRITTEN : ledger.settle(write);
    written.then(
      () => arrive(run, task, outcome),
      (error: unknown) => {
        stop.fail(error);
        pace.leave();
      },
    );
  } catch (error) {
    if (stop.isCauseOf(error)) run.pending += 1;
    else stop.fail(error);
    pace.leave();
  }
}

const WRITTEN = Promise.resolve();

/** An outcome counts only when it is durable. */
function arrive(run: RunContext, task: Task, outcome: CallOutcome | null): void {
  try {
    if (outcome === null) run.pending += 1;
    else count(run, task, outcome);
  } catch (error) {
    run.stop.fail(error);
  }
  run.pace.leave();
}

function count(run: RunContext, task: Task, outcome: CallOutcome): void {
  const { plan, keys, action } = task;
  const { row, sourceId } = keys;
  const isMapping = action.kind === "map_id";
  if (outcome.kind === "done") {
    if (isMapping) run.tally.ended("unchanged");
    else {
      run.ended?.(row, outcome.outcome === "existed" ? "existed" : "brought");
      run.tally.ended(outcome.outcome, plan.kind === "import" ? plan.algorithm : null);
    }
    countDone(run, task, outcome);
    countSeen(run, task);
  } else if (outcome.kind === "refused") {
    const { kind: type, code, hint } = outcome.refusal;
    countDone(run, task, outcome.done);
    emitUnsaid(run, { type, row, sourceId, code, hint });
  } else {
    const type = outcome.kind === "rejected" ? "reject" : "failure";
    const event: RowEvent = { type, row, sourceId, code: outcome.code, hint: outcome.hint };
    if (outcome.kind === "unmapped") {
      countDone(run, task, outcome.done);
      countSeen(run, task);
    }
    const isFinished = isFinishedEntry(task.entry) && outcome.kind !== "unmapped";
    if (isMapping || isFinished) emitUnsaid(run, event);
    else run.emitRow(event);
  }
  run.progress.tick();
}

/** Counts what is told of a user who is at the core, whatever the row's ending. */
function countDone({ tally }: RunContext, { keys, entry }: Task, done: Done): void {
  tally.noticed(done.notices, keys.row);
  if (done.mapped === MAPPED.yes && entry.mapped !== MAPPED.yes) tally.mapped += 1;
}

/** Counts what the lookup has shown beside the user. */
function countSeen({ tally }: RunContext, { keys, action }: Task): void {
  if ("notices" in action) tally.noticed(action.notices, keys.row);
}

/** Emits a row whose user's entry doesn't say it, and keeps it. */
function emitUnsaid(run: RunContext, event: RowEvent): void {
  run.recorder.keepRows([event]).catch(run.stop.fail);
  run.emitRow(event);
}
