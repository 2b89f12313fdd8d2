/** What the ledger knows of a user and is told of one, and what follows from that alone. Pure. */

import type { Key } from "./digests.js";
import type { RowRef } from "../events/events.js";
import type { PartKeys, PartNotes } from "./parts.js";
import { type Rank, type Ranks, ranksOf } from "./rank.js";
import {
  isFinished,
  MAPPED,
  type Mapped,
  MARK,
  type Mark,
  type PartState,
  SAW_NOBODY,
  STATE,
  type State,
} from "./states.js";

/** How a user is brought. */
export type PlanKind = "import" | "passwordless" | "thirdparty";

/** A contact that a user is to have at the core, or the social account by which they are brought. */
export interface ContactKey {
  readonly key: Key;
  readonly kind: "email" | "phone" | "social";
}

/** A contact that a row claims. */
export interface ClaimedContact extends ContactKey {
  /** How good its right is. */
  readonly rank: Rank;
}

/** A contact that the ledger knows a user by. */
export interface OwnContact {
  readonly key: Key;
  readonly kind: ContactKey["kind"];
  readonly mark: Mark;
}

/** What the ledger needs to know of a record. */
export interface UserKeys {
  readonly row: RowRef;
  /** Key of the identity; `keyed` says whether it is the vendor's id. */
  readonly identity: Key;
  readonly keyed: boolean;
  /** Null for a skip or reject. */
  readonly kind: PlanKind | null;
  /**
   * The contacts that the user is to have at the core, the one first under which the user is
   * brought; empty for a skip or reject.
   */
  readonly contacts: readonly ClaimedContact[];
  /** The verified contacts of a skip or reject, which no lesser row gets; empty for every other row. */
  readonly reserved: readonly ContactKey[];
  readonly plan: Key;
  /** What else is to be sent of the account. */
  readonly parts: PartKeys;
  /** The vendor's id, or null where it must not be kept. */
  readonly sourceId: string | null;
}

/** A user of an earlier run, as the checkpoint has them. */
export interface KnownUser {
  readonly id: number;
  readonly state: State;
  readonly sawNobody: number;
  readonly plan: Key;
  readonly mapped: Mapped;
  readonly keyed: boolean;
  readonly row: RowRef;
  /** What was planned last; null where nothing was sent. */
  readonly kind: PlanKind | null;
  readonly scope: number;
  readonly ranks: Ranks;
  readonly notices: Notices;
  readonly parts: PartNotes | null;
}

/** What else the checkpoint has of one. */
interface KnownBeside {
  contactsOf(user: number): readonly OwnContact[];
  /** Whether a newer export has replaced this plan of a user's. */
  isReplaced(user: number, plan: Key): boolean;
}

/** The users of earlier runs. */
export interface KnownUsers extends KnownBeside {
  byId(id: number): KnownUser | undefined;
}

/** One user's entry, as it stood before this run. */
export interface Entry {
  readonly id: number;
  /** Null for a user whom the ledger has never held. */
  readonly state: State | null;
  /** A lookup before an earlier intent found no user with the row's first contact, and that intent may have been carried out. */
  readonly sawNobody: boolean;
  /** Some earlier intent may have been carried out, under whatever contact. */
  readonly tried: boolean;
  /** Nothing else was planned for this user since the last outcome. */
  readonly samePlan: boolean;
  /** What was planned before; null where it was the same or nothing. */
  readonly previous: Previous | null;
  readonly mapped: Mapped;
  /** What earlier runs sent of the account beside; null for nothing. */
  readonly parts: PartNotes | null;
  /** Known by a contact until now, and by the row's id from now on. */
  readonly gainsId: boolean;
  /** The ledger names another row for this user, one of an earlier run, or another right to a contact. */
  readonly moved: boolean;
  /** The number of the row's scope. */
  readonly scope: number;
  /** What was told of the user last. */
  readonly notices: Notices;
}

/** What is told of a user. */
export interface Notices {
  /** By the user's latest row. */
  readonly row: readonly string[];
  /** By lookups and calls of any run. */
  readonly calls: readonly string[];
}

/** Nothing is told of the user. */
export const NO_NOTICES_YET: Notices = { row: [], calls: [] };

/** What an entry holds where the row's plan is another one. */
export interface Previous {
  readonly plan: Key;
  /** Null where nothing was sent. */
  readonly kind: PlanKind | null;
  readonly contacts: readonly OwnContact[];
  /** A newer export has replaced the row's plan before. */
  readonly isReplaced: boolean;
}

/** Why a record has no entry. */
export interface Duplicate {
  readonly kind: "duplicate" | "duplicate_contact" | "same_user";
  readonly first: RowRef;
  /** The record has a better right to the contact than the first row, which keeps it. */
  readonly outranks: boolean;
  /** The first row is a skip or reject, and reserves the contact. */
  readonly isReserved: boolean;
  /** The first row is a skip or reject, of a user who isn't at the core. */
  readonly isRefused: boolean;
}

/** What is written before anything is sent: an intent, or an outcome that needs no call. */
export interface IntentWrite {
  readonly keys: UserKeys;
  readonly entry: Entry;
  /** For the update of a finished user the state that they have. */
  readonly state: State;
  readonly sawNobody: boolean;
  readonly mapped: Mapped;
  readonly coreId: string | null;
  readonly code: string | null;
  readonly notices: Notices;
  /** What is to be sent beside; null leaves what the entry says. */
  readonly parts: PartNotes | null;
  readonly isTaken?: boolean;
}

