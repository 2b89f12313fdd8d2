/** Where the records of a run stand: which rows name one user, and what earlier runs know of whom. It finds duplicates; it writes nothing and decides nothing else. */

import type { Key } from "../plan/digests.js";
import { packRanks, RANK, type Rank, rankIn } from "../plan/rank.js";
import {
  type Duplicate,
  type OwnContact,
  type Previous,
  type UserKeys,
  type Entry,
  isFinishedEntry,
  NO_NOTICES_YET,
  type Touch,
  mayBeThere,
  mayHave,
  ranksOf,
  releasedBy,
  type Match,
} from "../plan/entry.js";
import { createReservations, type Reservations } from "./reservations.js";
import { type FirstRow, ROLE, type SeenKeys } from "../keys/seen-keys.js";
import { MAPPED, MARK, SAW_NOBODY } from "../plan/states.js";
import { Bitset } from "../keys/bitset.js";
import { MetUsers } from "./earlier-users.js";
import type { StoredUser } from "./stored-user.js";
import type { UserRows } from "./user-rows.js";

/** What earlier runs know, and the keys of this one. */
interface MatcherParts {
  readonly seenKeys: SeenKeys;
  readonly users: UserRows;
  /** A user's contacts as earlier runs know them. */
  readonly contactsOf: (user: number) => OwnContact[];
  /** The number of the next new user. */
  readonly nextId: number;
}

/** Which user a row is. It writes nothing, and decides nothing else. */
export class UserMatcher {
  /** The users of this run's rows. Beside users with an entry it has users whose contact another row has. */
  readonly met: MetUsers;
  /** Whether a finished user of an earlier run was met. */
  metFinished = false;
  readonly #seen = new Bitset();
  readonly #seenKeys: SeenKeys;
  readonly #users: UserRows;
  readonly #contactsOf: MatcherParts["contactsOf"];
  readonly #reservations: Reservations;
  #nextId: number;
  // What users of earlier runs have claimed in this run and the tables don't hold yet. Null for a
  // contact that is free from now on.
  readonly #claimedIdentities = new Map<Key, StoredUser>();
  readonly #claimedContacts = new Map<Key, StoredUser | null>();
  // The same for those whom other keys of the tables may lead to.
  readonly #claimedEntries = new Map<number, StoredUser>();

