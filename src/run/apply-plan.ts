/** Applies one plan: the calls of interface.md 4 for one user, in order, and what their answers mean. Nothing is stored or counted here. */

import type { CodeRequest, CoreUser, ImportOutcome } from "../core/core.js";
import { RunError } from "../errors/run-error.js";
import { answerMismatch, requireContact } from "./answer-check.js";
import type { CallContext, Before } from "./call-context.js";
import type { CallResult } from "../calls/caller.js";
import { type Mapped, MAPPED } from "../plan/states.js";
import type { PlanKind } from "../plan/entry.js";
import type { RowRef } from "../events/events.js";
import { CONTACT_CONFLICT } from "./existing.js";
import { type FoundSince, ImportAttempts } from "./import-attempts.js";
import type { ImportPlan, PasswordlessPlan, RefusalPlan } from "../plan/plan.js";
import type { Policy } from "../plan/policy.js";

/** Times that a passwordless user is started again at a new code; a busy core's fault is nobody's. */
const MOST_RESTARTS = { busy: 100, other: 3 } as const;

/** The notice on a user whose unverified email's hash was to replace another user's. */
export const UNVERIFIED_NOT_REPLACED = "unverified_not_replaced";

/** A user who is at the core. */
export interface Done {
  readonly kind: "done";
  readonly outcome: "imported" | "created" | "existed";
  /** As the core shows it. */
  readonly coreId: string;
  readonly notices: readonly string[];
  /** Whether the vendor's id is in force; `never` where the user was there before. */
  readonly mapped: Mapped;
  /** What this outcome says of the whole run, which ends once the outcome is durable. */
  readonly endsRun?: RunError;
}

/** How the calls for one user ended. */
export type Applied =
  | Done
  /** The user is there; only the mapping of the id wasn't reached, and only it is tried again. */
  | {
      readonly kind: "unmapped";
      readonly done: Done;
      readonly code: string;
      readonly hint: string;
    }
  /** The user is there, and what the row says now is not sent. */
  | { readonly kind: "refused"; readonly done: Done; readonly refusal: RefusalPlan }
  | {
      readonly kind: "rejected" | "failed";
      readonly code: string;
      readonly hint: string;
      /** Some attempt may have taken effect; the next run must look before it sends. */
      readonly maybeApplied: boolean;
    };

/** interface.md 4.4. Not async: of every promise there are as many as users on their way. */
export function applyImport(
  context: CallContext,
  plan: ImportPlan,
  before: Before,
): Promise<Applied> {
  const attempts = new ImportAttempts(context, plan, before);
  return context.caller
    .call("import", () => attempts.next())
    .then((result) => outcomeOf(result, attempts, context, before));
}

function outcomeOf(
  result: CallResult<ImportOutcome | FoundSince>,
  { plan, maybeOurs }: ImportAttempts,
  context: CallContext,
  before: Before,
): Applied {
  const { policy } = context;
  const { row, theirs } = before;
  if (!result.ok) return unfinished({ ...result, maybeApplied: maybeOurs });
  if ("found" in result.value) {
    const { found, ours } = result.value;
    return ours ? brought(found, "import") : existed(found, plan, policy, row);
  }
  const { user, didUserAlreadyExist } = result.value;
  requireContact(user, plan, row);
  if (!didUserAlreadyExist) requireOwnId(context, user, before);
  if (!didUserAlreadyExist || (maybeOurs && !theirs)) return brought(user, "import");
  return {
    kind: "done",
    outcome: "imported",
    coreId: user.userId,
    notices: PASSWORD_REPLACED,
    mapped: MAPPED.never,
    ...endOf(policy, row),
  };
}

const NO_NOTICES: readonly string[] = [];
const PASSWORD_REPLACED: readonly string[] = ["existing_password_replaced"];
const NOT_REPLACED: readonly string[] = [UNVERIFIED_NOT_REPLACED];

/** interface.md 4.1 and 4.2, then 4.3 for the other contact. */
export async function applyPasswordless(
  context: CallContext,
  plan: PasswordlessPlan,
  before: Before,
): Promise<Applied> {
  const { core, caller } = context;
  const contact = firstContact(plan);
  let maybeOurs = before.maybeOurs;
  const restarts = { busy: 0, other: 0 };
  for (;;) {
    const code = await caller.call("code", () => core.createCode(contact));
    if (!code.ok) return unfinished({ ...code, maybeApplied: maybeOurs });
    const { preAuthSessionId, linkCode } = code.value;
    const consumed = await caller.call("consume", () =>
      core.consumeCode({ preAuthSessionId, linkCode }),
    );
    if (consumed.ok && consumed.value.status === "OK") {
      const { user, createdNewUser } = consumed.value;
      requireContact(user, contact, before.row);
      if (createdNewUser) requireOwnId(context, user, before);
      return createdNewUser || maybeOurs
        ? addSecondContact(context, plan, user, "created")
        : leaveStranger(context, plan, user, before.row);
    }
    if (!consumed.ok) maybeOurs ||= consumed.maybeApplied && !before.theirs;
    const why = !consumed.ok && consumed.failure.kind === "busy" ? "busy" : "other";
    restarts[why] += 1;
    if (restarts[why] > MOST_RESTARTS[why] || !mayStartAgain(consumed)) {
      return consumed.ok
        ? codeLost(maybeOurs)
        : unfinished({ ...consumed, maybeApplied: maybeOurs });
    }
  }
}

/** A refusal would be the same with every code. */
function mayStartAgain(consumed: CallResult<unknown>): boolean {
  return consumed.ok || consumed.failure.kind !== "refused";
}

