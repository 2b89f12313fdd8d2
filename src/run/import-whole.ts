/** Brings a new user with all that belongs to the account, in one call that replaces no user and leaves nothing by halves. */

import type { AccountRequest, WayIn } from "../core/account-import.js";
import { CoreFailure } from "../core/core-failure.js";
import type { CodeRequest } from "../core/core.js";
import type { CoreUser } from "../core/user.js";
import type { RowRef } from "../events/events.js";
import { mayHaveWorked } from "../calls/caller.js";
import type { CallOutcome, CreateAction, ImportAction, SentPlan, Task } from "../plan/action.js";
import { isBy } from "../plan/decide-change.js";
import { brought, existed, unfinished } from "../plan/outcomes.js";
import { notesDone } from "../plan/parts.js";
import { MAPPED } from "../plan/states.js";
import { mayHaveContact, requireContact, requireOwnId, requirePlanned } from "./answer-check.js";
import type { CallContext, CallStart, ImportStart } from "./call-context.js";
import { createUser, firstContact, leaveStranger } from "./create-user.js";
import { endOf, importUser, joiningOf } from "./import-user.js";
import { SKEW } from "./send-parts.js";
import { wayInOf } from "./way-in.js";

type WholeAction = ImportAction | CreateAction;

/** The ways on where one call doesn't bring the user. */
interface Otherwise {
  /** The core doesn't take the account as a whole: part by part, so that each is told by itself. */
  readonly singly: (maybeOurs: boolean) => Promise<CallOutcome>;
  /** A user signed up since, with this contact. */
  readonly since: (user: CoreUser, by: CodeRequest) => Promise<CallOutcome> | CallOutcome;
}

/** A user with a password, or a social account. One with that password's email who signed up since is replaced where the operator wants that. */
export function importWhole(
  context: CallContext,
  task: Task,
  action: ImportAction,
  start: ImportStart,
): Promise<CallOutcome> {
  const { plan } = action;
  const { policy } = context;
  const mayReplace = plan.kind === "import" && !plan.unverified;
  const replaces = policy.onExisting === "update" && !policy.assumeEmpty && mayReplace;
  return bringWhole(context, task, action, start, {
    singly: (maybeOurs) => importUser(context, plan, { ...start, maybeOurs }),
    since: (user) =>
      replaces
        ? importUser(context, plan, start)
        : { ...existed(user, plan, policy), ...endOf(policy) },
  });
}

/** A user without a password, with both contacts. Without the second one where another user has that. */
export function createWhole(
  context: CallContext,
  task: Task,
  action: CreateAction,
  start: CallStart,
): Promise<CallOutcome> {
  const { plan } = action;
  return bringWhole(context, task, action, start, {
    singly: (maybeOurs) => createUser(context, plan, { ...start, maybeOurs }),
    since: (user, by) =>
      (by.email === undefined) === (plan.first === "phone")
        ? leaveStranger(context, plan, user)
        : createUser(context, plan, start),
  });
}

async function bringWhole(
  context: CallContext,
  task: Task,
  action: WholeAction,
  start: CallStart,
  { singly, since }: Otherwise,
): Promise<CallOutcome> {
  const { caller, core } = context;
  const { plan } = action;
  const request = await accountFor(context, plan, task.keys);
  let maybeOurs = false;
  const result = await caller.call("import", () =>
    core.importAccount(request).catch((failure: unknown) => {
      maybeOurs ||= failure instanceof CoreFailure && mayHaveWorked(failure);
      throw failure;
    }),
  );
  if (!result.ok) {
    return result.failure.kind === "refused"
      ? singly(maybeOurs)
      : unfinished({ ...result, maybeApplied: maybeOurs });
  }
  const { value } = result;
  switch (value.status) {
    case "OK": {
      const { user, ownId } = value;
      requireOurs(user, plan, start.row);
      requireOwnId(context, { ...user, recipeUserId: ownId }, start);
      const mapped = plan.keepId === null ? MAPPED.no : MAPPED.yes;
      return {
        ...brought(user, plan.kind),
        coreId: ownId,
        mapped,
        parts: notesDone(task, action.parts),
      };
    }
    case "USER_ALREADY_EXISTS_ERROR": {
      const { user } = value;
      const by = value.by === "email" ? emailOf(plan) : phoneOf(plan);
      if (value.by === "thirdParty") requireOurs(user, plan, start.row);
      else requireContact(user, by, start.row);
      // An attempt whose answer was lost brought the user with everything, or not at all.
      return maybeOurs && mayBeOurs(user, plan)
        ? { ...brought(user, plan.kind), parts: notesDone(task, action.parts) }
        : since(user, by);
    }
    case "EXTERNAL_ID_ALREADY_EXISTS_ERROR":
    case "UNKNOWN_ROLE_ERROR":
      return singly(maybeOurs);
  }
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

/** The whole account takes it at every core. */
const ALWAYS = { joinedByQueue: false } as const;

/** What is sent of a user. */
export async function accountFor(
  context: CallContext,
  plan: SentPlan,
  keys: Task["keys"],
): Promise<AccountRequest> {
  const wayIn = await wayOf(context, plan);
  const { account, keepId } = plan;
  const { metadata = null, roles = [], totp = [] } = account ?? {};
  // The code that single calls consume verifies the email that it came to.
  const byCode = plan.kind === "passwordless" && plan.first === "email";
  // Field by field: conditional spreads took as long as all the rest of making it.
  const request: { -readonly [Field in keyof AccountRequest]: AccountRequest[Field] } = {
    ...joiningOf(account, ALWAYS),
    wayIn,
    isEmailVerified: account?.verified ?? byCode,
  };
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

/** How the user signs in. */
async function wayOf(context: CallContext, plan: SentPlan): Promise<WayIn> {
  if (plan.kind === "thirdparty") {
    return { recipe: "thirdparty", email: plan.email, ...plan.identity };
  }
  if (plan.kind === "import") {
    return { recipe: "emailpassword", ...(await wayInOf(context, plan)) };
  }
  return {
    recipe: "passwordless",
    email: plan.email ?? undefined,
    phoneNumber: plan.phone ?? undefined,
  };
}
