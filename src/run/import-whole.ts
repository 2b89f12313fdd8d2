/** Brings new users with all that belongs to their accounts: by a call each, or by many calls at once. Such a call replaces no user and leaves nothing by halves. */

import type { AccountRequest } from "../core/account-import.js";
import type { AccountOutcome, CodeRequest } from "../core/core.js";
import type { CoreUser } from "../core/user.js";
import type { CallResult, Together } from "../calls/caller.js";
import type { CallOutcome, CreateAction, ImportAction, Task } from "../plan/action.js";
import type { SentPlan } from "../plan/plan.js";
import { isBy } from "../plan/decide-change.js";
import { NONE } from "../plan/codes.js";
import { brought, existed, OUTCOME_OF, unfinished } from "../plan/outcomes.js";
import { notesDone } from "../plan/parts.js";
import { MAPPED } from "../plan/states.js";
import { accountFor } from "./account-request.js";
import { mayHaveContact, requireContact, requireOwnId, requirePlanned } from "./answer-check.js";
import type { CallContext, CallStart } from "./call-context.js";
import { createUser, leaveStranger } from "./create-user.js";
import { endOf, importUser } from "./import-user.js";

type WholeAction = ImportAction | CreateAction;

/** A task of a user whose whole account one call brings. */
export interface WholeTask extends Task {
  readonly action: WholeAction;
}

/** How the calls of a user have ended; null where none was made. */
export interface Ended {
  readonly task: Task;
  readonly outcome: CallOutcome | null;
}

/** What is still to be done for a user whom other calls had to bring. */
export type GoOn = (task: WholeTask, outcome: CallOutcome) => Promise<CallOutcome>;

type Brought = Extract<AccountOutcome, { readonly status: "OK" }>;

export function isWholeTask(task: Task): task is WholeTask {
  return "whole" in task.action && task.action.whole;
}

/** Brings a user with a password, a social account, or by both contacts. */
export async function importWhole(
  context: CallContext,
  task: WholeTask,
  goOn: GoOn,
): Promise<CallOutcome> {
  const { caller, core } = context;
  const account = await accountFor(context, task.action.plan, task.keys);
  const result = await caller.call("import", () => core.importAccount(account));
  return outcomeOf(context, task, result, goOn);
}

async function outcomeOf(
  context: CallContext,
  task: WholeTask,
  result: CallResult<AccountOutcome>,
  goOn: GoOn,
): Promise<CallOutcome> {
  if (!result.ok || result.value.status !== "OK") {
    return goOn(task, await otherwise(context, task, result));
  }
  const { value } = result;
  const outcome = broughtBy(task, value);
  requireOwnId(context, { userId: value.ownId, recipe: null }, startOf(task));
  return outcome;
}

/**
 * Whether a user's account may go with others', as a core in this process takes them. A hash that is
 * kept first has to wait for that.
 */
export function goesTogether({ core }: CallContext, task: Task): task is WholeTask {
  if (core.target.kind !== "embedded" || !isWholeTask(task)) return false;
  const { plan } = task.action;
  return plan.kind !== "import" || plan.bridged === undefined;
}

/** What became of users who went together. */
interface Journey {
  readonly brought: readonly Ended[];
  /** Those who aren't brought so: each goes on alone. */
  readonly others: readonly { readonly task: Task; readonly goOn: () => Promise<CallOutcome> }[];
}

/**
 * Sends the accounts of users who {@link goesTogether go together}: an import with all parts takes 0.91
 * of the processor time that it does where the pace lets in one by one.
 *
 * @returns null where a user would have to wait for the pace, and nothing was sent
 */
export function importTogether(
  context: CallContext,
  tasks: readonly WholeTask[],
  goOn: GoOn,
): Promise<Journey> | null {
  const members: Member[] = [];
  for (const task of tasks) {
    const request = accountFor(context, task.action.plan, task.keys);
    if (request instanceof Promise) return null;
    members.push({ task, request });
  }
  const entered = context.caller.enterTogether("import", tasks.length);
  return entered && sendTogether(context, members, entered, goOn);
}

/** A user with what is sent. */
interface Member {
  readonly task: WholeTask;
  readonly request: AccountRequest;
}

async function sendTogether(
  context: CallContext,
  members: readonly Member[],
  entered: Together,
  goOn: GoOn,
): Promise<Journey> {
  const { caller, core } = context;
  const ends = await Promise.allSettled(
    members.map(async ({ request }) => core.importAccount(request)),
  );
  const brought: Ended[] = [];
  const others: Journey["others"][number][] = [];
  let answered = 0;
  for (const [index, { task, request }] of members.entries()) {
    const end = ends[index];
    if (end?.status !== "fulfilled") {
      const again = () => caller.goOnAlone(entered, end?.reason, () => core.importAccount(request));
      others.push({ task, goOn: async () => outcomeOf(context, task, await again(), goOn) });
      continue;
    }
    answered += 1;
    const { value } = end;
    try {
      if (value.status === "OK") {
        brought.push({ task, outcome: broughtBy(task, value) });
        continue;
      }
      const result = { ok: true, value, maybeApplied: false } as const;
      others.push({ task, goOn: () => outcomeOf(context, task, result, goOn) });
    } catch (error) {
      others.push({ task, goOn: () => Promise.reject(error) });
    }
  }
  caller.answered(entered, answered);
  return { brought, others };
}

