/** Whether the core keeps the day on which a user joined: the one place that says so, for the calls and for what is foreseen of them. It comes with the call that makes the user, or never. A core in this process takes it by any such call, one behind a URL by its queue alone. Pure. */

import type { Joining } from "../core/account-import.js";
import type { CoreUser } from "../core/user.js";
import type { AccountPlan } from "./account-plan.js";
import type { Action } from "./action.js";
import { NONE } from "./codes.js";
import { isRefusal, passwordOf, type Plan, type SentPlan } from "./plan.js";

/** The notice on a user who is at the core without the time of joining that their row has. */
export const JOINED_LEFT = "joined_not_migrated";

export const JOINED_LOST: readonly string[] = [JOINED_LEFT];
const NOW: Joining = {};

/** How a core takes the time of joining. */
export interface JoiningRules {
  /** Only its queue does; false by default. */
  readonly joinedByQueue?: boolean;
}

/** Whether a plan brings a day of joining, as far as the way lets it. */
export function bringsDay(plan: Plan): boolean {
  return !isRefusal(plan) && (plan.account?.joined ?? null) !== null;
}

/** Whether the queue may have a user whom nobody has tried to bring. */
export function mayQueueNew(plan: SentPlan): boolean {
  // Who signs in by a social account isn't looked for in the queue.
  if (plan.kind === "thirdparty") return false;
  // The queue leaves nulls of objects out, and single calls keep them; at the top they stand for nothing.
  if (Object.values(plan.account?.metadata ?? {}).some(holdsNull)) return false;
  // A hash is kept for the bridge by a call of its own.
  return passwordOf(plan) !== "bridged";
}

function holdsNull(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const isList = Array.isArray(value);
  return Object.values(value).some((one) => (one === null ? !isList : holdsNull(one)));
}

/** What a call of a user's own sends. */
export function joiningOf(
  account: AccountPlan | null,
  { joinedByQueue = false }: JoiningRules,
): Joining {
  const joined = account?.joined ?? null;
  return joined === null || joinedByQueue ? NOW : { timeJoined: joined };
}

/** What is told of a user whom an action brings by calls of their own. */
export function leftAlone(
  action: Action,
  { joinedByQueue = false }: JoiningRules,
): readonly string[] {
  switch (action.kind) {
    case "adopt":
      return action.theirs ? NONE : leftAt(action.plan, action.found);
    case "change_kind":
      if (action.found !== null) return leftAt(action.plan, action.found);
      return joinedByQueue && bringsDay(action.plan) ? JOINED_LOST : NONE;
    case "import":
    case "create":
      return joinedByQueue && bringsDay(action.plan) && !action.theirs ? JOINED_LOST : NONE;
    default:
      return NONE;
  }
}

/** What is told of a user of ours whom a lookup shows, since an earlier run has made them. */
export function leftAt({ account }: SentPlan, { timeJoined }: CoreUser): readonly string[] {
  const joined = account?.joined ?? null;
  return joined === null || timeJoined === undefined || joined === timeJoined ? NONE : JOINED_LOST;
}
