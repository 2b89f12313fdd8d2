/** How a user's way can end, as decisions and calls alike say it, and why a change isn't sent, in words. Pure. */

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

/** Reasons for which a change is not sent. */
const REFUSALS = {
  email_changed: {
    kind: "reject",
    hint: "This user is at the core already under another email, and there is no call that changes the email of a user with a password. Change it at the core; sent from here it would make a second user.",
  },
  changed_after_cutover: {
    kind: "skip",
    hint: "The export has changed, but people sign in at the core since the cut-over and may have changed it there; nothing of theirs is overwritten.",
  },
  older_export: {
    kind: "skip",
    hint: "This is a hash that a newer export has replaced already, so this export is older; nothing is rolled back. Were it the right one all the same, send it with a checkpoint of its own (--checkpoint FILE) and --on-existing update.",
  },
  removed_at_core: {
    kind: "reject",
    hint: "The export has changed, but the user whom an earlier run brought was removed at the core since; nothing is sent. To bring them again, use a checkpoint of its own (--checkpoint FILE).",
  },
  changed_at_core: {
    kind: "reject",
    hint: "The export has changed, but so has the user at the core: they have another email there, or sign in another way. Nothing is sent; compare the two by hand.",
  },
} as const;

/** Why a change of a finished user isn't sent. */
type ChangeRefusal = keyof typeof REFUSALS;

/** The refusal in words. */
export function refuseChange(code: ChangeRefusal): RefusalPlan {
  return { code, ...REFUSALS[code] };
}

const SET_IT = "Let them set a password at the core.";

/** Why a user keeps the way in that they have, and what is left to do. */
const HINTS = {
  offered:
    "An earlier run brought this user without a password, and the export has one now. Before the cut-over --change-kind brings them with it, if they have never signed in at the core.",
  cutOver: `An earlier run brought this user without a password, and the export has one now; but people sign in at the core since the cut-over, so that nothing of theirs is replaced. ${SET_IT}`,
  theirs: `This user was at the core before this migration, without the password that the export has now; --change-kind is for those whom this checkpoint brought. ${SET_IT}`,
  noPassword:
    "This user is at the core with a password, and the export has none any more; that password stays. Where it must not work, remove the user at the core.",
  signedIn: `This user has signed in at the core by a code since they were brought, so they aren't removed. ${SET_IT}`,
  notSaid: `The core doesn't say whether this user has signed in since they were brought. Where no application lets people in there yet, vouch for it with --assume-never-signed-in. Else: ${SET_IT}`,
  notAsBrought: `The core doesn't show this user as an earlier run brought them: they have other contacts or another way in, or are joined with another user. Nothing is removed. ${SET_IT}`,
  otherUser:
    "Another user has this email with a password at the core already. Nothing is sent; decide by hand whose it is, and remove one of the two there.",
  noRemoval: `This core doesn't remove users, and beside the one without a password this would be a second user. ${SET_IT}`,
  idKept:
    "The core knows this user by the vendor's id (--keep-ids), which the user with the password is to get: give --keep-ids again.",
  begun:
    "An earlier run began to bring this user with a password, and the export has none any more. Import the row once as it was then, by the same --map: that finishes it.",
  twoUsers:
    "An earlier run brought this user with their password and was stopped before it removed the one without, who may have signed in since. Both are at the core; remove one of the two there.",
} as const;

/** Why a user keeps the way in that they have. */
export type KindRefusal = keyof typeof HINTS;

/** The refusal in words. */
export function refuseKind(why: KindRefusal): RefusalPlan {
  return { kind: "reject", code: "plan_kind_changed", hint: HINTS[why] };
}