/** A user signed up between the lookup and the call. They are left as they are, unless the policy says update. */
function leaveStranger(
  context: CallContext,
  plan: PasswordlessPlan,
  user: CoreUser,
  row: RowRef,
): Promise<Applied> | Applied {
  const { assumeEmpty, onExisting } = context.policy;
  if (onExisting === "update" && !assumeEmpty) {
    return addSecondContact(context, plan, user, "existed");
  }
  return existed(user, plan, context.policy, row);
}

/** A user who was there before this migration is left as they are. */
export function existed(
  { userId }: CoreUser,
  plan: ImportPlan | PasswordlessPlan,
  policy: Policy,
  row: RowRef,
): Done {
  const mapped = MAPPED.never;
  const notices =
    plan.kind === "import" && policy.onExisting === "update" ? NOT_REPLACED : NO_NOTICES;
  const done = { kind: "done", outcome: "existed", coreId: userId, notices, mapped } as const;
  return { ...done, ...endOf(policy, row) };
}

/** Two users who are new at the core don't have one id. */
function requireOwnId(
  { ids }: CallContext,
  { userId, recipeUserId = userId }: CoreUser,
  { row, entryId }: Before,
): void {
  const other = entryId === null ? null : ids.claimId(recipeUserId, entryId, row);
  if (other === null) return;
  throw answerMismatch(row, `with the id of the user of ${other.file}, row ${other.number}`);
}

/** What it means for the run that a user was there. */
function endOf({ assumeEmpty, onExisting }: Policy, row: RowRef): Pick<Done, "endsRun"> {
  if (assumeEmpty) return { endsRun: notEmpty(row) };
  return onExisting === "fail" ? { endsRun: userExists(row) } : {};
}

/** A plan of this kind was carried out, by an earlier run or an attempt that left no outcome. */
export function brought({ userId }: CoreUser, kind: PlanKind): Done {
  const outcome = kind === "import" ? "imported" : "created";
  return { kind: "done", outcome, coreId: userId, notices: NO_NOTICES, mapped: MAPPED.no };
}

/**
 * Sets absolute values, so it may be repeated. It is also how a user whom an earlier run created
 * without reaching this call gets the rest.
 */
export async function addSecondContact(
  { core, caller, cutOver }: CallContext,
  plan: PasswordlessPlan,
  user: CoreUser,
  outcome: "created" | "existed",
): Promise<Applied> {
  const { userId } = user;
  const second = plan.first === "email" ? plan.phone : plan.email;
  const done = (notices: readonly string[]): Applied => ({
    kind: "done",
    outcome,
    coreId: userId,
    notices,
    mapped: outcome === "created" ? MAPPED.no : MAPPED.never,
  });
  const there = plan.first === "email" ? user.phoneNumber : user.email;
  if (second === null || second === there) return done([]);
  // Since the cut-over it is what the user has chosen.
  if (cutOver && there !== undefined) return done([]);
  const change = plan.first === "email" ? { phoneNumber: second } : { email: second };
  const result = await caller.call("update", () => core.updateUser({ userId, ...change }));
  if (!result.ok) return unfinished({ ...result, maybeApplied: true });
  switch (result.value.status) {
    case "OK":
      return done([]);
    case "EMAIL_ALREADY_EXISTS_ERROR":
    case "PHONE_NUMBER_ALREADY_EXISTS_ERROR":
      return done([CONTACT_CONFLICT]);
    case "UNKNOWN_USER_ID_ERROR":
      return USER_VANISHED;
  }
}

/** What becomes of a user whom the core has lost again. */
export const USER_VANISHED: Applied = {
  kind: "failed",
  code: "user_vanished",
  hint: "The core no longer knows the user that it had just created; run the same command again.",
  maybeApplied: true,
};

/** The contact that the code is made for. */
function firstContact(plan: PasswordlessPlan): CodeRequest {
  if (plan.first === "email" && plan.email !== null) return { email: plan.email };
  return { phoneNumber: plan.phone ?? "" };
}

/**
 * What becomes of a user whose call was refused or didn't get through.
 *
 * @param result with all that is known of earlier attempts in `maybeApplied`
 */
export function unfinished(result: Extract<CallResult<unknown>, { ok: false }>): Applied {
  const { failure, maybeApplied } = result;
  if (failure.kind === "refused") {
    return {
      kind: "rejected",
      code: "core_refused",
      hint: `The core refused this user: ${failure.message}`,
      maybeApplied,
    };
  }
  return {
    kind: "failed",
    code: `core_${failure.kind}`,
    hint: `${failure.message}; run the same command again to try this user once more.`,
    maybeApplied,
  };
}

function codeLost(maybeApplied: boolean): Applied {
  return {
    kind: "failed",
    code: "code_not_accepted",
    hint: "The core didn't accept its own codes for this user; run the same command again.",
    maybeApplied,
  };
}

/** The error under `--on-existing fail`. */
export function userExists({ file, number }: RowRef): RunError {
  return new RunError(
    "user_exists",
    `The user of ${file}, row ${number}, is at the core already.`,
    {
      hint: "With --on-existing skip such users are left as they are and counted; with update their hashes are replaced.",
    },
  );
}

function notEmpty(row: RowRef): RunError {
  return new RunError(
    "core_not_empty",
    `--assume-empty was given, but the user of ${row.file}, row ${row.number}, was at the core already.`,
    {
      hint: "Run the same command without --assume-empty: it looks every user up before it sends anything.",
    },
  );
}
