/** Why a finished user's row isn't sent, in words. Pure. */

import { optionName } from "../errors/option-name.js";
import type { Entry } from "./entry.js";
import type { RefusalPlan } from "./plan.js";

/** Reasons for which a change is not sent. */
const REFUSALS = {
  email_changed: {
    kind: "reject",
    hint: "This user is at the core already under another email, and there is no call that changes the email of a user with a password. Change it at the core; sent from here it would make a second user.",
  },
  social_changed: {
    kind: "reject",
    hint: `This user is at the core already by another social account, and there is no call that gives a user another one. Sent from here it would make a second user; remove the one who is there, if they never signed in, and bring this row with a checkpoint of its own (${optionName("--checkpoint", "FILE")}).`,
  },
  changed_after_cutover: {
    kind: "skip",
    hint: "The export has changed, but people sign in at the core since the cut-over and may have changed it there; nothing of theirs is overwritten.",
  },
  older_export: {
    kind: "skip",
    hint: `This is a hash that a newer export has replaced already, so this export is older; nothing is rolled back. Were it the right one all the same, send it with a checkpoint of its own (${optionName("--checkpoint", "FILE")}) and ${optionName("--on-existing")} update.`,
  },
  removed_at_core: {
    kind: "reject",
    hint: `The export has changed, but the user whom an earlier run brought was removed at the core since; nothing is sent. To bring them again, use a checkpoint of its own (${optionName("--checkpoint", "FILE")}).`,
  },
  changed_at_core: {
    kind: "reject",
    hint: "The export has changed, but so has the user at the core: they have another email there, or sign in another way. Nothing is sent; compare the two by hand.",
  },
} as const;

/** Why a change of a finished user isn't sent. */
type ChangeRefusal = keyof typeof REFUSALS;

/** The user can't sign in by the bridge, since the vault that had their hash is lost. */
export const NOT_RESEALED: RefusalPlan = {
  kind: "reject",
  code: "not_resealed",
  hint: `The vault that had this user's old hash was lost, so that the bridge lets them in no longer. Seal the export that was imported last again with ${optionName("--on-unusable-hash")} reseal, or have them reset their password.`,
};

/** The same where a remote core can't say whether the user has set a password since. */
export const NOT_RESEALED_REMOTE: RefusalPlan = {
  ...NOT_RESEALED,
  hint: `The vault that had this user's old hash was lost, and this core can't say whether they have set a password since; nothing is sent. Before the cut-over, where no application lets people in there yet, vouch for it: ${optionName("--on-unusable-hash")} reseal with ${optionName("--assume-never-signed-in")}. Else have them reset their password, unless they have done so.`,
};

/** The refusal in words. */
export function refuseChange(code: ChangeRefusal): RefusalPlan {
  return { code, ...REFUSALS[code] };
}

const SET_IT = "Let them set a password, or link the social account, at the core.";

/** Why a user keeps the way in that they have, and what is left to do. */
const HINTS = {
  offered: `An earlier run brought this user without the password or the social account that the row has now. Before the cut-over ${optionName("--change-kind")} brings them with it, if they have never signed in at the core.`,
  cutOver: `An earlier run brought this user without the password or the social account that the row has now; but people sign in at the core since the cut-over, so that nothing of theirs is replaced. ${SET_IT}`,
  theirs: `This user was at the core before this migration, without the password or the social account that the row has now; ${optionName("--change-kind")} is for those whom this checkpoint brought. ${SET_IT}`,
  bridged: `This user came for the bridge: until they have signed in there, the core holds a stand-in for their password. Nothing of theirs changes; keep them. Import the export by the options that brought them (${optionName("--on-unusable-hash")} bridge, with ${optionName("--upstream")} where the vendor is asked for passwords).`,
  noPassword:
    "This user is at the core with a password, and the export has none any more; that password stays. Where it must not work, remove the user at the core.",
  noSocial: `This user is at the core by a social account, which the row hasn't got any more, or which this run doesn't carry (${optionName("--carry")}); it still lets them in there. Where it must not, remove the user at the core.`,
  signedIn: `This user has signed in at the core by a code since they were brought, so they aren't removed. ${SET_IT}`,
  notSaid: `The core doesn't say whether this user has signed in since they were brought. Where no application lets people in there yet, vouch for it with ${optionName("--assume-never-signed-in")}. Else: ${SET_IT}`,
  notAsBrought: `The core doesn't show this user as an earlier run brought them: they have other contacts or another way in, or are joined with another user. Nothing is removed. ${SET_IT}`,
  otherUser:
    "Another user has this email with a password, or this social account, at the core already. Nothing is sent; decide by hand whose it is, and remove one of the two there.",
  unshown:
    "An earlier run brought this user with a second factor, and this export shows none of anybody's: brought anew, they would come without it. Export the users with all that the earlier export had.",
  noRemoval: `This core doesn't remove users, and beside the one who is there this would be a second user. ${SET_IT}`,
  idKept: `The core knows this user by the vendor's id (${optionName("--keep-ids")}), which the one who is brought anew is to get: give ${optionName("--keep-ids")} again.`,
  begun:
    "An earlier run began to bring this user by another way in than the row has now, and it isn't known how far it got. Import the row once as it was then, by the same options: that finishes it.",
  twoUsers:
    "An earlier run brought this user with their password or social account and was stopped before it removed the one without, who may have signed in since. Both are at the core; remove one of the two there.",
} as const;

/** Why a user keeps the way in that they have. */
export type KindRefusal = keyof typeof HINTS;

/** The refusal in words. */
export function refuseKind(why: KindRefusal): RefusalPlan {
  return { kind: "reject", code: "plan_kind_changed", hint: HINTS[why] };
}

/** The refusal for a user with a password of whom the export has none any more. */
export function refuseNoPassword({ notices }: Pick<Entry, "notices">): RefusalPlan {
  return refuseKind(notices.row.includes("bridged") ? "bridged" : "noPassword");
}
