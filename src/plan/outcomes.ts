/** Builds the outcomes of users, for decisions and calls alike. Pure. */

import { sentence } from "../errors/run-error.js";
import type { CoreFailure } from "../core/core-failure.js";
import type { CoreUser } from "../core/user.js";
import { NONE } from "./codes.js";
import { ID_NOT_KEPT } from "../events/tally.js";
import type { CallOutcome, Done } from "./action.js";
import type { PlanKind } from "./entry.js";
import type { Plan, RefusalPlan, SentPlan } from "./plan.js";
import type { Policy } from "./policy.js";
import { MAPPED } from "./states.js";

/** The notice on a user whose hash replaces no existing one, because their email is unverified. */
export const UNVERIFIED_NOT_REPLACED = "unverified_not_replaced";

/** The notice on a user with a contact that another user has at the core. */
export const CONTACT_CONFLICT = "contact_conflict";

/** The notice on a user who has another way in at the core as well. */
export const OTHER_WAY_IN = "other_way_in";

/** The notice on a user whose hash has replaced the one that was at the core before this migration. */
export const PASSWORD_REPLACED: readonly string[] = ["existing_password_replaced"];

const NOT_REPLACED: readonly string[] = [UNVERIFIED_NOT_REPLACED];

/** How a user counts who is at the core by a kind of plan. */
export const OUTCOME_OF: Readonly<Record<Plan["kind"], "imported" | "created">> = {
  import: "imported",
  passwordless: "created",
  thirdparty: "created",
  skip: "created",
  reject: "created",
};

/** The outcome of a plan that an earlier run carried out, or an attempt that recorded no outcome. */
export function brought({ userId }: CoreUser, kind: PlanKind): Done {
  const outcome = OUTCOME_OF[kind];
  return { kind: "done", outcome, coreId: userId, notices: NONE, mapped: MAPPED.no };
}

/** A user who was there before this migration is left as they are. */
export function existed({ userId }: CoreUser, plan: SentPlan, { onExisting }: Policy): Done {
  const notices = plan.kind === "import" && onExisting === "update" ? NOT_REPLACED : NONE;
  return { kind: "done", outcome: "existed", coreId: userId, notices, mapped: MAPPED.never };
}

/** Adds the state of the vendor's id for a user who existed before. This run maps no id, but an earlier migration may have. */
export function withOwnId(done: Done, keepId: string | null): Done {
  if (keepId === null) return done;
  return done.coreId === keepId ? { ...done, mapped: MAPPED.yes } : withoutId(done);
}

/** Adds the notice that the core doesn't know the user by the vendor's id. */
export function withoutId(done: Done): Done {
  return { ...done, notices: [...done.notices, ID_NOT_KEPT] };
}

/** Nothing is sent, and the user stays as they are. */
export function rejected({ code, hint }: Pick<RefusalPlan, "code" | "hint">): CallOutcome {
  return { kind: "rejected", code, hint, maybeApplied: false };
}

/**
 * What becomes of a user whose call was refused or didn't get through.
 *
 * @param maybeApplied with all that is known of earlier attempts
 */
export function unfinished({
  failure,
  maybeApplied,
}: {
  readonly failure: CoreFailure;
  readonly maybeApplied: boolean;
}): CallOutcome {
  if (failure.kind === "refused") {
    return {
      kind: "rejected",
      code: "core_refused",
      hint: sentence(`The core refused this user: ${failure.message}`),
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
