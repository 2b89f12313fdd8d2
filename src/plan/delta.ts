/** What becomes of a finished user whose row is another one since. Pure: it decides from what the checkpoint holds, the new plan and the policy; nothing here is sent. */

import type { Key } from "./digests.js";
import type { ContactKey, OwnContact, Previous, UserKeys, Entry, Updated } from "./entry.js";
import { MAPPED, MARK, STATE } from "./states.js";
import {
  hasBegun,
  judgeKind,
  type KindChange,
  kindChange,
  leadsToBegun,
  refuseKind,
} from "./kind-change.js";
import type { RefusalPlan } from "./plan.js";
import type { Policy } from "./policy.js";

/** The user's hash is to be replaced (interface.md 4.4 again). */
interface HashChange {
  readonly kind: "hash";
  readonly updated: null;
}

/** The user's contacts are to be set (interface.md 4.3). */
export interface ContactsChange {
  readonly kind: "contacts";
  /** What is taken from the user, besides what a new value replaces. */
  readonly clears: ContactKey["kind"] | null;
  /** Some contact vanished from the export and stays: without it the user might have none. */
  readonly keeps: boolean;
  readonly updated: Updated;
}

/** What is to be sent. */
export type Change = HashChange | ContactsChange | KindChange;

/** A change of a finished user, and who that is. */
export interface Update {
  readonly change: Change;
  /** The core's own id; null where the checkpoint doesn't keep it. */
  readonly coreId: string | null;
}

/** A change, a refusal, or `existed` for a user whom this migration didn't bring. */
export type Verdict = Change | RefusalPlan | { readonly kind: "existed" };

/** What the run has decided beside the policy. */
interface ChangeRules {
  readonly policy: Pick<Policy, "onExisting" | "changeKind">;
  /** People sign in at the core: nothing of theirs is overwritten. */
  readonly cutOver: boolean;
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
export type ChangeRefusal = keyof typeof REFUSALS;

/** The refusal in words. */
export function refuseChange(code: ChangeRefusal): RefusalPlan {
  return { code, ...REFUSALS[code] };
}

/** The row of today. */
interface Changed extends Pick<UserKeys, "kind"> {
  readonly contacts: readonly ContactKey[];
  /** The vendor says that the email of its password isn't verified. */
  readonly isUnverified: boolean;
}

/** Judges the changed row of a finished user, for whom there is something to send. */
export function judgeChange(
  changed: Changed,
  { state, mapped }: Pick<Entry, "state" | "mapped">,
  previous: Previous,
  rules: ChangeRules,
): Verdict {
  const { contacts, kind, isUnverified } = changed;
  const { policy, cutOver } = rules;
  if (hasBegun({ state, previous })) return judgeBegun(changed, previous, rules);
  if (previous.kind !== null && previous.kind !== kind) {
    return judgeKind(changed, { state, mapped }, previous, rules);
  }
  // Theirs was replaced: by an operator who wanted it so, or because they signed up at that moment.
  const isReplaced = mapped === MAPPED.never && (policy.onExisting !== "update" || isUnverified);
  const isTheirs = state === STATE.existed || isReplaced;
  if (kind === "passwordless") {
    if (isTheirs) return { kind: "existed" };
    return cutOver ? refuseChange("changed_after_cutover") : contactsChange(contacts, previous);
  }
  if (!held(previous).some(({ key }) => has(contacts, key))) return refuseChange("email_changed");
  if (isTheirs) return { kind: "existed" };
  if (cutOver) return refuseChange("changed_after_cutover");
  // Salts are random: a new password never gets the hash of an earlier one.
  if (previous.isReplaced) return refuseChange("older_export");
  return { kind: "hash", updated: null };
}

/** What was begun is finished whatever the policy, also since the cut-over; or it is undone where it came to nothing. */
function judgeBegun(
  { contacts, kind }: Changed,
  previous: Previous,
  { cutOver }: ChangeRules,
): Verdict {
  if (kind === "passwordless") {
    const mayUndo = !cutOver && leadsToBegun(contacts, previous);
    return mayUndo ? contactsChange(contacts, previous) : refuseKind("begun");
  }
  if (!leadsToBegun(contacts, previous)) return refuseChange("email_changed");
  return previous.isReplaced ? refuseChange("older_export") : kindChange(contacts, previous);
}

function contactsChange(contacts: readonly ContactKey[], previous: Previous): ContactsChange {
  const stays = held(previous).some(({ key }) => has(contacts, key));
  const planned = (kind: ContactKey["kind"]): boolean => contacts.some((one) => one.kind === kind);
  const gone = previous.contacts
    .filter(({ key, mark }) => mark !== MARK.tried && !has(contacts, key))
    .map((own) => ({ key: own.key, kind: kindOf(own, contacts, stays) }));
  const vanished = gone.flatMap(({ kind }) => (kind === null || planned(kind) ? [] : [kind]));
  const clears = stays ? (vanished[0] ?? null) : null;
  // Of two new contacts the absolute values leave nothing of the old ones.
  const isLeft = (kind: ContactKey["kind"] | null): boolean =>
    contacts.length === 2 || (kind !== null && (planned(kind) || kind === clears));
  return {
    kind: "contacts",
    clears,
    keeps: gone.some(({ kind }) => !isLeft(kind)),
    updated: {
      came: contacts.map(({ key }) => key),
      left: gone.filter(({ kind }) => isLeft(kind)).map(({ key }) => key),
    },
  };
}

function held({ contacts }: Previous): OwnContact[] {
  return contacts.filter(({ mark }) => mark === MARK.held);
}

/**
 * What a contact is of which an older version didn't keep it. A user has one of each kind at most:
 * beside one that stays it is the other kind.
 */
function kindOf(
  { kind }: OwnContact,
  contacts: readonly ContactKey[],
  stays: boolean,
): ContactKey["kind"] | null {
  if (kind !== null) return kind;
  if (contacts.length === 2 || !stays) return null;
  return contacts[0]?.kind === "email" ? "phone" : "email";
}

function has(contacts: readonly ContactKey[], key: Key): boolean {
  return contacts.some((contact) => contact.key === key);
}
