/** Brings a new user with all that belongs to the account, in one call that replaces no user and leaves nothing by halves. */

import type { AccountRequest, WayIn } from "../core/account-import.js";
import type { AccountOutcome, CodeRequest } from "../core/core.js";
import type { CoreUser } from "../core/user.js";
import type { RowRef } from "../events/events.js";
import type { CallResult } from "../calls/caller.js";
import type { CallOutcome, CreateAction, ImportAction, Task } from "../plan/action.js";
import type { SentPlan } from "../plan/plan.js";
import { isBy } from "../plan/decide-change.js";
import { brought, existed, NO_NOTICES, outcomeOfKind, unfinished } from "../plan/outcomes.js";
import { notesDone, type PartNotes } from "../plan/parts.js";
import { MAPPED } from "../plan/states.js";
import { isNotedOnce } from "../plan/writes.js";
import { mayHaveContact, requireContact, requireOwnId, requirePlanned } from "./answer-check.js";
import type { CallContext, CallStart } from "./call-context.js";
import { createUser, firstContact, leaveStranger } from "./create-user.js";
import { endOf, importUser, JOINED_LOST, leavesJoined } from "./import-user.js";
import { SKEW } from "./send-parts.js";
import { type PasswordWay, wayInOf } from "./way-in.js";

export type WholeAction = ImportAction | CreateAction;

/** A user who isn't at the core, as far as is known. */
export interface NewUser {
  readonly context: CallContext;
  readonly task: Task;
  readonly action: WholeAction;
  readonly start: CallStart;
}

/**
 * Brings a user with a password, a social account, or by both contacts.
 *
 * @param goOn what is still to be done where other calls had to bring the user
 */
export function importWhole(
  context: CallContext,
  task: Task,
  action: WholeAction,
  goOn: (outcome: Promise<CallOutcome> | CallOutcome) => Promise<CallOutcome> | CallOutcome,
): Promise<CallOutcome> {
  const { caller, core } = context;
  const user = { context, task, action, start: startOf(task) };
  const send = (request: AccountRequest): Promise<CallOutcome> =>
    caller
      .call("import", () => core.importAccount(request))
      .then((result) =>
        result.ok && result.value.status === "OK"
          ? broughtBy(user, result.value)
          : goOn(otherwise(user, result)),
      );
  const account = accountFor(context, action.plan, task.keys);
  return account instanceof Promise ? account.then(send) : send(account);
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
  const { row, entryId, maybeOurs } = start;
  return importUser(context, plan, { row, entryId, maybeOurs, theirs, lookedAt });
}

/** The core has the user with all that was sent. */
export function broughtBy(
  { context, task, action, start }: NewUser,
  { user, ownId }: Extract<AccountOutcome, { readonly status: "OK" }>,
): CallOutcome {
  const { plan } = action;
  requireOurs(user, plan, start.row);
  requireOwnId(context, { userId: ownId, recipe: null }, start);
  return {
    kind: "done",
    outcome: outcomeOfKind(plan.kind),
    coreId: ownId,
    notices: leavesJoined(context, action) ? JOINED_LOST : NO_NOTICES,
    mapped: plan.keepId === null ? MAPPED.no : MAPPED.yes,
    parts: notesOf(task, action),
  };
}

/** The core has not taken the account. */
export function otherwise(
  user: NewUser,
  result: CallResult<AccountOutcome>,
): Promise<CallOutcome> | CallOutcome {
  const { maybeApplied } = result;
  if (!result.ok) {
    return result.failure.kind === "refused" ? singly(user, maybeApplied) : unfinished(result);
  }
  const { value } = result;
  return value.status === "USER_ALREADY_EXISTS_ERROR"
    ? alreadyThere(user, value, maybeApplied)
    : singly(user, maybeApplied);
}

function alreadyThere(
  newUser: NewUser,
  { user, by }: Extract<AccountOutcome, { readonly status: "USER_ALREADY_EXISTS_ERROR" }>,
  maybeOurs: boolean,
): Promise<CallOutcome> | CallOutcome {
  const { task, action } = newUser;
  const { plan } = action;
  const { row } = task.keys;
  const contact = by === "email" ? emailOf(plan) : phoneOf(plan);
  if (by === "thirdParty") requireOurs(user, plan, row);
  else requireContact(user, contact, row);
  // An attempt whose answer was lost brought the user with everything, or not at all.
  return maybeOurs && mayBeOurs(user, plan)
    ? { ...brought(user, plan.kind), parts: notesOf(task, action) }
    : since(newUser, user, contact);
}

