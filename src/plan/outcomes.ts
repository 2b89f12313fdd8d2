/** How a user's way can end, as decisions and calls alike say it. Pure. */

import type { CoreFailure } from "../core/core-failure.js";
import type { CoreUser } from "../core/core.js";
import { ID_NOT_KEPT } from "../events/tally.js";
import type { CallOutcome, Done, SentPlan } from "./action.js";
import type { PlanKind } from "./entry.js";
import type { RefusalPlan } from "./plan.js";
import type { Policy } from "./policy.js";
import { MAPPED } from "./states.js";

/** The notice on a user whose unverified email's hash was to replace another user's. */
export const UNVERIFIED_NOT_REPLACED = "unverified_not_replaced";

/** The notice on a user a contact of whom another one has at the core. */
export const CONTACT_CONFLICT = "contact_conflict";

/** The notice on a user who is at the core by another way in, too. */
export const OTHER_WAY_IN = "other_way_in";

export const NO_NOTICES: readonly string[] = [];
const NOT_REPLACED: readonly string[] = [UNVERIFIED_NOT_REPLACED];

/** A plan of this kind was carried out, by an earlier run or an attempt that left no outcome. */
export function brought({ userId }: CoreUser, kind: PlanKind): Done {
  const outcome = kind === "import" ? "imported" : "created";
  return { kind: "done", outcome, coreId: userId, notices: NO_NOTICES, mapped: MAPPED.no };
}

/** A user who was there before this migration is left as they are. */
export function existed({ userId }: CoreUser, plan: SentPlan, { onExisting }: Policy): Done {
  const notices = plan.kind === "import" && onExisting === "update" ? NOT_REPLACED : NO_NOTICES;
  return { kind: "done", outcome: "existed", coreId: userId, notices, mapped: MAPPED.never };
}

/** The same, as to the vendor's id: such a user gets none, but may have got it by an earlier migration. */
export function withOwnId(done: Done, keepId: string | null): Done {
  if (keepId === null) return done;
  return done.coreId === keepId ? { ...done, mapped: MAPPED.yes } : withoutId(done);
}

/** The vendor's id isn't in force. */
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
