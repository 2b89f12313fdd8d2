/** What the checkpoint is told of an action: the intent before its calls, and the outcome after them. Nothing else is written of a user. Pure. */

import type { CallOutcome, Done, Task } from "./action.js";
import { type Entry, type IntentWrite, isFinishedEntry, type OutcomeWrite } from "./entry.js";
import { noticesAfter, noticesOf } from "./notices.js";
import { CONTACT_CONFLICT, OUTCOME_OF } from "./outcomes.js";
import { NO_WORK, notesBefore, notesDone, type PartNotes } from "./parts.js";
import { isRefusal } from "./plan.js";
import { MAPPED, QUEUED_AGAIN, STATE, type State } from "./states.js";
import { withoutContact } from "../account/tellable-id.js";

/** What is written before anything is sent: the intent, or an outcome that needs no call; null where the entry stays as it is. */
export function intentOf(task: Task): IntentWrite | null {
  const { entry, coreId, plan, action } = task;
  switch (action.kind) {
    case "import":
    case "create":
    case "adopt":
      return writeOf(task, STATE.intent, action.sawNobody || entry.sawNobody);
    case "change_hash":
    case "change_contacts":
    case "change_kind":
    case "change_parts":
      // A finished user stays finished, whatever comes of the change.
      return writeOf(task, entry.state ?? STATE.intent, true, coreId);
    case "settle": {
      // A plan that an earlier run carried out stays, so that every run says so.
      if (isFinishedEntry(entry) || action.outcome.kind === "refused") return null;
      const write = outcomeOf(task, action.outcome);
      if (write === null) return null;
      const notices = write.notices ?? noticesOf(task);
      return { keys: task.keys, entry, ...fieldsOf(write), notices };
    }
    case "refuse": {
      if (!isRefusal(plan) || isFinishedEntry(entry)) return null;
      const state = plan.kind === "skip" ? STATE.skipped : STATE.rejected;
      // What an earlier run may have sent stays known, so that the user can be told from a stranger.
      return writeOf(task, state, entry.tried, null, plan.code);
    }
    case "postpone":
      // The entry of a user who is known already stays as it is.
      return entry.state === null ? writeOf(task, STATE.planned, false) : null;
    case "map_id":
      return action.parts.length > 0
        ? writeOf(task, entry.state ?? STATE.intent, true, coreId)
        : null;
    // Nothing says so before it is done.
    case "reseal":
    case "keep":
    case "wait":
    case "look_up":
    case "stop":
      return null;
  }
}

function writeOf(
  task: Task,
  state: State,
  sawNobody: boolean,
  coreId: string | null = null,
  code: string | null = null,
): IntentWrite {
  const { keys, entry, action } = task;
  const { mapped } = entry;
  const work = "parts" in action ? action.parts : NO_WORK;
  // What may be at the core of the user's parts from now on.
  const notes = isNotedOnce(task) ? notesDone : notesBefore;
  const parts = work.length === 0 ? null : notes(task, work);
  const notices = noticesOf(task);
  return { keys, entry, state, sawNobody, mapped, coreId, code, parts, notices };
}

/**
 * Whether the notes of an intent are those of its success already: one call brings a new user with
 * all parts, or not at all. Until the user is finished, they are read as open.
 */
function isNotedOnce({ action, entry }: Pick<Task, "action" | "entry">): boolean {
  return "whole" in action && action.whole && entry.parts === null;
}

/** What an intent has of an outcome that is known already. */
function fieldsOf({ state, sawNobody, mapped, coreId, code, parts, isTaken }: OutcomeWrite) {
  return { state, sawNobody, mapped, coreId, code, parts, isTaken: isTaken === true };
}

/** What is written when the calls have ended; null where the entry says it already. */
export function outcomeOf(task: Task, outcome: CallOutcome): OutcomeWrite | null {
  const { entry, action } = task;
  if ("updated" in action) return outcomeOfChange(task, action.updated, outcome);
  if (action.kind === "reseal") return outcomeOfReseal(task, outcome);
  const entryId = entry.id;
  switch (outcome.kind) {
    case "done": {
      const isMapping = action.kind === "map_id";
      const parts = outcome.parts === undefined ? notesAtEnd(task) : outcome.parts;
      if (isMapping && outcome.mapped !== MAPPED.yes && parts === null) return null;
      return {
        entryId,
        state: STATE[outcome.outcome],
        // A mapped id says nothing of a change that may have been carried out.
        sawNobody: isMapping,
        mapped: outcome.mapped,
        coreId: withoutContact(outcome.coreId),
        code: null,
        parts,
        updated: null,
        notices: noticesAfter(task, outcome),
        isTaken: isTaken(task, outcome),
      };
    }
    case "incomplete": {
      const write = outcomeOf(task, outcome.done);
      return write && { ...write, code: outcome.code };
    }
    case "refused":
      return outcomeOf(task, outcome.done);
    case "rejected":
    case "failed": {
      const sawNobody = entry.sawNobody || ("sawNobody" in action && action.sawNobody);
      return {
        ...nothingKnown(task.entry),
        state: STATE[outcome.kind],
        sawNobody: outcome.maybeApplied && sawNobody,
        mapped: MAPPED.no,
        code: outcome.code,
      };
    }
  }
}

