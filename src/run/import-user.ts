/** Brings a user by one call: imports them with their hash (interface.md 4.4), which replaces the hash of the user who has the email by then, or signs them up by a social account. A late attempt looks the user up again first. */

import type { ImportOutcome } from "../core/core.js";
import type { CoreUser } from "../core/user.js";
import { CoreFailure } from "../core/core-failure.js";
import type { CallResult } from "../calls/caller.js";
import { mayHaveWorked } from "../calls/retry-table.js";
import type { RowRef } from "../events/events.js";
import type { CallOutcome, Done, OneCallPlan } from "../plan/action.js";
import { brought, existed, PASSWORD_REPLACED, unfinished } from "../plan/outcomes.js";
import type { ImportPlan, ThirdPartyPlan } from "../plan/plan.js";
import type { Policy } from "../plan/policy.js";
import { MAPPED } from "../plan/states.js";
import { requirePlanned, requireOwnId } from "./answer-check.js";
import type { CallContext, ImportStart } from "./call-context.js";
import { findPlanned } from "./look-up.js";
import { joiningOf, passwordWay } from "./account-request.js";

export async function importUser(
  context: CallContext,
  plan: OneCallPlan,
  start: ImportStart,
): Promise<CallOutcome> {
  const attempts = new ImportAttempts(context, plan, start);
  const result = await context.caller.call("import", () => attempts.next());
  return outcomeOf(result, attempts, context, start);
}

function outcomeOf(
  result: CallResult<ImportOutcome | FoundSince>,
  { plan, maybeOurs }: ImportAttempts,
  context: CallContext,
  start: ImportStart,
): CallOutcome {
  const { policy } = context;
  const { row, theirs } = start;
  if (!result.ok) return unfinished({ ...result, maybeApplied: maybeOurs });
  if ("found" in result.value) {
    const { found, ours } = result.value;
    return ours ? brought(found, plan.kind) : { ...existed(found, plan, policy), ...endOf(policy) };
  }
  const { user, didUserAlreadyExist } = result.value;
  requirePlanned(user, plan, row);
  if (!didUserAlreadyExist) requireOwnId(context, user, start);
  if (!didUserAlreadyExist || (maybeOurs && !theirs)) return brought(user, plan.kind);
  if (plan.kind === "thirdparty") return { ...existed(user, plan, policy), ...endOf(policy) };
  return {
    kind: "done",
    outcome: "imported",
    coreId: user.userId,
    notices: PASSWORD_REPLACED,
    mapped: MAPPED.never,
    ...endOf(policy),
  };
}

/** What it means for the run that a user was there. */
export function endOf({ assumeEmpty, onExisting }: Policy): Pick<Done, "endsRun"> {
  return assumeEmpty || onExisting === "fail" ? { endsRun: true } : {};
}

/** How long a lookup that found no user holds: people may sign up later, and a shorter time costs more calls. */
const FRESH_MS = 10_000;

/** A user has the email, or the social account, since the lookup; ours, where an earlier attempt may have worked. */
interface FoundSince {
  readonly found: CoreUser;
  readonly ours: boolean;
}

type Bringing = Pick<CallContext, "core" | "caller" | "now" | "keeper" | "joinedByQueue">;

/** What is called for each attempt. A class, since there is one for every user on their way. */
class ImportAttempts {
  readonly plan: OneCallPlan;
  readonly #context: Bringing;
  readonly #row: RowRef;
  readonly #isLookedUp: boolean;
  #freshUntil: number;
  #maybeOurs: boolean;

  constructor(
    context: Bringing,
    plan: OneCallPlan,
    { row, lookedAt, maybeOurs }: Pick<ImportStart, "row" | "lookedAt" | "maybeOurs">,
  ) {
    this.plan = plan;
    this.#context = context;
    this.#row = row;
    this.#isLookedUp = lookedAt !== null;
    this.#freshUntil = lookedAt === null ? Number.POSITIVE_INFINITY : lookedAt + FRESH_MS;
    this.#maybeOurs = maybeOurs;
  }

  /** Whether an import may have taken effect by now. A lookup that was lost has changed nothing. */
  get maybeOurs(): boolean {
    return this.#maybeOurs;
  }

  /** One attempt; rejects with a `CoreFailure`, as the core's own import. */
  next(): Promise<ImportOutcome | FoundSince> {
    return this.#isLookedUp && this.#context.now() > this.#freshUntil
      ? this.#lookAgain()
      : this.#send();
  }

  async #lookAgain(): Promise<ImportOutcome | FoundSince> {
    const { core, caller } = this.#context;
    caller.count("lookup");
    const found = await findPlanned(core, this.plan, this.#row);
    return found === null ? this.#send() : { found, ours: this.#maybeOurs };
  }

  #send(): Promise<ImportOutcome> {
    const { plan } = this;
    const sent =
      plan.kind === "import" ? sendHash(this.#context, plan) : signUp(this.#context, plan);
    return sent.catch((failure: unknown) => this.#failed(failure));
  }

  #failed(failure: unknown): never {
    this.#maybeOurs ||= failure instanceof CoreFailure && mayHaveWorked(failure);
    // However short the wait was: there may be such a user by now.
    this.#freshUntil = Number.NEGATIVE_INFINITY;
    throw failure;
  }
}

/** interface.md 4.4. */
async function sendHash(context: Bringing, plan: ImportPlan): Promise<ImportOutcome> {
  const { recipe: _, ...hash } = await passwordWay(context, plan);
  return context.core.importUser({ ...hash, ...joiningOf(plan.account, context) });
}

/** The email counts as unverified until the core has said that the user is new: one who signed in meanwhile gets nothing from here. */
function signUp(
  context: Bringing,
  { identity, email, account }: ThirdPartyPlan,
): Promise<ImportOutcome> {
  const request = { ...identity, email, isEmailVerified: false, ...joiningOf(account, context) };
  return context.core.signInUp(request).then(({ status, createdNewUser, user }) => ({
    status,
    user,
    didUserAlreadyExist: !createdNewUser,
  }));
}