function notesOf(task: Task, { parts }: WholeAction): PartNotes | null {
  return isNotedOnce(task) ? null : notesDone(task, parts);
}

/** The core doesn't take the account as a whole. */
function singly({ context, action, start }: NewUser, maybeOurs: boolean): Promise<CallOutcome> {
  return importSingly(context, action, { ...start, maybeOurs });
}

/** A user signed up since, with this contact. One with a password's email is replaced where the operator wants that. */
function since(
  { context, action, start }: NewUser,
  user: CoreUser,
  by: CodeRequest,
): Promise<CallOutcome> | CallOutcome {
  const { policy } = context;
  const { plan } = action;
  if (plan.kind === "passwordless") {
    const isFirst = (by.email === undefined) === (plan.first === "phone");
    if (isFirst) return leaveStranger(context, plan, user);
  } else {
    const mayReplace = plan.kind === "import" && !plan.unverified;
    if (policy.onExisting !== "update" || policy.assumeEmpty || !mayReplace) {
      return { ...existed(user, plan, policy), ...endOf(policy) };
    }
  }
  return importSingly(context, action, start);
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

/** @throws RunError `answer_mismatch` */
function requireOurs(user: CoreUser, plan: SentPlan, row: RowRef): void {
  if (plan.kind === "passwordless") requireContact(user, firstContact(plan), row);
  else requirePlanned(user, plan, row);
}

function emailOf({ email }: SentPlan): { readonly email: string } {
  return { email: email ?? "" };
}

function phoneOf(plan: SentPlan): { readonly phoneNumber: string } {
  return { phoneNumber: (plan.kind === "passwordless" ? plan.phone : null) ?? "" };
}

type Building = { -readonly [Field in keyof AccountRequest]: AccountRequest[Field] };

/** What is sent of a user. A promise only where a hash is kept first. */
export function accountFor(
  context: CallContext,
  plan: SentPlan,
  keys: Task["keys"],
): AccountRequest | Promise<AccountRequest> {
  const way = wayOf(context, plan);
  return way instanceof Promise
    ? way.then((kept) => accountOf(plan, keys, kept))
    : accountOf(plan, keys, way);
}

function accountOf(plan: SentPlan, keys: Task["keys"], wayIn: WayIn): AccountRequest {
  const { account, keepId } = plan;
  const { joined = null, metadata = null, roles = [], totp = [] } = account ?? {};
  // The code that single calls consume verifies the email that it came to.
  const byCode = plan.kind === "passwordless" && plan.first === "email";
  // Field by field: conditional spreads took as long as all the rest of making it.
  const request: Building = { wayIn, isEmailVerified: account?.verified ?? byCode };
  if (joined !== null) request.timeJoined = joined;
  if (keepId !== null) request.externalUserId = keepId;
  if (metadata !== null) request.metadata = metadata;
  if (roles.length > 0) request.roles = roles;
  if (totp.length > 0) {
    request.totpDevices = totp.map((device, at) => ({
      deviceName: keys.parts.totp?.names[at],
      secretKey: device.secret,
      period: device.period,
      skew: SKEW,
    }));
  }
  return request;
}

/** Written out: a spread copy took three times as long. */
function byPassword({ email, passwordHash, hashingAlgorithm }: PasswordWay): WayIn {
  return hashingAlgorithm === undefined
    ? { recipe: "emailpassword", email, passwordHash }
    : { recipe: "emailpassword", email, passwordHash, hashingAlgorithm };
}

/** How the user signs in. */
function wayOf(context: CallContext, plan: SentPlan): WayIn | Promise<WayIn> {
  if (plan.kind === "thirdparty") {
    return { recipe: "thirdparty", email: plan.email, ...plan.identity };
  }
  if (plan.kind === "import") {
    const way = wayInOf(context, plan);
    return way instanceof Promise ? way.then(byPassword) : byPassword(way);
  }
  return {
    recipe: "passwordless",
    email: plan.email ?? undefined,
    phoneNumber: plan.phone ?? undefined,
  };
}
