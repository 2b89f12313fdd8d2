/** Which user a row is, by the rows before it and by what earlier runs know. It finds duplicates; it decides nothing else. */

import type { RowRef } from "../events/events.js";
import type { Key } from "../plan/digests.js";
import {
  type ClaimedContact,
  type Duplicate,
  type Entry,
  entryOf,
  isFinishedEntry,
  isThere,
  type KnownUser,
  type KnownUsers,
  releasedBy,
  type UserKeys,
} from "../plan/entry.js";
import { RANK, type Rank, rankIn, ranksOf } from "../plan/rank.js";
import type { FirstRow, HeldKeys, MetUser } from "./held-keys.js";

/** A row of which a user of its own is to be made. */
interface Entering {
  readonly kind: "entry";
  /** Whom earlier runs know; null for a new user. */
  readonly entry: Entry | null;
  /** The row of another user who has a contact that this one reserves, by a lesser right. */
  readonly holder: RowRef | null;
}

/** A row whose user, or contact, another one has. */
export interface Repeating extends Duplicate {
  /** Number of the other row; null for a row of an earlier run. */
  readonly number: number | null;
  /** The user of an earlier run whom the row names; null for none. */
  readonly user: number | null;
}

/** Takes rows one after the other, in their order. */
export class RowMatcher {
  readonly #held: HeldKeys;
  readonly #known: KnownUsers;
  readonly #placeOf: (number: number) => RowRef;

  /**
   * @param known null where no earlier run knows anybody
   * @param placeOf where a row of the run stood
   */
  constructor(held: HeldKeys, known: KnownUsers | null, placeOf: (number: number) => RowRef) {
    this.#held = held;
    this.#known = known ?? NOBODY;
    this.#placeOf = placeOf;
  }

  /** @param number of the run's rows */
  match(keys: UserKeys, number: number): Entering | Repeating {
    const matched = this.#find(keys);
    if (!("found" in matched)) return matched;
    const { found } = matched;
    const holder = this.#reserve(keys, number, found);
    if (found === undefined) {
      this.#enter(keys, number);
      return { kind: "entry", entry: null, holder };
    }
    const entry = entryOf(keys, found, found.scope, this.#known);
    this.#meet(keys, number, found, entry);
    return { kind: "entry", entry, holder };
  }

  /** Claims the contacts of a finished user's new plan; others' are claimed as they are met. */
  claim({ contacts }: UserKeys, { id }: Entry): void {
    for (const { key } of contacts) this.#held.claim(key, id);
  }

  /** Whether the user whom a row's id names is, or may be, at the core with a contact since an earlier run. */
  keeps({ identity, keyed }: UserKeys, contact: Key): boolean {
    const owner = keyed ? this.#ownerOf(contact) : undefined;
    return owner !== undefined && owner.id === this.#named(identity)?.id && isThere(owner);
  }

  #named(identity: Key): KnownUser | MetUser | undefined {
    const { named, stored } = this.#held.of(identity);
    if (named !== null) return this.#held.met(named);
    const before = stored === null ? undefined : this.#known.byId(stored);
    const met = before && this.#held.met(before.id);
    if (met === undefined) return before;
    // A user who has got an id since is known by that alone.
    return met.keyed && before?.keyed !== true ? undefined : met;
  }

  #ownerOf(contact: Key): KnownUser | MetUser | undefined {
    const { claimed } = this.#held.of(contact);
    return claimed === null ? undefined : (this.#held.met(claimed) ?? this.#known.byId(claimed));
  }

