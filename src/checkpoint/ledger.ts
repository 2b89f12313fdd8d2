/** The ledger: one entry a user. It keeps intents and outcomes durable, many in one transaction; the matcher says which user a record is. */

import type { Database, Statement } from "../sqlite/database.js";
import type { Commit } from "../sqlite/group-commit.js";
import type { Among } from "../plan/contests.js";
import type { Key } from "../plan/digests.js";
import type { RowRef } from "../events/events.js";
import { type Absent, findAbsent } from "./absent.js";
import { type ContactRows, createContactRows, isNews, ownOf, UserWrites } from "./user-writes.js";
import { type ClaimedIds, createClaimedIds } from "./claimed-ids.js";
import {
  type Entry,
  hasContact,
  type IntentWrite,
  isFinishedEntry,
  type Match,
  type OutcomeWrite,
  releasedBy,
  type Touch,
  type UserKeys,
} from "../plan/entry.js";
import { EarlierUsers } from "./earlier-users.js";
import { createFileIds, type FileIds } from "./file-ids.js";
import { broughtUsers, createFinishedUsers } from "./finished-users.js";
import { createKeyIndex } from "./key-index.js";
import type { SeenKeys } from "../keys/seen-keys.js";
import { MARK } from "../plan/states.js";
import { Gathering, type Writes } from "./gathering.js";
import { createNoticeSets, type NoticeSets } from "./notice-sets.js";
import { createScopes, type Scope, type Scopes } from "./scopes.js";
import { newEntry, UserMatcher } from "./matcher.js";
import { unpackId } from "./packed-id.js";
import { NO_USERS, StoredRows, type UserRows } from "./user-rows.js";

/** Matches records with their users, and writes nothing. */
export interface Matcher {
  /** Prepares to match these records, before anything is written. */
  expect(users: readonly UserKeys[]): void;
  /**
   * Matches a record with its entry and marks its user as met in this run. Nothing is written. Later
   * records see this one until its entry is written, so every record with an entry must go into
   * {@link Ledger.writeIntents}. Records come in the order of their rows.
   *
   * @param among what all rows of the run make of the record's, as far as that is known
   * @throws RunError `disk`
   */
  match(keys: UserKeys, scope: Scope, among?: Among): Match;
  /** Claims the contacts of a finished user's new plan; others' are claimed as they are met. */
  claim(keys: UserKeys, entry: Entry): void;
  /** Whether the user whom a row's id names is, or may be, at the core with a contact since an earlier run. */
  keeps(keys: UserKeys, contact: Key): boolean;
  /** The id at the core of a finished user; null where none is kept. */
  coreIdOf(entryId: number): string | null;
}

/** The ledger of a checkpoint. */
export class Ledger implements Matcher {
  readonly #database: Database;
  readonly #files: FileIds;
  /** The numbers of what is told of users. */
  readonly notices: NoticeSets;
  readonly #scopes: Scopes;
  readonly #scopesMet = new Set<number>();
  readonly #contacts: ContactRows;
  readonly #coreId: Statement<[Buffer | string | null]>;
  readonly #claimedIds: ClaimedIds;
  readonly #writes: UserWrites;
  readonly #users: UserRows;
  readonly #stored: () => UserRows;
  readonly #matcher: UserMatcher;
  readonly #gathering: Gathering;
  readonly earlier: EarlierUsers;

