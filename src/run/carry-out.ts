/** Carries an action out: the calls of interface.md 4 for one user, and what they came to. It decides nothing and writes nothing. */

import { optionName } from "../errors/option-name.js";
import { RunError } from "../errors/run-error.js";
import type { RowRef } from "../events/events.js";
import { placeOf } from "../errors/place.js";
import type {
  CallAction,
  CallOutcome,
  ChangeContactsAction,
  ChangeKindAction,
  Done,
  Task,
} from "../plan/action.js";
import { hasBegun } from "../plan/change.js";
import { NONE } from "../plan/codes.js";
import { leftAlone } from "../plan/joining.js";
import { brought, CONTACT_CONFLICT, OUTCOME_OF, rejected, unfinished } from "../plan/outcomes.js";
import { refuseChange, refuseKind } from "../plan/refusals.js";
import type { PartWork } from "../plan/parts.js";
import type { ImportPlan } from "../plan/plan.js";
import { answerMismatch } from "./answer-check.js";
import type { CallContext } from "./call-context.js";
import { addSecondContact } from "./create-user.js";
import { importUser } from "./import-user.js";
import { type GoOn, importSingly, importWhole, isWholeTask, startOf } from "./import-whole.js";
import { keepId, mapFinished } from "./keep-id.js";
import { reseal } from "./reseal.js";
import { sendParts } from "./send-parts.js";
import type { UpdateRequest } from "../core/core.js";
import type { Entry, UserKeys } from "../plan/entry.js";
import { RANK } from "../plan/rank.js";
import { MAPPED, MARK } from "../plan/states.js";

/**
 * Makes the calls.
 *
 * @returns null where nothing is to be done
 * @throws RunError `answer_mismatch`, and what ends the run
 */
export async function carryOut(context: CallContext, task: Task): Promise<CallOutcome | null> {
  const { action } = task;
  switch (action.kind) {
    case "settle":
      return action.outcome;
    case "map_id":
      return complete(context, task, action.parts, await mapFinished(context, task, action));
    case "reseal":
      return reseal(context, task, action.plan);
    case "keep":
    case "wait":
    case "refuse":
    case "look_up":
    case "stop":
    case "postpone":
      return null;
  }
  return isWholeTask(task)
    ? importWhole(context, task, goingOn(context))
    : goOn(context, task, action, await send(context, task, action));
}

/** What is still to be done for a new user whom other calls than the one for a whole account had to bring. */
export function goingOn(context: CallContext): GoOn {
  return (task, sent) => goOn(context, task, task.action, sent);
}

async function goOn(
  context: CallContext,
  task: Task,
  action: SendAction,
  sent: CallOutcome,
): Promise<CallOutcome> {
  const isOurs = sent.kind === "done" && sent.mapped !== MAPPED.never;
  const left = isOurs ? leftAlone(action, context) : NONE;
  const outcome =
    isOurs && left.length > 0 ? { ...sent, notices: [...sent.notices, ...left] } : sent;
  const { keepId: id } = action.plan;
  const kept = id === null ? outcome : await keepId(context, { id, row: task.keys.row }, outcome);
  return complete(context, task, action.parts, kept);
}

/** Sends what belongs to the account beside, once the user is there. */
async function complete(
  context: CallContext,
  task: Task,
  parts: readonly PartWork[],
  outcome: CallOutcome,
): Promise<CallOutcome> {
  return parts.length === 0 ? outcome : sendParts(context, task, parts, outcome);
}

type SendAction = Exclude<CallAction, { readonly kind: "map_id" | "reseal" }>;

function send(
  context: CallContext,
  task: Task,
  action: SendAction,
): Promise<CallOutcome> | CallOutcome {
  switch (action.kind) {
    case "import":
    case "create":
      return importSingly(context, action, startOf(task));
    case "adopt":
      return action.plan.kind === "passwordless"
        ? addSecondContact(context, action.plan, action.found, action.theirs ? "theirs" : "ours")
        : brought(action.found, action.plan.kind);
    case "change_hash":
      return changeHash(context, task, action.plan);
    case "change_contacts":
      return changeContacts(context, task, action);
    case "change_kind":
      return changeKind(context, task, action);
    case "change_parts": {
      const { mapped } = task.entry;
      const coreId = task.coreId ?? action.found?.userId ?? "";
      const outcome = OUTCOME_OF[action.plan.kind];
      return { kind: "done", outcome, coreId, notices: PARTS_SENT, mapped };
    }
  }
}

const PARTS_SENT: readonly string[] = ["account_updated"];

