/** Sends the users of a planned batch, each on a way of their own: the lookup, the intent is durable, the calls, the outcome is durable, it is counted. No user waits for another one's lookup. */

import type { Pace } from "../calls/pace.js";
import type { KeptRow, ReadRows } from "../checkpoint/run-history.js";
import type { Action, CallOutcome, Task } from "../plan/action.js";
import { type IntentWrite, isFinishedEntry, type Touch } from "../plan/entry.js";
import { signsIn } from "../plan/expected.js";
import { isRefusal } from "../plan/plan.js";
import { STATE } from "../plan/states.js";
import { noticesOf } from "../plan/notices.js";
import { intentOf } from "../plan/writes.js";
import { NOT_MENDED } from "../source/row-damage.js";
import type { Awaited } from "./bulk/awaited.js";
import type { CallContext } from "./call-context.js";
import { carryOut, endOfRun, goingOn } from "./carry-out.js";
import { endCalls, type Endings } from "./end-calls.js";
import { goesTogether, importTogether, type WholeTask } from "./import-whole.js";
import { lookUp } from "./look-up.js";
import type { PlannedBatch } from "./plan-batch.js";

/** What the users of one run share. */
export interface RunContext extends Endings {
  readonly context: CallContext;
  readonly pace: Pace;
  /** Aborted by the operator or by an error that ends the run. */
  readonly signal: AbortSignal;
  /** Resolves when more refusals can be told. */
  readonly room: () => Promise<void>;
  /** Users of this run's rows whose accounts the core's queue has. */
  readonly awaited: Awaited;
  /** Null where each user has calls of their own. */
  bulk: BulkWay | null;
}

/** A way of many users at once, by the core's queue. */
export interface BulkWay {
  /** Some users have gone this way. */
  readonly isUsed: boolean;
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
  const { bulk, context } = run;
  const ready: Task[] = [];
  const unseen: Task[] = [];
  const queued: (readonly [decided: Task, before: Task])[] = [];
  for (const task of tasks) {
    const decided = bulk?.decided(task) ?? null;
    if (decided !== null) queued.push([decided, task]);
    else if (task.action.kind !== "look_up") ready.push(task);
    else unseen.push(task);
  }
  begin(run, unseen, (task) => lookUpAndSend(run, task, true));
  await Promise.all([
    writeIntents(run, ready, false),
    run.recorder.keepRows(readOf(batch), unsaid(batch)),
  ]);
  const sent: Task[] = [];
  const whole: WholeTask[] = [];
  for (const task of ready) {
    const { action } = task;
    const { kind } = action;
    if (kind === "keep" || kind === "refuse" || kind === "map_id") countKept(run, task);
    // An earlier run has given the account to the core's queue.
    if (kind === "wait") run.awaited.addBefore(task, action.isChanged);
    else if (goesTogether(context, task)) whole.push(task);
    else if (kind !== "keep" && kind !== "refuse") sent.push(task);
  }
  if (refusals.length > 0) await run.room();
  for (const event of refusals) run.emitRow(event);
  beginTogether(run, whole, (some) => sendTogether(run, some));
  begin(run, sent, (task) => send(run, task));
  for (const [decided, before] of queued) await bulk?.add(decided, before);
}

/** Sends a user by calls of their own; nothing is written of them yet. */
export function sendAlone(run: RunContext, task: Task): void {
  begin(run, [task], () => lookUpAndSend(run, task, false));
}

/** Sends a user whose intent is durable by calls of their own. */
export function sendIntended(run: RunContext, task: Task): void {
  begin(run, [task], () => send(run, task));
}

/** Users are on their way from here on; `way` says when the calls of one are over, and never rejects. */
function begin(run: RunContext, tasks: readonly Task[], way: (task: Task) => Promise<void>): void {
  beginTogether(run, tasks, (some) => Promise.all(some.map(way)));
}

/** The same for users whose calls are made together as far as they share a place. */
function beginTogether<One extends Task>(
  { pace }: RunContext,
  tasks: readonly One[],
  way: (some: readonly One[]) => Promise<unknown>,
): void {
  pace.enter(tasks.length);
  for (let at = 0; at < tasks.length; at += pace.share) {
    const some = tasks.slice(at, at + pace.share);
    void pace.run(() => way(some), some.length);
  }
}

function readOf({ file, tasks, refusals, contested }: PlannedBatch): ReadRows {
  return {
    file,
    numbers: () => [...tasks.map(({ keys }) => keys), ...refusals].map(({ row }) => row.number),
    users: () => tasks.filter(({ keys }) => keys.keyed).map(({ keys }) => keys.identity),
    mended: tasks.flatMap(({ keys: { row }, plan, action, entry }) => {
      const isBrought = !isRefusal(plan) && action.kind !== "refuse";
      return row.origin ? [{ origin: row.origin, user: isBrought ? entry.id : null }] : [];
    }),
    contested,
  };
}