  /**
   * @param commit the group commit of the same database
   * @param seenKeys empty
   */
  constructor(database: Database, commit: Commit, seenKeys: SeenKeys) {
    const last = Number(database.prepare("SELECT max(id) FROM users").all()[0]?.[0] ?? 0);
    const contacts = createContactRows(database);
    const index = createKeyIndex(database, last);
    this.#database = database;
    this.#files = createFileIds(database);
    this.notices = createNoticeSets(database);
    this.#scopes = createScopes(database);
    this.#contacts = contacts;
    this.#coreId = database.prepare<[Buffer | string | null]>(
      "SELECT core_id FROM users WHERE id = ?",
    );
    this.#claimedIds = createClaimedIds(seenKeys, () => broughtUsers(database), last);
    this.#writes = new UserWrites(database, this.#files, this.notices);
    this.#stored = () => new StoredRows(database, this.#files, this.notices, index);
    this.#users = last === 0 ? NO_USERS : this.#stored();
    this.#matcher = new UserMatcher({
      seenKeys,
      users: this.#users,
      contactsOf(user) {
        // A user whose contacts are asked for may get other ones.
        index.complete();
        return contacts.of(user);
      },
      nextId: last + 1,
    });
    this.earlier = new EarlierUsers(database, this.#files, this.#matcher.met, last);
    this.#gathering = new Gathering(commit, (writes) => this.#write(writes));
  }

  expect(users: readonly UserKeys[]): void {
    this.#users.expect(users);
  }

  match(keys: UserKeys, scopeNames: Scope): Match {
    const scope = this.#scopes.idOf(scopeNames);
    this.#scopesMet.add(scope);
    return this.#matcher.match(keys, scope);
  }

  /**
   * The matcher of rows of this run that are read once more.
   *
   * @param userOf the number of a row's user
   * @param changed called for a row that says something else by now; it throws
   */
  rematcher(userOf: (row: RowRef) => number | undefined, changed: (row: RowRef) => never): Matcher {
    const stored = this.#stored();
    return {
      expect() {},
      match: (keys, scopeNames) => {
        const found = stored.byId(userOf(keys.row) ?? 0);
        if (found === undefined || found.plan !== keys.plan) return changed(keys.row);
        const entry = this.#matcher.entryOf(keys, found, this.#scopes.idOf(scopeNames));
        return { kind: "entry", entry, holder: null };
      },
      claim() {},
      keeps: (keys, contact) => this.keeps(keys, contact),
      coreIdOf: (entryId) => this.coreIdOf(entryId),
    };
  }

  claim(keys: UserKeys, entry: Entry): void {
    this.#matcher.claim(keys, entry);
  }

  keeps(keys: UserKeys, contact: Key): boolean {
    return this.#matcher.keeps(keys, contact);
  }

  coreIdOf(entryId: number): string | null {
    const packed = this.#coreId.get(entryId)?.[0] ?? null;
    return packed === null ? null : unpackId(packed);
  }

  /**
   * Gives an id to a user whom the core says to be new.
   *
   * @returns the row of another user of this migration who has it, or null
   * @throws RunError `disk`
   */
  claimId(coreId: string, entryId: number, row: RowRef): RowRef | null {
    return this.#claimedIds.claim(coreId, entryId, row);
  }

  /**
   * Makes intents, and outcomes that need no call, durable in one transaction. Of the users who
   * are touched it notes only a new id, a new row, another right to a contact and what is told anew.
   *
   * @param gathered whether the transaction waits for others of the same moment: for users who come
   *   one by one
   */
  async writeIntents(
    intents: readonly IntentWrite[],
    touched: readonly Touch[] = [],
    gathered = false,
  ): Promise<void> {
    // Outside of the shared transaction: a number that was given must not be rolled back.
    for (const { keys, notices } of [...intents, ...touched]) {
      this.#files.idOf(keys.row.file);
      this.notices.idOf(notices);
    }
    const changed = touched.filter((touch) => touch.entry.gainsId || isNews(touch));
    if (intents.length + changed.length > 0) {
      await this.#gathering.intend(intents, changed, gathered);
    }
    this.#users.forget();
    for (const user of intents) this.#matcher.free(user);
    for (const user of touched) this.#matcher.free(user);
  }

  /** Makes an outcome durable, in one transaction with others of the same moment. */
  settle(outcome: OutcomeWrite): Promise<void> {
    if (outcome.notices !== null) this.notices.idOf(outcome.notices);
    return this.#gathering.settle(outcome);
  }

  /** Makes outcomes durable in one transaction: all of a batch, or of a page. */
  settleAll(outcomes: readonly OutcomeWrite[]): Promise<void> {
    for (const { notices } of outcomes) if (notices !== null) this.notices.idOf(notices);
    return outcomes.length === 0 ? Promise.resolve() : this.#gathering.settleAll(outcomes);
  }

  /** Ids at the core of up to `limit` randomly chosen finished users. */
  sampleCoreIds(limit: number): string[] {
    return createFinishedUsers(this.#database)
      .sample(limit, Math.random)
      .flatMap(({ coreId }) => coreId ?? []);
  }

  /**
   * Users of earlier runs, and of the scopes met in this one, who are or may be at the core and
   * whom this run hasn't met. None where it met no user of an earlier run: then these are other
   * users' exports, not newer ones.
   */
  absent(): Absent {
    const { met, metFinished } = this.#matcher;
    if (!metFinished) return { count: 0, rows: [], sourceIds: [] };
    return findAbsent(this.#database, { met, scopes: [...this.#scopesMet], files: this.#files });
  }

  #write({ intents, touched, outcomes }: Writes): void {
    const added: IntentWrite[] = [];
    const known: IntentWrite[] = [];
    for (const intent of intents) (intent.entry.state === null ? added : known).push(intent);
    this.#insert(added);
    for (const intent of known) this.#update(intent);
    for (const user of touched) this.#writes.touch(user);
    this.#settle(outcomes);
  }

  #insert(intents: readonly IntentWrite[]): void {
    this.#writes.insert(intents);
    for (const { keys, entry } of intents) {
      if (keys.contacts.length < 2) continue;
      const own = ownOf(keys.contacts);
      for (const contact of keys.contacts) {
        if (!own.includes(contact)) this.#contacts.put(entry.id, contact, MARK.held);
      }
    }
  }

  #update(intent: IntentWrite): void {
    this.#writes.update(intent);
    const { keys, entry } = intent;
    const { id, previous, tried } = entry;
    // The same plan has the same contacts.
    if (previous === null) return;
    const had = previous.contacts;
    if (isFinishedEntry(entry)) {
      const coming = keys.contacts.filter((one) => !had.some(({ key }) => key === one.key));
      for (const contact of coming) this.#contacts.put(id, contact, MARK.coming);
      return;
    }
    for (const key of releasedBy(intent)) this.#contacts.remove(id, key);
    for (const { key } of had) {
      if (tried && !hasContact(keys, key)) this.#contacts.mark(id, key, MARK.tried);
    }
    for (const contact of keys.contacts) this.#contacts.put(id, contact, MARK.held);
  }

  #settle(outcomes: readonly OutcomeWrite[]): void {
    this.#writes.settle(outcomes);
    for (const { entryId, updated } of outcomes) {
      for (const key of updated?.came ?? []) this.#contacts.mark(entryId, key, MARK.held);
      for (const key of updated?.left ?? []) this.#contacts.mark(entryId, key, MARK.left);
    }
  }
}

/** The matcher of a run that knows no users of earlier ones: what all of its rows say is all there is. */
export function createNobodyKnown(): Matcher {
  let users = 0;
  return {
    expect() {},
    match(_keys, _scope, among) {
      if (among?.duplicate != null) return among.duplicate;
      users += 1;
      return { kind: "entry", entry: newEntry(users, 0), holder: among?.holder ?? null };
    },
    claim() {},
    keeps: () => false,
    coreIdOf: () => null,
  };
}

/** A matcher that knows no users of earlier runs and keeps nothing, for rows that come one by one. */
export function inMemoryMatcher(seenKeys: SeenKeys): Matcher {
  const matcher = new UserMatcher({
    seenKeys,
    users: NO_USERS,
    contactsOf: () => [],
    nextId: 1,
  });
  return {
    expect() {},
    match: (keys) => matcher.match(keys, 0),
    claim: (keys, entry) => matcher.claim(keys, entry),
    keeps: (keys, contact) => matcher.keeps(keys, contact),
    coreIdOf: () => null,
  };
}