/** A user to whom nothing happens in this run. */
export type Touch = Pick<IntentWrite, "keys" | "entry" | "notices">;

/** What is written when the calls have ended. */
export interface OutcomeWrite {
  readonly entryId: number;
  readonly state: State;
  /** What was intended may have been carried out, and no outcome is known. */
  readonly sawNobody: boolean;
  readonly mapped: Mapped;
  readonly coreId: string | null;
  readonly code: string | null;
  /** What has become of it; null leaves what the entry says. */
  readonly parts: PartNotes | null;
  /** The state in which all parts are that the entry names, in place of `parts`; absent where they aren't in one. */
  readonly allParts?: PartState;
  /** What the update of a finished user's contacts has changed; null where there was none. */
  readonly updated: Updated | null;
  /** Null where they stay as the intent had them. */
  readonly notices: Notices | null;
  /** True for a user whom a lookup alone shows to be ours. */
  readonly isTaken?: boolean;
}

/** How a finished user's contacts differ from before. */
export interface Updated {
  readonly came: readonly Key[];
  readonly left: readonly Key[];
}

/** True for a user who is at the core or in its queue, whatever this run's row says. */
export function isFinishedEntry({ state }: Pick<Entry, "state">): boolean {
  return state !== null && (isFinished(state) || state === STATE.queued);
}

/** Whether an earlier run may have brought an unfinished user, by whatever plan. */
export function mayBeThere({ state, tried }: Pick<Entry, "state" | "tried">): boolean {
  return tried || state === STATE.intent || state === STATE.failed;
}

/** Whether a row's plan has a contact. */
export function hasContact({ contacts }: UserKeys, key: Key): boolean {
  return contacts.some((contact) => contact.key === key);
}

/**
 * Whether the user with the row's first contact at the core may be the one of an earlier intent.
 *
 * @param sawNobody as the entry has it: of the contacts that it holds
 */
export function mayHave(
  { contacts: [first] }: UserKeys,
  previous: Previous,
  sawNobody: number,
): boolean {
  const own = previous.contacts.find(({ key }) => key === first?.key);
  return (
    own !== undefined &&
    (own.mark === MARK.tried || (own.mark === MARK.held && sawNobody !== SAW_NOBODY.no))
  );
}

/** Contacts that only an unfinished user's earlier plan has, and that surely never reached the core. */
export function releasedBy({ keys, entry }: Pick<Touch, "keys" | "entry">): Key[] {
  const { previous, tried } = entry;
  if (previous === null || tried || isFinishedEntry(entry)) return [];
  return previous.contacts.filter(({ key }) => !hasContact(keys, key)).map(({ key }) => key);
}

/** What the entry keeps of a lookup's answer. An earlier intent may have put its own plan at the core, and this plan is to replace it. */
export function sawNobodyOf({ sawNobody, entry }: IntentWrite): number {
  // Until the update of a finished user has an outcome, they may be at the core by either plan.
  if (isFinishedEntry(entry)) {
    return entry.previous === null ? SAW_NOBODY.no : SAW_NOBODY.underAnotherPlan;
  }
  if (!sawNobody) return SAW_NOBODY.no;
  return entry.sawNobody && !entry.samePlan ? SAW_NOBODY.underAnotherPlan : SAW_NOBODY.yes;
}

/** The entry of a user of an earlier run. */
export function entryOf(
  keys: UserKeys,
  found: KnownUser,
  scope: number,
  beside: KnownBeside,
): Entry {
  const { id, state, sawNobody, mapped, parts, notices, ranks, row: last, plan, kind } = found;
  const samePlan = plan === keys.plan && sawNobody !== SAW_NOBODY.underAnotherPlan;
  const contacts = samePlan ? [] : beside.contactsOf(id);
  const previous = samePlan
    ? null
    : { plan, kind, contacts, isReplaced: beside.isReplaced(id, keys.plan) };
  const tried = contacts.some(({ mark }) => mark === MARK.tried) || sawNobody !== SAW_NOBODY.no;
  const { row } = keys;
  const isElsewhere = last.number !== row.number || last.file !== row.file;
  const hasOtherRight = samePlan && ranks !== ranksOf(keys.contacts);
  return {
    id,
    state,
    samePlan,
    previous,
    mapped,
    parts,
    scope,
    notices,
    tried,
    sawNobody: previous === null ? tried : mayHave(keys, previous, sawNobody),
    gainsId: !found.keyed && keys.keyed,
    moved: isElsewhere || found.scope !== scope || hasOtherRight,
  };
}

/** A user whom no run has met before. */
export function newEntry(id: number, scope: number): Entry {
  return {
    id,
    scope,
    state: null,
    sawNobody: false,
    tried: false,
    samePlan: false,
    previous: null,
    mapped: MAPPED.no,
    parts: null,
    gainsId: false,
    moved: true,
    notices: NO_NOTICES_YET,
  };
}

/** Whether a user of an earlier run is, or may be, at the core. */
export function isThere({ state, sawNobody }: KnownUser): boolean {
  return isFinishedEntry({ state }) || mayBeThere({ state, tried: sawNobody !== SAW_NOBODY.no });
}
