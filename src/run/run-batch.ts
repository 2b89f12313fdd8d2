/** Sends the users of a planned batch, each on a way of their own: the lookup, the intent is durable, the calls, the outcome is durable, it is counted. No user waits for another one's lookup. */

import type { Pace } from "../calls/pace.js";
import type { Progress } from "../calls/progress.js";
import type { Checkpoint } from "../checkpoint/checkpoint.js";
import type { KeptRow, ReadRows } from "../checkpoint/run-log.js";
import type { RowEvent, RowRef } from "../events/events.js";
import type { Tally } from "../events/tally.js";
import type { Action, CallOutcome, Done, Task } from "../plan/action.js";
import { type IntentWrite, isFinishedEntry, type OutcomeWrite, type Touch } from "../plan/entry.js";
import { isRefusal, passwordOf } from "../plan/plan.js";
import { MAPPED, STATE } from "../plan/states.js";
import { noticesOf } from "../plan/notices.js";
import { intentOf, outcomeOf, withdrawn } from "../plan/writes.js";
import type { Awaited } from "./bulk/awaited.js";
import type { CallContext } from "./call-context.js";
import { carryOut, endOfRun } from "./carry-out.js";
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
  /** Told of each user who is at the core in the end: brought by this migration, or there before. */
  readonly ended?: (row: RowRef, how: "brought" | "existed") => void;
  /** Users of this run's rows whose accounts the core's queue has. */
  readonly awaited: Awaited;
  /** Null where each user has calls of their own. */
  bulk: BulkWay | null;
  /** Users whose calls were never made because the run was stopped. */
  pending: number;
}

/** A way of many users at once, by the core's queue. */
export interface BulkWay {
  /** The user as decided, where they may go this way and no lookup is needed first; else null. */
  decided(task: Task): Task | null;
  /**
   * @param task decided, with no intent written yet
   * @param before as it was before any lookup
   * @returns when there is room for more
   */
  add(task: Task, before: Task): Promise<void>;
}

/** Starts the users who are looked up, makes the others' intents durable, tells the refusals, and starts the others. */
export async function runBatch(run: RunContext, batch: PlannedBatch): Promise<void> {
  const { tasks, refusals } = batch;
  const { bulk } = run;
  const ready: Task[] = [];
  const together: (readonly [decided: Task, before: Task])[] = [];
  for (const task of tasks) {
    const decided = bulk?.decided(task) ?? null;
    if (decided !== null) together.push([decided, task]);
    else if (task.action.kind !== "look_up") ready.push(task);
    else begin(run, () => lookUpAndSend(run, task));
  }
  await Promise.all([
    writeIntents(run, ready, false),
    run.recorder.keepRows(readOf(batch), unsaid(batch)),
  ]);
  for (const task of ready) if (isKept(task)) countKept(run, task);
  if (refusals.length > 0) await run.room();
  for (const event of refusals) run.emitRow(event);
  for (const task of ready) {
    const { kind } = task.action;
    if (kind === "wait") awaitOutcome(run, task);
    else if (kind !== "keep" && kind !== "refuse") begin(run, () => send(run, task));
  }
  for (const [decided, before] of together) await bulk?.add(decided, before);
}

/** Sends a user of whom nothing is written yet by calls of their own. */
export function sendAlone(run: RunContext, task: Task): void {
  begin(run, () => lookUpAndSend(run, task, false));
}

/** Sends a user whose intent is durable by calls of their own. */
export function sendIntended(run: RunContext, task: Task): void {
  begin(run, () => send(run, task));
}

/** A user whose account an earlier run has given to the core's queue. */
function awaitOutcome({ awaited }: RunContext, { entry, plan }: Task): void {
  const algorithm = plan.kind === "import" ? plan.algorithm : null;
  awaited.add(entry.id, { algorithm, isChanged: entry.previous !== null && !isRefusal(plan) });
}

