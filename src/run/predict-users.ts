/** Looks users up as an import would, and says how it would end for each. It sends nothing. */

import { Caller } from "../calls/caller.js";
import type { Traffic } from "../events/progress.js";
import type { RowEvent, RowRef } from "../events/events.js";
import type { Prediction } from "../events/summary.js";
import { countExample, newExampleCounter } from "../events/findings.js";
import { type CallCounts, CARRIED_BIT, ID_NOT_KEPT, type Tally } from "../events/tally.js";
import type { Action, Rules, Task } from "../plan/action.js";
import { STATE_NAMES } from "../checkpoint/state-counts.js";
import type { Carried } from "../plan/carried.js";
import { carriedBits } from "../plan/carried-users.js";
import { NONE } from "../plan/codes.js";
import { decide, NOTHING_SEEN } from "../plan/decide.js";
import { callsOf, type Expected, expectedOf, hasId, lookupsOf } from "../plan/expected.js";
import { isFinishedEntry } from "../plan/entry.js";
import { JOINED_LOST, leftAlone } from "../plan/joining.js";
import { noticesOf, noticesOnceBrought, stillThereFor } from "../plan/notices.js";
import { signInOf } from "../plan/plan.js";
import { MAPPED } from "../plan/states.js";
import { ForeseenCalls } from "./bulk/foreseen-calls.js";
import { carriedBySingleCalls } from "./bulk/setting.js";
import type { CallContext } from "./call-context.js";
import { wouldKeepId } from "./keep-id.js";
import { lookUp } from "./look-up.js";
import type { PlannedBatch } from "./plan-batch.js";
import type { Asked } from "./asked-core.js";
import { type Reading, tellRow } from "./one-run.js";

interface Predicting
  extends Pick<Reading, "tally" | "pace" | "rejects" | "stage" | "emit" | "timing" | "room"> {
  readonly asked: Asked;
  readonly rules: Rules;
  readonly plannedCalls: CallCounts;
  readonly rows: number;
}

/** Who is looked up, and what came of it. */
export class Predictor {
  readonly traffic: Traffic;
  /** Users who are to get a second factor. */
  readonly factors = newExampleCounter();
  readonly #run: Predicting;
  readonly #context: CallContext;
  readonly #stops: Record<string, number> = {};
  readonly #calls: ForeseenCalls;
  /** The rules for users who aren't looked up: as if the core didn't know them. */
  readonly #unseen: Rules;
  /** What is known of the calls once all rows are taken. */
  #end: ReturnType<ForeseenCalls["end"]> = { isTogether: false, joinedLost: [], signIns: 0 };
  /** What was asked of ids, which an import doesn't ask. */
  #ownLookups = 0;
  /** Users of earlier runs whose rows are refused, by the state that they keep. */
  readonly #kept: Record<string, number> = {};
  readonly #stillThere: Record<string, number> = {};
  #met = 0;
  #answered = 0;
  #unasked = 0;