/** Whether nothing but a lookup shows that a user who is brought now is ours. */
function isTaken({ entry, coreId }: Task, { outcome, mapped, isMade, ...done }: Done): boolean {
  const isBrought = outcome !== "existed" && mapped !== MAPPED.never && !isFinishedEntry(entry);
  return isBrought && isMade !== true && (coreId === null || coreId !== done.coreId);
}

/** The user stays as they are, and only what is told of them changes. */
function outcomeOfReseal(task: Task, outcome: CallOutcome): OutcomeWrite | null {
  const { entry, coreId } = task;
  const { state, mapped } = entry;
  if (outcome.kind !== "done" || state === null) return null;
  const notices = noticesAfter(task, outcome);
  return { ...nothingKnown(entry), state, sawNobody: true, mapped, coreId, notices };
}

/** What calls one by one have left open of what the intent has as sent; null leaves what it says. */
function notesAtEnd(task: Task): PartNotes | null {
  const { action } = task;
  return isNotedOnce(task) && "parts" in action ? notesBefore(task, action.parts) : null;
}

/**
 * What is written once the core's queue has a user's whole account.
 *
 * @param done as it is to be in the end; `isAgain`: the account may have been queued more than once
 */
export function queuedOf(
  { id }: Pick<Entry, "id">,
  {
    coreId,
    mapped,
    isAgain,
  }: Pick<OutcomeWrite, "coreId" | "mapped"> & { readonly isAgain: boolean },
): OutcomeWrite {
  return {
    entryId: id,
    state: STATE.queued,
    sawNobody: true,
    mapped,
    coreId,
    code: isAgain ? QUEUED_AGAIN : null,
    parts: null,
    updated: null,
    notices: null,
  };
}

/** Of a finished user: only a success makes the new plan theirs. */
function outcomeOfChange(
  task: Task,
  updated: OutcomeWrite["updated"],
  outcome: CallOutcome,
): OutcomeWrite {
  const { entry, coreId, action } = task;
  const done = outcome.kind === "incomplete" ? outcome.done : outcome;
  const code = outcome.kind === "incomplete" ? outcome.code : null;
  const state = entry.state ?? STATE.planned;
  // What isn't done is sent by every run, until it is.
  if (done.kind !== "done" || done.notices.includes(CONTACT_CONFLICT)) {
    const notices = done.kind === "done" ? noticesAfter(task, done) : entry.notices;
    const parts = done.kind === "done" ? (done.parts ?? null) : null;
    return { ...nothingKnown(task.entry), state, sawNobody: true, coreId, code, parts, notices };
  }
  return {
    entryId: entry.id,
    state: action.kind === "change_kind" ? STATE[OUTCOME_OF[action.plan.kind]] : state,
    sawNobody: false,
    mapped: done.mapped,
    coreId: withoutContact(done.coreId),
    code,
    parts: done.parts ?? null,
    updated,
    notices: noticesAfter(task, done),
    isTaken: action.kind === "change_kind" && done.isMade !== true,
  };
}

/** An intent whose call was never made, because the run was stopped; null where nothing is to be written. */
export function withdrawn(task: Task): OutcomeWrite | null {
  // What was intended for a finished user the next run sends.
  return "sawNobody" in task.action ? { ...nothingKnown(task.entry), coreId: task.coreId } : null;
}

/** What is written of a user without a known outcome; the caller adds what is known. */
export function nothingKnown({
  id: entryId,
  sawNobody,
  mapped,
}: Pick<Entry, "id" | "sawNobody" | "mapped">): OutcomeWrite {
  return {
    entryId,
    state: STATE.planned,
    sawNobody,
    mapped,
    coreId: null,
    code: null,
    parts: null,
    updated: null,
    notices: null,
  };
}