/** A user is on their way from here on; `way` says when they have left. */
function begin({ pace }: RunContext, way: () => Promise<void>): void {
  pace.enter();
  void pace.run(way);
}

/** Nothing is sent but, perhaps, the vendor's id. */
function isKept({ action: { kind } }: Task): boolean {
  return kind === "keep" || kind === "refuse" || kind === "map_id";
}

function readOf({ file, tasks, refusals }: PlannedBatch): ReadRows {
  return {
    file,
    numbers: () => [...tasks.map(({ keys }) => keys), ...refusals].map(({ row }) => row.number),
    users: () => tasks.filter(({ keys }) => keys.keyed).map(({ keys }) => keys.identity),
  };
}

/** Refusals of rows whose users have no entry, or one that says otherwise. */
function unsaid({ tasks, refusals, strays }: PlannedBatch): readonly KeptRow[] {
  if (refusals.length === 0) return [];
  const byRow = new Map(tasks.map((task) => [task.keys.row, task]));
  return refusals.flatMap((event) => {
    const { row } = event;
    const task = byRow.get(row);
    const isSaid = task !== undefined && isRefusal(task.plan) && !isFinishedEntry(task.entry);
    if (isSaid) return [];
    return { event, user: task?.entry.id ?? null, identity: strays.get(row) ?? null };
  });
}

/** The whole way of a user who is looked up. The intent shares a write with others of the same moment. */
async function lookUpAndSend(run: RunContext, task: Task, mayQueue = true): Promise<void> {
  const decided = task.action.kind === "look_up" ? await lookedUp(run, task) : task;
  const queued = mayQueue ? (run.bulk?.decided(decided) ?? null) : null;
  if (queued !== null) {
    await run.bulk?.add(queued, task);
    run.pace.leave();
    return;
  }
  try {
    await writeIntents(run, [decided], true);
  } catch (error) {
    run.stop.fail(error);
    run.pace.leave();
    return;
  }
  await send(run, decided);
}

/** Looks a user up. If the lookup ends the run, this user and all later ones wait for the next run. */
async function lookedUp({ context, signal, stop }: RunContext, task: Task): Promise<Task> {
  try {
    const action = signal.aborted ? POSTPONE : await lookUp(context, task);
    if (action.kind === "stop") throw endOfRun(action.code, task.keys.row);
    return { ...task, action };
  } catch (error) {
    stop.fail(error);
    return { ...task, action: POSTPONE };
  }
}

const POSTPONE: Action = { kind: "postpone" };

function writeIntents(
  { checkpoint }: RunContext,
  tasks: readonly Task[],
  gathered: boolean,
): Promise<void> {
  const intents: IntentWrite[] = [];
  const touched: Touch[] = [];
  for (const task of tasks) {
    const intent = intentOf(task);
    if (intent === null)
      touched.push({ keys: task.keys, entry: task.entry, notices: noticesOf(task) });
    else intents.push(intent);
  }
  return checkpoint.ledger.writeIntents(intents, touched, gathered);
}

/** Counts a user for whom nothing is sent but, perhaps, the vendor's id. */
function countKept({ tally, ended }: RunContext, { action, entry, keys }: Task): void {
  if (action.kind === "keep") tally.outcomes[action.outcome] += 1;
  // A plan that isn't the one that was carried out isn't what is at the core.
  const isOurs = entry.state !== STATE.existed && entry.samePlan;
  ended?.(keys.row, isOurs ? "brought" : "existed");
}

/** The calls for a user whose intent is durable. Their outcome is written while others call. Never rejects. */
async function send(run: RunContext, task: Task): Promise<void> {
  const { context, stop, signal, pace } = run;
  const { action, entry } = task;
  // The intent has said what a lookup has settled; of a finished user there is nothing to say.
  const isSaid =
    action.kind === "settle" && (isFinishedEntry(entry) || action.outcome.kind !== "refused");
  try {
    // No call is made for a user once the run is being stopped; what is settled needs none.
    const isOver = signal.aborted && action.kind !== "settle";
    const outcome = isOver ? null : await carryOut(context, task);
    const write = outcome === null ? withdrawn(task) : isSaid ? null : outcomeOf(task, outcome);
    void end(run, task, outcome, write).then(pace.leave);
  } catch (error) {
    if (stop.isCauseOf(error)) run.pending += 1;
    else stop.fail(error);
    pace.leave();
  }
}