/** Refusals of rows whose users have no entry, or one that says otherwise. */
function unsaid({ tasks, refusals, contested }: PlannedBatch): readonly KeptRow[] {
  if (refusals.length === 0) return [];
  const byRow = new Map(tasks.map((task) => [task.keys.row, task]));
  return refusals.flatMap((event) => {
    const { row } = event;
    const task = byRow.get(row);
    const isSaid = task !== undefined && isRefusal(task.plan) && !isFinishedEntry(task.entry);
    if (isSaid) return [];
    const yields = event.code === NOT_MENDED.code;
    const identity = task === undefined ? (contested.get(row)?.identity ?? null) : null;
    return { event, user: task?.entry.id ?? null, identity, yields };
  });
}

/** The whole way of a user who is looked up. The intent shares a write with others of the same moment. */
async function lookUpAndSend(run: RunContext, task: Task, mayQueue: boolean): Promise<void> {
  const decided = task.action.kind === "look_up" ? await lookedUp(run, task) : task;
  const queued = mayQueue ? (run.bulk?.decided(decided) ?? null) : null;
  if (queued !== null) {
    await run.bulk?.add(queued, task);
    run.pace.leave();
    return;
  }
  try {
    const written = writeIntents(run, [decided], true);
    await (lendsPlace(run) ? run.pace.lend(written) : written);
  } catch (error) {
    run.stop.fail(error);
    run.pace.leave();
    return;
  }
  await send(run, decided);
}

/** A remote core's calls are bounded by themselves, so another user may be looked up meanwhile; one by one where the operator asks for that. */
function lendsPlace({ context: { core }, pace }: RunContext): boolean {
  return core.target.kind === "remote" && pace.places > 1;
}

/** Looks a user up. If the lookup ends the run, this user and all later ones wait for the next run. */
async function lookedUp({ context, signal, stop }: RunContext, task: Task): Promise<Task> {
  try {
    const action = signal.aborted ? POSTPONE : await lookUp(context, task);
    if (action.kind === "stop") throw endOfRun(task.keys.row);
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

/** Counts a user to whom nothing is sent but, perhaps, the vendor's id. */
function countKept({ tally, ended }: RunContext, { action, entry, keys }: Task): void {
  if (action.kind === "keep") tally.outcomes[action.outcome] += 1;
  // The core has the plan that was carried out, and no other.
  const isOurs = entry.state !== STATE.existed && entry.samePlan;
  ended?.(keys.row, isOurs ? "brought" : "existed");
}

/** The calls for a user whose intent is durable. Their outcome is written while others call. Never rejects. */
async function send(run: RunContext, task: Task): Promise<void> {
  // No call is made for a user once the run is being stopped; what is settled needs none.
  const isOver = run.signal.aborted && task.action.kind !== "settle";
  await ending(run, task, async () => (isOver ? null : carryOut(run.context, task)));
}

/** Sends users in one message, as far as the pace lets them. A user whom it doesn't bring goes on alone. */
async function sendTogether(run: RunContext, tasks: readonly WholeTask[]): Promise<void> {
  const { context, signal } = run;
  const message = signal.aborted ? null : importTogether(context, tasks, goingOn(context));
  if (message === null) {
    await Promise.all(tasks.map((task) => send(run, task)));
    return;
  }
  const { brought, others } = await message;
  run.pace.settle(endCalls(run, brought), brought.length);
  await Promise.all(others.map(({ task, goOn }) => ending(run, task, goOn)));
}

/** @param calls null where none was made */
async function ending(
  run: RunContext,
  task: Task,
  calls: () => Promise<CallOutcome | null>,
): Promise<void> {
  try {
    const outcome = await calls();
    if (outcome !== null && isBrought(outcome) && signsIn(task.action)) run.tally.signedIn += 1;
    run.pace.settle(endCalls(run, [{ task, outcome }]), 1);
  } catch (error) {
    leave(run, error);
  }
}

/** Whether the user is at the core by this migration. */
function isBrought(outcome: CallOutcome): boolean {
  const done = "done" in outcome ? outcome.done : outcome;
  return done.kind === "done" && done.outcome !== "existed";
}

/** A user whose calls have ended the run, or were given up for its end. */
function leave(run: RunContext, error: unknown): void {
  if (run.stop.isCauseOf(error)) run.pending += 1;
  else run.stop.fail(error);
  run.pace.leave();
}

/** Users who get no call, since the run is being stopped; nothing is written of them yet. */
export async function postpone(run: RunContext, tasks: readonly Task[]): Promise<void> {
  run.pending += tasks.length;
  const postponed = tasks.map((task) => ({ ...task, action: POSTPONE }));
  await writeIntents(run, postponed, false).catch(run.stop.fail);
}