  constructor({ seenKeys, users, contactsOf, nextId }: MatcherParts) {
    this.#seenKeys = seenKeys;
    this.#users = users;
    this.#contactsOf = contactsOf;
    this.#nextId = nextId;
    this.met = new MetUsers(nextId);
    this.#reservations = createReservations({
      seenKeys,
      keeps: (keys, contact) => this.keeps(keys, contact),
      holderOf: (contact) => {
        const owner = this.#findContact(contact);
        return owner !== undefined && isThere(owner) ? owner : undefined;
      },
    });
  }

  /** Says which user a row is, and marks that user as met. */
  match(keys: UserKeys, scope: number): Match {
    const matched = this.#find(keys);
    if (!("found" in matched)) return matched;
    const { found } = matched;
    const holder = this.#reservations.add(keys, found);
    const entry =
      found === undefined ? this.#assignId(keys, scope) : this.entryOf(keys, found, scope);
    this.#seen.add(entry.id);
    this.met.add(entry.id);
    if (found !== undefined) {
      this.metFinished ||= isFinishedEntry(entry);
      this.#remember(keys, entry, found);
    }
    return { kind: "entry", entry, holder };
  }

  /** Claims the contacts of a finished user's new plan; others' are claimed as they are met. */
  claim(keys: UserKeys, entry: Entry): void {
    const claim = this.#claimedEntries.get(entry.id);
    if (claim === undefined) return;
    for (const { key } of keys.contacts) this.#claimedContacts.set(key, claim);
  }

  /** From here on the tables know the record; what another user has claimed since stays. */
  free({ keys, entry }: Pick<Touch, "keys" | "entry">): void {
    if (!this.#claimedEntries.delete(entry.id)) return;
    this.#claimedIdentities.delete(keys.identity);
    for (const { key } of keys.contacts) {
      if (this.#claimedContacts.get(key)?.id === entry.id) this.#claimedContacts.delete(key);
    }
    for (const key of releasedBy({ keys, entry })) {
      if (this.#claimedContacts.get(key) === null) this.#claimedContacts.delete(key);
    }
  }

  #findIdentity(key: Key): StoredUser | undefined {
    const claimed = this.#claimedIdentities.get(key);
    if (claimed !== undefined) return claimed;
    const stored = this.#users.byIdentity(key);
    const claim = stored && this.#claimedEntries.get(stored.id);
    if (claim === undefined) return stored;
    // A user who has got an id since is known by that alone, whether it is written yet or not.
    return claim.keyed && !stored?.keyed ? undefined : claim;
  }

  /** @param found who needn't be looked for again */
  #findContact(key: Key, found?: StoredUser): StoredUser | undefined {
    const claim = this.#claimedContacts.get(key);
    if (claim !== undefined) return claim ?? undefined;
    const owner = this.#users.ownerOf(key);
    if (owner === undefined) return undefined;
    return owner === found?.id
      ? found
      : (this.#claimedEntries.get(owner) ?? this.#users.byId(owner));
  }

  /** Whether the user whom a row's id names is, or may be, at the core with a contact since an earlier run. */
  keeps({ identity, keyed }: UserKeys, contact: Key): boolean {
    const owner = keyed ? this.#findContact(contact) : undefined;
    return owner !== undefined && owner.id === this.#findIdentity(identity)?.id && isThere(owner);
  }

  /** Why a row gets no contact that another user's row before it has, or reserves. */
  #takenInRun(
    keys: UserKeys,
    contact: UserKeys["contacts"][number],
    own: StoredUser | undefined,
  ): Duplicate | null {
    const { key, kind, rank } = contact;
    const isOther = ({ keyed }: { readonly keyed: boolean }): boolean => keyed && keys.keyed;
    const earlier = this.#seenKeys.find(key, ROLE.contact);
    if (earlier !== undefined) return duplicate(earlier, isOther(earlier), rank < earlier.rank);
    const owner = this.#findContact(key, own);
    if (owner !== undefined && owner.id !== own?.id && this.#seen.has(owner.id)) {
      return duplicate(owner, isOther(owner), rank < rankIn(owner.ranks, kind));
    }
    const reserved = this.#reservations.against(keys, contact);
    if (reserved === undefined) return null;
    return { ...duplicate(reserved, isOther(reserved), false), isReserved: true, isRefused: true };
  }

  /** The entry that a record belongs to, undefined for a new one; or why it has none. */
  #find(keys: UserKeys): Duplicate | { readonly found: StoredUser | undefined } {
    const first = this.#seenKeys.find(keys.identity, ROLE.identity);
    // Of a user without an id the identity is the contact.
    if (first !== undefined) return duplicate(first, false, outranks(keys, first.rank));
    let found = this.#findIdentity(keys.identity);
    if (found !== undefined) {
      this.met.add(found.id);
      if (this.#seen.has(found.id))
        return duplicate(
          { ...found, isRefused: !isFinishedEntry(found) && found.kind === null },
          false,
          false,
        );
    }
    // First what rows of this run have taken, whatever else is known of a user: so every run says the same.
    for (const contact of keys.contacts) {
      const taken = this.#takenInRun(keys, contact, found);
      if (taken !== null) return taken;
    }
    for (const { key, kind, rank } of keys.contacts) {
      const owner = this.#findContact(key, found);
      if (owner === undefined || owner.id === found?.id) continue;
      // One contact, two users: the same person only where one side has no id to differ in.
      if ((owner.keyed && keys.keyed) || found !== undefined) {
        return duplicate(owner, true, rank < rankIn(owner.ranks, kind));
      }
      found = owner;
    }
    if (found !== undefined || keys.keyed) return { found };
    // The user has no id and is left out now, but had an id in an earlier export.
    const owner = this.#findContact(keys.identity);
    return { found: owner === undefined || this.#seen.has(owner.id) ? undefined : owner };
  }

  #previousOf({ id, plan, kind }: StoredUser, keys: UserKeys): Previous {
    const isReplaced = this.#users.isReplaced(id, keys.plan);
    return { plan, kind, contacts: this.#contactsOf(id), isReplaced };
  }

  /** @param found as the tables have the user */
  entryOf(keys: UserKeys, found: StoredUser, scope: number): Entry {
    const { id, state, sawNobody, mapped, parts, notices, ranks, row: last } = found;
    const samePlan = found.plan === keys.plan && sawNobody !== SAW_NOBODY.underAnotherPlan;
    const previous = samePlan ? null : this.#previousOf(found, keys);
    const hasTried = previous?.contacts.some(({ mark }) => mark === MARK.tried) === true;
    const tried = hasTried || sawNobody !== SAW_NOBODY.no;
    const { row } = keys;
    const isElsewhere = last.number !== row.number || last.file !== row.file;
    const hasOtherRight = samePlan && packRanks(ranks) !== packRanks(ranksOf(keys));
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

  /** Keeps what is known of a record until its entry is written. */
  #remember(keys: UserKeys, entry: Entry, found: StoredUser): void {
    const { plan, row, kind, identity } = keys;
    const ranks = kind === null ? found.ranks : ranksOf(keys);
    const keyed = keys.keyed || found.keyed;
    const claim: StoredUser = { ...found, plan, keyed, row, kind, ranks, scope: entry.scope };
    this.#claimedEntries.set(entry.id, claim);
    this.#claimedIdentities.set(identity, claim);
    // The tables know this user by the id alone, and the row's contact has stood for them in this run.
    if (!keys.keyed && found.keyed) {
      this.#seenKeys.add(identity, ROLE.identity, {
        id: found.id,
        keyed,
        rank: RANK.verified,
        row,
      });
    }
    // A finished user keeps the contacts they have, unless those of a changed row are sent.
    if (isFinishedEntry(entry)) return;
    for (const key of releasedBy({ keys, entry })) this.#claimedContacts.set(key, null);
    for (const { key } of keys.contacts) this.#claimedContacts.set(key, claim);
  }

  /** Gives a new user the keys, for as long as the run goes on. */
  #assignId(keys: UserKeys, scope: number): Entry {
    const { identity, contacts, keyed, row, kind } = keys;
    const id = this.#nextId++;
    let roles: number = ROLE.identity;
    let own: Rank = RANK.verified;
    for (const { key, rank } of contacts) {
      if (key === identity) {
        roles |= ROLE.contact;
        own = rank;
      } else this.#seenKeys.add(key, ROLE.contact, { id, keyed, rank, row });
    }
    this.#seenKeys.add(identity, roles, { id, keyed, rank: own, isRefused: kind === null, row });
    return newEntry(id, scope);
  }
}

/** A user of an earlier run who is, or may be, at the core. */
function isThere({ state, sawNobody }: StoredUser): boolean {
  return isFinishedEntry({ state }) || mayBeThere({ state, tried: sawNobody !== SAW_NOBODY.no });
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

function duplicate(
  { row, isRefused = false }: Pick<FirstRow, "row" | "isRefused">,
  isOther: boolean,
  outranksFirst: boolean,
): Duplicate {
  const kind = isOther ? "duplicate_contact" : "duplicate";
  return { kind, first: row, outranks: outranksFirst, isReserved: false, isRefused };
}

/** Whether a user without an id has a better right to the contact that stands for it. */
function outranks({ keyed, contacts: [first] }: UserKeys, rank: Rank): boolean {
  return !keyed && first !== undefined && first.rank < rank;
}