/**
 * Counts an outcome when it is durable. Never rejects.
 *
 * @param outcome null where no call was made
 * @param write null where the entry says it already
 */
async function end(
  run: RunContext,
  task: Task,
  outcome: CallOutcome | null,
  write: OutcomeWrite | null,
): Promise<void> {
  const { stop, checkpoint } = run;
  // No further user is sent; the run ends when all that was answered is durable.
  if (outcome?.kind === "done" && outcome.endsRun !== undefined) {
    stop.fail(endOfRun(outcome.endsRun, task.keys.row));
  }
  try {
    if (write !== null) await checkpoint.ledger.settle(write);
    if (outcome === null) run.pending += 1;
    else count(run, task, outcome);
  } catch (error) {
    stop.fail(error);
  }
}

/** How the calls of a user have ended whose intent is durable. Never rejects. */
export function endCalls(run: RunContext, task: Task, outcome: CallOutcome): Promise<void> {
  return end(run, task, outcome, outcomeOf(task, outcome));
}

/** Users for whom no call is made, since the run is being stopped, and of whom nothing is written yet. */
export async function postpone(run: RunContext, tasks: readonly Task[]): Promise<void> {
  run.pending += tasks.length;
  const postponed = tasks.map((task) => ({ ...task, action: POSTPONE }));
  await writeIntents(run, postponed, false).catch(run.stop.fail);
}

function count(run: RunContext, task: Task, outcome: CallOutcome): void {
  const { plan, keys, action } = task;
  const { row, sourceId } = keys;
  const isMapping = action.kind === "map_id";
  if (outcome.kind === "done") {
    if (isMapping) run.tally.ended("unchanged");
    else {
      run.ended?.(row, outcome.outcome === "existed" ? "existed" : "brought");
      run.tally.ended(outcome.outcome, passwordOf(plan));
    }
    countDone(run, task, outcome);
  } else if (outcome.kind === "refused") {
    const { kind: type, code, hint } = outcome.refusal;
    countDone(run, task, outcome.done);
    emitUnsaid(run, task, { type, row, sourceId, code, hint });
  } else {
    const type = outcome.kind === "rejected" ? "reject" : "failure";
    const event: RowEvent = { type, row, sourceId, code: outcome.code, hint: outcome.hint };
    if (outcome.kind === "incomplete") countDone(run, task, outcome.done);
    const isFinished = isFinishedEntry(task.entry) && outcome.kind !== "incomplete";
    if (isMapping || isFinished) emitUnsaid(run, task, event);
    else run.emitRow(event);
  }
  // What the lookup has shown beside the user.
  const isThere = outcome.kind === "done" || outcome.kind === "incomplete";
  if (isThere && "notices" in action) run.tally.noticed(action.notices, row);
  run.progress.tick();
}

/** Counts what is told of a user who is at the core, whatever the row's ending. */
function countDone({ tally }: RunContext, { keys, entry }: Task, done: Done): void {
  tally.noticed(done.notices, keys.row);
  if (done.mapped === MAPPED.yes && entry.mapped !== MAPPED.yes) tally.mapped += 1;
}

/** Emits a row whose user's entry doesn't say it, and keeps it. */
function emitUnsaid(run: RunContext, { entry }: Task, event: RowEvent): void {
  const read = { file: event.row.file, numbers: () => [], users: () => [] };
  const kept = { event, user: entry.id, identity: null };
  run.recorder.keepRows(read, [kept]).catch(run.stop.fail);
  run.emitRow(event);
}