/** What is known of a new user before the calls. */
export function startOf({ keys, entry }: Task): CallStart {
  return { row: keys.row, entryId: entry.id, maybeOurs: entry.sawNobody };
}

/** The same by calls for each part, so that what the core refuses is told by itself. */
export function importSingly(
  context: CallContext,
  action: WholeAction,
  start: CallStart,
): Promise<CallOutcome> {
  if (action.kind === "create") return createUser(context, action.plan, start);
  const { plan, theirs, lookedAt } = action;
  return importUser(context, plan, { ...start, theirs, lookedAt });
}

/**
 * The core has the user with all that was sent.
 *
 * @throws RunError `answer_mismatch`
 */
function broughtBy(task: WholeTask, { user, ownId }: Brought): CallOutcome {
  const { plan } = task.action;
  requirePlanned(user, plan, task.keys.row);
  return {
    kind: "done",
    outcome: OUTCOME_OF[plan.kind],
    coreId: ownId,
    notices: NONE,
    mapped: plan.keepId === null ? MAPPED.no : MAPPED.yes,
    isMade: true,
    // What the intent says already isn't said again.
    parts: task.entry.parts === null ? null : notesDone(task, task.action.parts),
  };
}

/** The core has not taken the account. */
async function otherwise(
  context: CallContext,
  task: WholeTask,
  result: CallResult<AccountOutcome>,
): Promise<CallOutcome> {
  const { maybeApplied } = result;
  if (!result.ok && result.failure.kind !== "refused") return unfinished(result);
  return result.ok && result.value.status === "USER_ALREADY_EXISTS_ERROR"
    ? alreadyThere(context, task, result.value, maybeApplied)
    : importSingly(context, task.action, { ...startOf(task), maybeOurs: maybeApplied });
}

async function alreadyThere(
  context: CallContext,
  task: WholeTask,
  { user, by }: Extract<AccountOutcome, { readonly status: "USER_ALREADY_EXISTS_ERROR" }>,
  maybeOurs: boolean,
): Promise<CallOutcome> {
  const { plan } = task.action;
  const { row } = task.keys;
  const contact = by === "email" ? emailOf(plan) : phoneOf(plan);
  if (by === "thirdParty") requirePlanned(user, plan, row);
  else requireContact(user, contact, row);
  if (!maybeOurs || !mayBeOurs(user, plan)) return since(context, task, user, contact);
  // An attempt whose answer was lost brought the user with everything, or not at all.
  const { parts } = task.entry;
  const notes = parts === null ? null : notesDone(task, task.action.parts);
  return { ...brought(user, plan.kind), parts: notes };
}

/** A user signed up since, with this contact. One with a password's email is replaced where the operator wants that. */
async function since(
  context: CallContext,
  task: WholeTask,
  user: CoreUser,
  by: CodeRequest,
): Promise<CallOutcome> {
  const { policy } = context;
  const { plan } = task.action;
  if (plan.kind === "passwordless") {
    const isFirst = (by.email === undefined) === (plan.first === "phone");
    if (isFirst) return leaveStranger(context, plan, user);
  } else {
    const mayReplace = plan.kind === "import" && !plan.unverified;
    if (policy.onExisting !== "update" || policy.assumeEmpty || !mayReplace) {
      return { ...existed(user, plan, policy), ...endOf(policy) };
    }
  }
  return importSingly(context, task.action, startOf(task));
}

/** Whether a user has all that such a call brings: both contacts or the social account, and the vendor's id where that is kept. */
function mayBeOurs(user: CoreUser, plan: SentPlan): boolean {
  if (plan.keepId !== null && user.userId !== plan.keepId) return false;
  if (plan.kind === "thirdparty") return isBy(user, plan);
  if (plan.kind === "import") return mayHaveContact(user, emailOf(plan));
  return (
    (plan.email === null || mayHaveContact(user, emailOf(plan))) &&
    (plan.phone === null || mayHaveContact(user, phoneOf(plan)))
  );
}

function emailOf({ email }: SentPlan): { readonly email: string } {
  return { email: email ?? "" };
}

function phoneOf(plan: SentPlan): { readonly phoneNumber: string } {
  return { phoneNumber: (plan.kind === "passwordless" ? plan.phone : null) ?? "" };
}
