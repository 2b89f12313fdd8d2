/** Writes how the calls of users have ended, and counts each user once that is durable. */

import type { Progress } from "../events/progress.js";
import type { Checkpoint } from "../checkpoint/checkpoint.js";
import type { RowEvent, RowRef } from "../events/events.js";
import type { Tally } from "../events/tally.js";
import type { CallOutcome, Task } from "../plan/action.js";
import { NONE } from "../plan/codes.js";
import { isFinishedEntry, type OutcomeWrite } from "../plan/entry.js";
import { carriedBits } from "../plan/carried-users.js";
import { noticesOnceBrought } from "../plan/notices.js";
import { signInOf } from "../plan/plan.js";
import { MAPPED } from "../plan/states.js";
import { outcomeOf, withdrawn } from "../plan/writes.js";
import { endOfRun } from "./carry-out.js";
import type { Ended } from "./import-whole.js";
import type { RunRecorder } from "./run-recorder.js";
import type { Stop } from "./stop.js";

/** Where the endings of users are written and counted. */
export interface Endings {
  readonly checkpoint: Checkpoint;
  readonly tally: Tally;
  readonly progress: Progress;
  readonly stop: Stop;
  readonly recorder: RunRecorder;
  /** Counts a reject, skip or failure and emits it. */
  readonly emitRow: (event: RowEvent) => void;
  /** Told of each user who is at the core in the end: brought by this migration, or there before. */
  readonly ended?: (row: RowRef, how: "brought" | "existed") => void;
  /** Users whose calls were never made because the run was stopped. */
  pending: number;
}

/** Ends the calls of users whose intents are durable. Resolves when that is counted; never rejects. */
export function endCalls(run: Endings, ended: readonly Ended[]): Promise<void> {
  const { stop, checkpoint } = run;
  try {
    const writes: OutcomeWrite[] = [];
    for (const { task, outcome } of ended) {
      // No further user is sent; the run ends when all that was answered is durable.
      if (outcome?.kind === "done" && outcome.endsRun) stop.fail(endOfRun(task.keys.row));
      const { action } = task;
      // The intent has said what a lookup has settled; of a finished user there is nothing to say.
      const isSaid =
        action.kind === "settle" &&
        (action.outcome.kind !== "refused" || isFinishedEntry(task.entry));
      if (isSaid && outcome !== null) continue;
      const write = outcome === null ? withdrawn(task) : outcomeOf(task, outcome);
      if (write !== null) writes.push(write);
    }
    const written = writes.length === 0 ? DONE : checkpoint.ledger.settle(writes);
    return written.then(() => tellAll(run, ended), stop.fail);
  } catch (error) {
    stop.fail(error);
    return DONE;
  }
}

const DONE = Promise.resolve();

function tellAll(run: Endings, users: readonly Ended[]): void {
  for (const { task, outcome } of users) {
    try {
      if (outcome === null) run.pending += 1;
      else count(run, task, outcome);
    } catch (error) {
      run.stop.fail(error);
    }
  }
  run.progress.tick();
}

function count(run: Endings, task: Task, outcome: CallOutcome): void {
  const { plan, keys, action, entry } = task;
  const { tally } = run;
  const { row, sourceId } = keys;
  const isMapping = action.kind === "map_id" || action.kind === "reseal";
  const done = "done" in outcome ? outcome.done : outcome.kind === "done" ? outcome : null;
  if (done !== null) {
    const told = outcome.kind === "refused" ? NONE : noticesOnceBrought(task, done);
    tally.noticed([...told, ...done.notices], row);
    if (done.mapped === MAPPED.yes && entry.mapped !== MAPPED.yes) tally.mapped += 1;
  }
  switch (outcome.kind) {
    case "done":
      if (isMapping) tally.ended("unchanged");
      else {
        run.ended?.(row, outcome.outcome === "existed" ? "existed" : "brought");
        // Who was there before gets no part.
        const bits = outcome.mapped === MAPPED.never ? 0 : carriedBits(task, outcome.notices);
        tally.ended(outcome.outcome, signInOf(plan), { bits, row });
      }
      break;
    case "refused": {
      const { kind: type, code, hint } = outcome.refusal;
      emitUnsaid(run, task, { type, row, sourceId, code, hint });
      return;
    }
    default: {
      const type = outcome.kind === "rejected" ? "reject" : "failure";
      const event: RowEvent = { type, row, sourceId, code: outcome.code, hint: outcome.hint };
      const isFinished = isFinishedEntry(entry) && outcome.kind !== "incomplete";
      if (isMapping || isFinished) emitUnsaid(run, task, event);
      else run.emitRow(event);
      if (outcome.kind !== "incomplete") return;
    }
  }
  // What the lookup has shown beside the user.
  if ("notices" in action) tally.noticed(action.notices, row);
}

/** Emits a row whose user's entry doesn't say it, and keeps it. */
function emitUnsaid(run: Endings, { entry }: Task, event: RowEvent): void {
  const read = { file: event.row.file, numbers: () => [], users: () => [], mended: [] };
  const kept = { event, user: entry.id, identity: null, yields: false };
  run.recorder.keepRows({ ...read, contested: new Map() }, [kept]).catch(run.stop.fail);
  run.emitRow(event);
}
