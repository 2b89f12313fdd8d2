/** How an action ends where every call of it goes well, and which calls these are. It decides nothing: a dry run tells it, and an import does it. Pure. */

import type { CoreUser } from "../core/user.js";
import type { CallName, Outcome } from "../events/events.js";
import type { Action, CallOutcome } from "./action.js";
import { ID_NOT_KEPT } from "../events/tally.js";
import { NONE } from "./codes.js";
import { OUTCOME_OF, PASSWORD_REPLACED } from "./outcomes.js";
import type { PartWork } from "./parts.js";
import type { RefusalPlan, SentPlan } from "./plan.js";
import { MAPPED } from "./states.js";

/** What a lookup leaves nothing more to be asked for. */
type FinalAction = Exclude<Action, { readonly kind: "look_up" | "postpone" }>;

/** The row's outcome; `stop` where the run would end before it sends the user. */
export interface Expected {
  readonly outcome: Outcome | "stop";
  /** Of a row that is rejected, skipped or failed, or that stops the run; else null. */
  readonly code: string | null;
  /** Beside a code. */
  readonly hint: string;
  /** What the operator is told of the user. */
  readonly notices: readonly string[];
}

export function expectedOf(action: FinalAction): Expected {
  switch (action.kind) {
    case "import":
      return ended(
        OUTCOME_OF[action.plan.kind],
        action.theirs ? PASSWORD_REPLACED : NONE,
        action.notices,
      );
    case "create":
    case "change_contacts":
    case "change_hash":
    case "change_kind":
    case "change_parts":
      return ended(OUTCOME_OF[action.plan.kind], action.notices);
    case "adopt":
      return ended(action.theirs ? "existed" : OUTCOME_OF[action.plan.kind], action.notices);
    case "map_id":
      return action.refusal === null
        ? ended("unchanged", action.notices)
        : { ...refused(action.refusal), notices: action.notices };
    case "reseal":
      return ended("unchanged", action.notices);
    case "wait":
      return ended(action.outcome);
    case "keep":
      return ended(action.outcome, action.notices);
    case "settle":
      return settled(action.outcome, action.notices);
    case "refuse":
      return { ...refused(action.refusal), notices: action.notices };
    case "stop":
      return { outcome: "stop", code: action.code, hint: "", notices: NONE };
  }
}

function ended(outcome: Outcome, ...notices: readonly (readonly string[])[]): Expected {
  return { outcome, code: null, hint: "", notices: notices.flat() };
}

function refused({ kind, code, hint }: RefusalPlan): Expected {
  const outcome = kind === "skip" ? "skipped" : "rejected";
  return { outcome, code, hint, notices: NONE };
}

function settled(outcome: CallOutcome, seen: readonly string[]): Expected {
  switch (outcome.kind) {
    case "done":
      return ended(outcome.outcome, outcome.notices, seen);
    case "refused":
      return { ...refused(outcome.refusal), notices: outcome.done.notices };
    case "incomplete": {
      const { code, hint, done } = outcome;
      return { outcome: "failed", code, hint, notices: done.notices };
    }
    case "rejected":
    case "failed": {
      const { kind, code, hint } = outcome;
      return { outcome: kind, code, hint, notices: NONE };
    }
  }
}

/** The calls of an action beside lookups, each once: interface.md 4.4, or 4.1, 4.2 and for a second contact 4.3; the mapping of an id; and at last what sends the account's parts; or one call with everything. */
export function callsOf(action: FinalAction): readonly CallName[] {
  if ("whole" in action && action.whole) return WHOLE;
  const calls = bringingCalls(action);
  if (!("parts" in action) || action.parts.length === 0) return calls;
  const parts = action.parts.flatMap((work) => partCalls(work, action.kind === "create"));
  return [...calls, ...parts];
}

/** Whether the calls of an action sign the user in. The core's queue signs nobody in. */
export function signsIn(action: Action): boolean {
  if ("whole" in action && action.whole) return false;
  const isBySocial =
    action.kind === "import" || (action.kind === "change_kind" && action.found === null);
  return action.kind === "create" || (isBySocial && action.plan.kind === "thirdparty");
}

/** The vendor's id that is to lead to the user; null for none, or where nothing is done for that. */
export function idOf(action: FinalAction): string | null {
  switch (action.kind) {
    case "map_id":
      return action.keepId;
    case "import":
    case "create":
    case "adopt":
    case "change_kind":
      return action.plan.keepId;
    default:
      return null;
  }
}

/** Whether the vendor's id leads to a user by now, or will. */
export function hasId(action: FinalAction): boolean {
  if ("notices" in action && action.notices.includes(ID_NOT_KEPT)) return false;
  if (action.kind !== "settle") return idOf(action) !== null;
  const { outcome } = action;
  const done = "done" in outcome ? outcome.done : outcome;
  return "mapped" in done && done.mapped === MAPPED.yes;
}

/** @param byCode the call that creates the user verifies the email under which it brings them */
function partCalls({ part, come, gone }: PartWork, byCode: boolean): readonly CallName[] {
  switch (part) {
    case "metadata":
      return ONE_PART;
    case "verified":
      if (!come.includes("yes")) return ONE_PART;
      return byCode ? [] : ["part", "part"];
    case "roles":
    case "totp":
      return [...come, ...gone].map(() => "part");
  }
}

const ONE_PART = ["part"] as const;
const WHOLE = ["import"] as const;

function bringingCalls(action: FinalAction): readonly CallName[] {
  switch (action.kind) {
    case "import":
      return withMapping(["import"], action.theirs ? null : action.plan.keepId);
    case "change_hash":
      return ["import"];
    case "change_kind":
      return withMapping(["import", "update"], action.plan.keepId);
    case "create":
      return withMapping(["code", "consume", ...secondOf(action.plan, {})], action.plan.keepId);
    case "adopt": {
      const { plan, found, theirs } = action;
      return withMapping(secondOf(plan, found), theirs ? null : plan.keepId);
    }
    case "change_contacts":
    case "reseal":
      return ["update"];
    case "map_id":
      return ["map"];
    case "change_parts":
    case "wait":
    case "keep":
    case "settle":
    case "refuse":
    case "stop":
      return [];
  }
}

/** How many lookups a new user takes: one for each contact, or social account, under which they or another user may be found. */
export function lookupsOf(plan: SentPlan): number {
  if (plan.kind === "thirdparty") return 2;
  return plan.kind === "passwordless" && plan.email !== null && plan.phone !== null ? 2 : 1;
}

function withMapping(calls: readonly CallName[], keepId: string | null): readonly CallName[] {
  return keepId === null ? calls : [...calls, "map"];
}

/** The update that gives a passwordless user the second contact, where they don't have it. */
function secondOf(
  plan: SentPlan,
  { email, phoneNumber }: Pick<CoreUser, "email" | "phoneNumber">,
): readonly CallName[] {
  if (plan.kind !== "passwordless") return [];
  const [second, there] = plan.first === "email" ? [plan.phone, phoneNumber] : [plan.email, email];
  return second === null || second === there ? [] : ["update"];
}