/** It may be repeated: the same hash is set. */
async function changeHash(
  context: CallContext,
  { keys: { row }, entry, coreId }: Task,
  plan: ImportPlan,
): Promise<CallOutcome> {
  const ours = { row, entryId: null, maybeOurs: true, theirs: false, lookedAt: null };
  const outcome = await importUser(context, plan, ours);
  if (outcome.kind !== "done") return outcome;
  // The core takes the new hash: what the vault has of the user verifies a password that is gone.
  if (plan.bridged === undefined) await context.keeper?.erase(plan.email);
  return {
    ...outcome,
    mapped: entry.mapped,
    // The core may show the user by the vendor's id, which isn't the core's own.
    coreId: coreId ?? outcome.coreId,
    notices: ["hash_updated"],
  };
}

/**
 * The user with the password or the social account is made first, and then the one without is removed:
 * at each moment there is one. Each call may be repeated, also by a later run: the import sets its own
 * hash, a social account finds its own user, and a removed user stays removed.
 */
async function changeKind(
  context: CallContext,
  { keys: { row }, entry, coreId }: Task,
  { plan, found, lookedAt }: ChangeKindAction,
): Promise<CallOutcome> {
  if (coreId === null) return rejected(refuseChange("removed_at_core"));
  const { caller, core } = context;
  const start = { row, entryId: entry.id, maybeOurs: hasBegun(entry), theirs: false, lookedAt };
  const outcome =
    found === null ? await importUser(context, plan, start) : brought(found, plan.kind);
  if (outcome.kind !== "done") return outcome;
  // A user signed up with the email since the lookup.
  if (outcome.outcome === "existed") return rejected(refuseKind("otherUser"));
  const removed = await caller.call("update", () => core.removeUser(coreId));
  if (!removed.ok) return unfinished({ ...removed, maybeApplied: true });
  return { ...outcome, notices: [...outcome.notices, "kind_changed"] };
}

/** The error of a user who is there, under `--assume-empty` or `--on-existing fail`. */
export function endOfRun(row: RowRef): RunError {
  return new RunError("user_exists", `The user of ${placeOf(row)}, is at the core already.`, {
    hint: `Run the same command without ${optionName("--assume-empty")}; with ${optionName("--on-existing")} skip such users are left as they are and counted, with update their hashes are replaced.`,
  });
}

/**
 * The call sets absolute values, so it may be repeated.
 *
 * @throws RunError `answer_mismatch`
 */
async function changeContacts(
  { core, caller }: CallContext,
  { keys, entry, coreId: userId }: Task,
  { plan, clears, keeps }: ChangeContactsAction,
): Promise<CallOutcome> {
  if (userId === null) return rejected(refuseChange("removed_at_core"));
  const { mapped } = entry;
  const done: Done = { kind: "done", outcome: "created", coreId: userId, notices: [], mapped };
  const notices = keeps ? ["contact_kept"] : [];
  let values: Contacts = {
    ...(plan.email !== null || clears === "email" ? { email: plan.email } : {}),
    ...(plan.phone !== null || clears === "phone" ? { phoneNumber: plan.phone } : {}),
  };
  let outcome = { ...done, notices: [...notices, "account_updated"] };
  for (;;) {
    const request = { userId, ...values };
    const result = await caller.call("update", () => core.updateUser(request));
    if (!result.ok) return unfinished({ ...result, maybeApplied: true });
    const { status } = result.value;
    if (status === "OK") {
      if (typeof values.email !== "string" || !isNewlyVerified(keys, entry)) return outcome;
      // By a code it would have been verified at the core; and a code would sign the user in.
      return { ...outcome, notices: [...outcome.notices, "verification_not_migrated"] };
    }
    if (status === "UNKNOWN_USER_ID_ERROR") return rejected(refuseChange("removed_at_core"));
    // Another user has one of the two contacts; the other contact may still be set.
    const taken = status === "EMAIL_ALREADY_EXISTS_ERROR" ? "email" : "phoneNumber";
    if (typeof values[taken] !== "string") {
      throw answerMismatch(keys.row, "that a contact is another user's which wasn't sent");
    }
    values = without(values, taken);
    outcome = { ...done, notices: [CONTACT_CONFLICT] };
    if (Object.values(values).every((value) => value === null)) return outcome;
  }
}

/** The vendor says that the email is verified, and no earlier run brought the user under it. */
function isNewlyVerified({ contacts }: UserKeys, { previous }: Entry): boolean {
  const email = contacts.find(({ kind }) => kind === "email");
  const had = previous?.contacts.some(({ key, mark }) => key === email?.key && mark === MARK.held);
  return email?.rank === RANK.verified && had !== true;
}

type Contacts = Pick<UpdateRequest, "email" | "phoneNumber">;

function without(values: Contacts, field: keyof Contacts): Contacts {
  const { [field]: _taken, ...rest } = values;
  return rest;
}
