/** What becomes of a finished user whose row is another one since. Pure: it decides from what the checkpoint holds, the new plan and the policy; what the core shows of the user is looked at later. */

import type { Key } from "./digests.js";
import type { ContactKey, Entry, OwnContact, Previous, UserKeys, Updated } from "./entry.js";
import type { RefusalPlan } from "./plan.js";
import type { Policy } from "./policy.js";
import { refuseChange, refuseKind, refuseNoPassword } from "./refusals.js";
import { MAPPED, MARK, STATE } from "./states.js";

/** The user's hash is to be replaced (interface.md 4.4 again). */
export interface HashChange {
  readonly kind: "change_hash";
  readonly updated: null;
}

/** The user's contacts are to be set (interface.md 4.3). */
export interface ContactsChange {
  readonly kind: "change_contacts";
  /** What is taken from the user, besides what a new value replaces. */
  readonly clears: ContactKey["kind"] | null;
  /** Some contact vanished from the export and stays: without it the user might have none. */
  readonly keeps: boolean;
  readonly updated: Updated;
}

/** The user is to be brought by another way in, and the one without it to be removed. */
export interface KindChange {
  readonly kind: "change_kind";
  readonly updated: Updated;
}

/** Parts of the user's account are to be sent, and neither contacts nor hash. */
export interface PartsChange {
  readonly kind: "change_parts";
  readonly updated: null;
}

/** What is to be sent. */
export type Change = HashChange | ContactsChange | KindChange | PartsChange;

/** A change, a refusal, or `existed` for a user whom this migration didn't bring. */
type Verdict = Change | RefusalPlan | { readonly kind: "existed" };

interface ChangeRules {
  readonly policy: Pick<Policy, "onExisting" | "changeKind">;
  /** People sign in at the core: nothing of theirs is overwritten. */
  readonly cutOver: boolean;
}

interface Changed extends Pick<UserKeys, "kind"> {
  readonly contacts: readonly ContactKey[];
  /** The vendor says that the email of its password isn't verified. */
  readonly isUnverified: boolean;
}

/** Judges a finished user's changed row that has something to send. */
export function judgeChange(
  changed: Changed,
  entry: Pick<Entry, "state" | "mapped" | "notices">,
  previous: Previous,
  rules: ChangeRules,
): Verdict {
  const { state, mapped } = entry;
  const { contacts, kind, isUnverified } = changed;
  const { policy, cutOver } = rules;
  if (hasBegun({ state, previous })) return judgeBegun(changed, previous, rules);
  if (previous.kind !== null && previous.kind !== kind) {
    return judgeKind(changed, entry, previous, rules);
  }
  // Theirs was replaced: by an operator who wanted it so, or because they signed up at that moment.
  const isReplaced = mapped === MAPPED.never && (policy.onExisting !== "update" || isUnverified);
  const isTheirs = state === STATE.existed || isReplaced;
  if (kind === "passwordless") {
    if (isTheirs) return { kind: "existed" };
    return cutOver ? refuseChange("changed_after_cutover") : contactsChange(contacts, previous);
  }
  if (!held(previous).some(({ key }) => has(contacts, key))) {
    return refuseChange(kind === "import" ? "email_changed" : "social_changed");
  }
  if (isTheirs) return { kind: "existed" };
  if (cutOver) return refuseChange("changed_after_cutover");
  // Salts are random: a new password never gets the hash of an earlier one.
  if (previous.isReplaced) return refuseChange("older_export");
  return { kind: "change_hash", updated: null };
}

/** What was begun is finished whatever the policy, also since the cut-over; or it is undone where it came to nothing. */
function judgeBegun(
  { contacts, kind }: Changed,
  previous: Previous,
  { cutOver }: ChangeRules,
): Verdict {
  if (kind === "passwordless") {
    const mayUndo = !cutOver && previous.kind === "import" && leadsToBegun(contacts, previous);
    return mayUndo ? contactsChange(contacts, previous) : refuseKind("begun");
  }
  if (kind !== previous.kind) return refuseKind("begun");
  if (!leadsToBegun(contacts, previous)) {
    return refuseChange(kind === "import" ? "email_changed" : "social_changed");
  }
  return previous.isReplaced ? refuseChange("older_export") : kindChange(contacts, previous);
}

function contactsChange(contacts: readonly ContactKey[], previous: Previous): ContactsChange {
  const stays = held(previous).some(({ key }) => has(contacts, key));
  const planned = (kind: ContactKey["kind"]): boolean => contacts.some((one) => one.kind === kind);
  const gone = previous.contacts.filter(
    ({ key, mark }) => mark !== MARK.tried && !has(contacts, key),
  );
  const vanished = gone.flatMap(({ kind }) => (planned(kind) ? [] : [kind]));
  const clears = stays ? (vanished[0] ?? null) : null;
  // Of two new contacts the absolute values leave nothing of the old ones.
  const isLeft = (kind: ContactKey["kind"]): boolean =>
    contacts.length === 2 || planned(kind) || kind === clears;
  return {
    kind: "change_contacts",
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

function has(contacts: readonly ContactKey[], key: Key): boolean {
  return contacts.some((contact) => contact.key === key);
}

/** An earlier run has begun to give a user without a password one, or a social account, and may have got anywhere. */
export function hasBegun({ state, previous }: Pick<Entry, "state" | "previous">): boolean {
  if (state !== STATE.created || previous === null) return false;
  const isComing = ({ kind, mark }: OwnContact): boolean =>
    kind === "social" && mark === MARK.coming;
  return (
    previous.kind === "import" ||
    (previous.kind === "thirdparty" && previous.contacts.some(isComing))
  );
}

/** Judges a finished user's row that says something else than was planned before. */
function judgeKind(
  { contacts, kind }: Changed,
  entry: Pick<Entry, "state" | "mapped" | "notices">,
  previous: Previous,
  { policy, cutOver }: ChangeRules,
): KindChange | RefusalPlan {
  if (entry.state === STATE.existed || entry.mapped === MAPPED.never) return refuseKind("theirs");
  if (previous.kind === "import") return refuseNoPassword(entry);
  if (kind === "passwordless") return refuseKind("noSocial");
  if (cutOver) return refuseKind("cutOver");
  return policy.changeKind ? kindChange(contacts, previous) : refuseKind("offered");
}

/** @param contacts of the row: one alone, since another has no place beside a password or a social account */
function kindChange(contacts: readonly ContactKey[], previous: Previous): KindChange {
  const came = contacts.map(({ key }) => key);
  const left = previous.contacts
    .filter(({ key, mark }) => mark !== MARK.tried && !came.includes(key))
    .map(({ key }) => key);
  return { kind: "change_kind", updated: { came, left } };
}

/** Whether the user whom an earlier run may have brought anew would be found by this row. */
function leadsToBegun(contacts: readonly ContactKey[], previous: Previous): boolean {
  if (previous.kind === "thirdparty") {
    return previous.contacts.some(({ key, mark }) => mark === MARK.coming && has(contacts, key));
  }
  const isOther = previous.contacts.some(
    ({ key, kind, mark }) => kind !== "phone" && mark === MARK.coming && !has(contacts, key),
  );
  const email = contacts.find(({ kind }) => kind === "email");
  return !isOther && previous.contacts.some(({ key }) => key === email?.key);
}