  constructor(run: Predicting) {
    const { asked, rules, tally, pace, emit, timing } = run;
    const { asks, core, stop } = asked;
    const caller = new Caller(tally, timing, stop.signal, {
      most: core.target.kind === "remote" ? asks.concurrency : null,
      rate: asks.rate,
      probe: () => core.probe(),
      pace,
      onPause: emit,
    });
    this.#run = run;
    this.#calls = new ForeseenCalls(asked.bulkSetting, rules, run.plannedCalls);
    this.traffic = caller.traffic;
    this.#context = {
      ...rules,
      core,
      caller,
      joinedByQueue: asked.bulkSetting !== null,
      notKept: new Map(),
      // Only a call that removes could tell for sure.
      removes: async () => ({ ok: true, value: true, maybeApplied: false }),
      ids: asked.checkpoint?.ledger ?? { claimId: () => null },
      now: () => timing.now(),
    };
    this.#unseen = { ...this.#context, wasEmpty: true, looksUp: false };
  }

  /** Resolves when the users of a batch are looked up and its rows told. */
  async take({ tasks, refusals }: PlannedBatch): Promise<void> {
    const final = await Promise.all(tasks.map((task) => this.#decided(task)));
    if (refusals.length > 0) await this.#run.room();
    for (const event of refusals) this.#refuse(event);
    for (const task of final) this.#count(task);
  }

  /** Adds what is known once all rows are told. */
  end(): void {
    const { plannedCalls, tally } = this.#run;
    // The import asks the same, unless all are new.
    plannedCalls.lookup += tally.calls.lookup - this.#ownLookups;
    this.#end = this.#calls.end();
    for (const row of this.#end.joinedLost) {
      tally.noticed(JOINED_LOST, row);
      tally.brings({ bits: CARRIED_BIT.joined | CARRIED_BIT.left, row }, -1);
    }
  }

  /** What of accounts goes along, once all rows are taken. */
  get carried(): Carried {
    return this.#end.isTogether ? this.#context.carried : carriedBySingleCalls(this.#context);
  }

  /** Users whom an import signs in, once all rows are taken; and whether others go by the core's queue. */
  signIns(): { readonly users: number; readonly passQueue: boolean } {
    return { users: this.#end.signIns, passQueue: this.#end.isTogether };
  }

  /** Rows without a known outcome. */
  withoutOutcome(): number {
    return Object.values(this.#stops).reduce((sum, users) => sum + users, this.#unasked);
  }

  result(): Prediction {
    const { outcomes } = this.#run.tally;
    const { earlier } = this.#run.asked.checkpoint?.ledger ?? {};
    const kept = { ...this.#kept };
    const stillThere = { ...this.#stillThere };
    const { passed } = earlier ?? {};
    for (const [state, users] of passed?.states ?? []) add(kept, STATE_NAMES[state], users);
    for (const [why, users] of passed?.stillThere ?? []) if (users > 0) add(stillThere, why, users);
    return {
      outcomes,
      stops: this.#stops,
      kept,
      stillThere,
      lookedUp: this.#answered,
      unasked: this.#unasked,
      again: earlier?.again ?? 0,
      joinedByBulk: this.#end.joinedLost.length,
    };
  }

  #decided(task: Task): Task | Promise<Task> {
    const { kind } = task.action;
    if (kind !== "look_up" && kind !== "map_id") return task;
    if (this.#isChosen()) return this.#run.pace.run(() => this.#lookedUp(task));
    return { ...task, action: UNASKED };
  }

  /** The same users are chosen by every run over the same rows. */
  #isChosen(): boolean {
    const { rows, asked } = this.#run;
    const { checkExisting: most } = asked.asks;
    const before = this.#met;
    this.#met += 1;
    const chosen = (users: number): number => Math.floor((users * most) / rows);
    return chosen(this.#met) > chosen(before);
  }

  async #lookedUp(task: Task): Promise<Task> {
    const { stop } = this.#run.asked;
    if (stop.signal.aborted) return task;
    try {
      const action =
        task.action.kind === "look_up" ? await lookUp(this.#context, task) : task.action;
      const asked = await this.#withId({ ...task, action });
      this.#answered += 1;
      return asked;
    } catch (error) {
      stop.fail(error);
      return task;
    }
  }

  /** With the notice where the core wouldn't take the vendor's id. */
  async #withId(task: Task): Promise<Task> {
    const { action } = task;
    if (!("notices" in action) || this.#run.asked.bulkSetting?.isEmpty === true) return task;
    const { core, caller } = this.#context;
    const call: Caller["call"] = (name, attempt) => {
      this.#ownLookups += 1;
      return caller.call(name, attempt);
    };
    const keeps = await wouldKeepId({ core, caller: { call } }, task);
    if (keeps === null) return { ...task, action: UNASKED };
    if (keeps) return task;
    // An import asks once as well, when the core has refused the id.
    if (!("theirs" in action && action.theirs)) this.#ownLookups -= 1;
    return { ...task, action: { ...action, notices: [...action.notices, ID_NOT_KEPT] } };
  }

  #count(task: Task): void {
    const { action, keys, plan } = task;
    const { tally } = this.#run;
    const isOpen = action.kind === "look_up" || action.kind === "postpone";
    if (isOpen || (!this.#context.looksUp && callsOf(action).length > 0)) {
      this.#unasked += 1;
      tally.noticed(noticesOnceBrought(task, AS_PLANNED), keys.row);
      const unseen = { ...task, action: decide(task, NOTHING_SEEN, this.#unseen) };
      countCalls(this.#run, unseen, this.#context.looksUp, this.#calls);
      this.#countFactors(unseen);
      tally.brings(this.#brings(unseen));
      return;
    }
    countCalls(this.#run, task, false, this.#calls);
    this.#countFactors(task);
    this.#countKept(task);
    // The rows of a batch are told by its refusals.
    if (action.kind === "refuse") return;
    const expected = expectedOf(action);
    const { outcome, code, hint, notices } = expected;
    const { row, sourceId } = keys;
    if (action.kind !== "keep") tally.noticed(notices, row);
    tally.noticed(noticesOnceBrought(task, expected), row);
    if (outcome === "rejected" || outcome === "skipped" || outcome === "failed") {
      this.#refuse({ type: EVENTS[outcome], row, sourceId, code: code ?? "", hint });
      return;
    }
    if (outcome === "stop") add(this.#stops, code ?? "");
    else tally.ended(outcome, signInOf(plan), this.#brings(task, notices));
    this.#say(row, expected);
  }

  /** What goes along with a user, or may: who goes together loses no day of joining. */
  #brings(task: Task, notices = NONE) {
    const { row } = task.keys;
    const left = leftAlone(task.action, this.#context);
    const isOpen = left.length > 0 && this.#calls.joinsTogether(task);
    if (!isOpen) this.#run.tally.noticed(left, row);
    return { bits: carriedBits(task, isOpen ? notices : [...notices, ...left]), row };
  }

  /** A user who is at the core all the same, whatever their row says. */
  #countKept(task: Task): void {
    const why = task.plan.kind === "skip" ? stillThereFor(noticesOf(task)) : null;
    if (why !== null) add(this.#stillThere, why);
    const { refusal, state } = refusalBeside(task) ?? {};
    if (refusal === undefined || state === undefined) return;
    add(this.#kept, state);
    this.#run.tally.beside({ type: refusal.kind, code: refusal.code });
  }

  #countFactors({ action, keys }: Task): void {
    if (!("parts" in action)) return;
    const hasOne = action.parts?.some(({ part, come }) => part === "totp" && come.length > 0);
    if (hasOne === true) countExample(this.factors, keys.row);
  }

  #refuse(event: RowEvent): void {
    tellRow(event, this.#run);
    this.#say(event.row, { outcome: OUTCOMES[event.type], code: event.code });
  }

  #say(row: RowRef, { outcome, code }: Pick<Expected, "outcome" | "code">): void {
    this.#run.asked.asks.onPrediction?.({ type: "prediction", row, outcome, code });
  }
}

/**
 * Adds the calls that an import would make for a user.
 *
 * @param looksUp whether the import looks new users up
 * @param calls where users may share calls; null where each has calls of their own
 */
export function countCalls(
  { plannedCalls, tally }: { readonly plannedCalls: CallCounts; readonly tally: Tally },
  task: Task,
  looksUp: boolean,
  calls: ForeseenCalls | null,
): void {
  const { action } = task;
  if (action.kind === "look_up" || action.kind === "postpone") return;
  const counted = calls?.countsFor(task) ?? plannedCalls;
  for (const call of callsOf(action)) counted[call] += 1;
  if (hasId(action) && task.entry.mapped !== MAPPED.yes) tally.mapped += 1;
  if (looksUp && "plan" in action) plannedCalls.lookup += lookupsOf(action.plan);
}

/** Why a row is refused whose user is at the core all the same, and where they stand then; null for others. */
function refusalBeside({ action, entry: { state } }: Task) {
  if (action.kind === "settle" && action.outcome.kind === "refused") {
    const { refusal, done } = action.outcome;
    return { refusal, state: done.outcome };
  }
  const refusal = action.kind === "refuse" || action.kind === "map_id" ? action.refusal : null;
  if (refusal === null || state === null || !isFinishedEntry({ state })) return null;
  return { refusal, state: STATE_NAMES[state] };
}

function add(counts: Record<string, number>, name: string, users = 1): void {
  counts[name] = (counts[name] ?? 0) + users;
}

/** How a user ends of whom the core wasn't asked. */
export const AS_PLANNED = { outcome: "imported", notices: [] } as const;

/** What becomes of the user isn't known. */
const UNASKED: Action = { kind: "postpone" };

const EVENTS = { rejected: "reject", skipped: "skip", failed: "failure" } as const;
const OUTCOMES = { reject: "rejected", skip: "skipped", failure: "failed" } as const;