  /** The user of earlier runs who a row is, undefined for a new one; or why it is none. */
  #find(keys: UserKeys): Repeating | { readonly found: KnownUser | undefined } {
    const first = this.#held.of(keys.identity).identity;
    // Of a user without an id the identity is the contact.
    if (first !== null) return this.#repeating(first, { outranks: outranks(keys, first.rank) });
    let found = this.#named(keys.identity);
    const user = found?.id ?? null;
    if (found !== undefined && isMet(found)) {
      const isRefused = !isFinishedEntry(found) && found.kind === null;
      return this.#repeating({ ...found, isRefused }, { user });
    }
    // First what rows of this run have taken, whatever else is known of a user: so every run says the same.
    for (const contact of keys.contacts) {
      const taken = this.#taken(keys, contact, user);
      if (taken !== null) return taken;
    }
    for (const { key, kind, rank } of keys.contacts) {
      const owner = this.#ownerOf(key);
      if (owner === undefined || owner.id === found?.id) continue;
      // One contact, two users: the same person only where one side has no id to differ in.
      if ((owner.keyed && keys.keyed) || found !== undefined) {
        const isOutranked = rank < rankIn(owner.ranks, kind);
        return this.#repeating(owner, { isOther: true, outranks: isOutranked, user });
      }
      found = owner;
    }
    if (found !== undefined || keys.keyed) return { found };
    // The user has no id and is left out now, but had an id in an earlier export.
    const owner = this.#ownerOf(keys.identity);
    return { found: owner === undefined || isMet(owner) ? undefined : owner };
  }

  /** Why a row gets no contact that another user's row before it has, or reserves. */
  #taken(keys: UserKeys, contact: ClaimedContact, user: number | null): Repeating | null {
    const { key, kind, rank } = contact;
    const isOther = ({ keyed }: { readonly keyed: boolean }): boolean => keyed && keys.keyed;
    const { contact: earlier, reserved } = this.#held.of(key);
    if (earlier !== null) {
      const said = { isOther: isOther(earlier), outranks: rank < earlier.rank, user };
      return this.#repeating({ ...earlier, isRefused: false }, said);
    }
    const owner = this.#ownerOf(key);
    if (owner !== undefined && owner.id !== user && isMet(owner)) {
      const isOutranked = rank < rankIn(owner.ranks, kind);
      return this.#repeating(owner, { isOther: isOther(owner), outranks: isOutranked, user });
    }
    if (reserved === null || rank === RANK.verified || this.keeps(keys, key)) return null;
    return this.#repeating(reserved, { isOther: isOther(reserved), isReserved: true, user });
  }

  /**
   * Reserves the verified contacts of a user who is left out: a row with a lesser right gets none.
   *
   * @returns the row of another user who has one of them by a lesser right, or null
   */
  #reserve(
    { reserved, keyed }: UserKeys,
    number: number,
    own: KnownUser | undefined,
  ): RowRef | null {
    let holder: RowRef | null = null;
    for (const contact of reserved) {
      holder ??= this.#lesserHolder(contact, own);
      if (this.#held.of(contact.key).reserved !== null) continue;
      const first = { number, keyed, rank: RANK.verified, isRefused: true };
      this.#held.hold(contact.key, "reserved", first);
    }
    return holder;
  }

  #lesserHolder(
    { key, kind }: UserKeys["reserved"][number],
    own: KnownUser | undefined,
  ): RowRef | null {
    const first = this.#held.of(key).contact;
    if (first !== null) return first.rank === RANK.verified ? null : this.#placeOf(first.number);
    const owner = this.#ownerOf(key);
    if (owner === undefined || owner.id === own?.id || !isThere(owner)) return null;
    return rankIn(owner.ranks, kind) === RANK.verified ? null : owner.row;
  }

  /** Gives a new user the keys. */
  #enter({ identity, contacts, keyed, kind }: UserKeys, number: number): void {
    const first = { number, keyed, rank: RANK.verified, isRefused: kind === null };
    const own = contacts.find(({ key }) => key === identity);
    this.#held.hold(identity, "identity", { ...first, rank: own?.rank ?? RANK.verified });
    for (const { key, rank } of contacts) this.#held.hold(key, "contact", { ...first, rank });
  }

  /** Keeps what the row makes of a user whom earlier runs know. */
  #meet(keys: UserKeys, number: number, found: KnownUser, entry: Entry): void {
    const { plan, row, kind, identity } = keys;
    const ranks = kind === null ? found.ranks : ranksOf(keys.contacts);
    const keyed = keys.keyed || found.keyed;
    this.#held.meet({ ...found, plan, keyed, row, kind, ranks, number });
    this.#held.name(identity, found.id);
    // A finished user keeps the contacts they have, unless those of a changed row are sent.
    if (isFinishedEntry(entry)) return;
    for (const key of releasedBy({ keys, entry })) {
      // Another user may have taken it since.
      if (this.#held.of(key).claimed === found.id) this.#held.claim(key, null);
    }
    this.claim(keys, entry);
  }

  /** @param said what else there is to say of it */
  #repeating(
    first: FirstRow | KnownUser | MetUser,
    { isOther = false, ...said }: Partial<Repeating> & { readonly isOther?: boolean },
  ): Repeating {
    return {
      kind: isOther ? "duplicate_contact" : "duplicate",
      first: "row" in first ? first.row : this.#placeOf(first.number),
      outranks: false,
      isReserved: false,
      isRefused: "isRefused" in first && first.isRefused,
      number: "number" in first ? first.number : null,
      user: null,
      ...said,
    };
  }
}

const NOBODY: KnownUsers = {
  byId: () => undefined,
  contactsOf: () => [],
  isReplaced: () => false,
};

function isMet(user: KnownUser | MetUser): user is MetUser {
  return "number" in user;
}

/** Whether a user without an id has a better right to the contact that stands for it. */
function outranks({ keyed, contacts: [first] }: UserKeys, rank: Rank): boolean {
  return !keyed && first !== undefined && first.rank < rank;
}
