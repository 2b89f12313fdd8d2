/** The ledger: one entry a user. It keeps intents and outcomes durable, many in one transaction; the matcher says which user a record is. */

import type { Database } from "../sqlite/database.js";
import type { Commit } from "../sqlite/group-commit.js";
import type { Key } from "../plan/digests.js";
import type { RowRef } from "../events/events.js";
import { type Absent, findAbsent } from "./absent.js";
import { createContactRows } from "./contact-rows.js";
import { createClaimedIds } from "./claimed-ids.js";
import { createCoreIds } from "./core-ids.js";
import {
  type IntentWrite,
  type UserKeys,
  type Entry,
  hasContact,
  isFinishedEntry,
  type Touch,
  releasedBy,
  type OutcomeWrite,
  type Match,
} from "../plan/entry.js";
import { createFileIds } from "./file-ids.js";
import { createFinishedUsers } from "./finished-users.js";
import { createKeyIndex } from "./key-index.js";
import type { SeenKeys } from "../keys/seen-keys.js";
import { MARK } from "../plan/states.js";
import { createScopes, type Scope } from "./scopes.js";
import { createSettling } from "./settling.js";
import { createUserMatcher } from "./matcher.js";
import { createUserRows, NO_USERS } from "./user-rows.js";
import { createUserWrites, ownOf } from "./user-writes.js";

/** Matches records with their users, and writes nothing. */
export interface Matcher {
  /** Prepares to match these records, before anything is written. */
  expect(users: readonly UserKeys[]): void;
  /**
   * Matches a record with its entry and marks its user as met in this run. Nothing is written. Later
   * records see this one until its entry is written, so every record with an entry must go into
   * {@link Ledger.writeIntents}. Records come in the order of their rows.
   *
   * @throws RunError `disk`
   */
  match(keys: UserKeys, scope: Scope): Match;
  /** Claims the contacts of a finished user's new plan; others' are claimed as they are met. */
  claim(keys: UserKeys, entry: Entry): void;
  /** Whether the user whom a row's id names is, or may be, at the core with a contact since an earlier run. */
  keeps(keys: UserKeys, contact: Key): boolean;
  /** The id at the core of a finished user; null where none is kept. */
  coreIdOf(entryId: number): string | null;
}

export interface Ledger extends Matcher {
  /**
   * Gives an id to a user whom the core says to be new.
   *
   * @returns the row of another user of this migration who has it, or null
   * @throws RunError `disk`
   */
  claimId(coreId: string, entryId: number, row: RowRef): RowRef | null;
  /**
   * Makes intents, and outcomes that need no call, durable in one transaction. Of the users who
   * are touched it notes only a new id and a new row.
   */
  writeIntents(intents: readonly IntentWrite[], touched?: readonly Touch[]): Promise<void>;
  /** Makes an outcome durable, in one transaction with others of the same moment. */
  settle(outcome: OutcomeWrite): Promise<void>;
  /** Makes durable that a finished user is known by the vendor's id from now on. */
  settleMapping(entryId: number): Promise<void>;
  /** Ids at the core of up to `limit` randomly chosen finished users. */
  sampleCoreIds(limit: number): string[];
  /**
   * Users of earlier runs, and of the scopes met in this one, who are or may be at the core and
   * whom this run hasn't met. None where it met no user of an earlier run: then these are other
   * users' exports, not newer ones.
   */
  absent(): Absent;
}

/**
 * @param commit the group commit of the same database
 * @param seenKeys empty
 */
export function createLedger(database: Database, commit: Commit, seenKeys: SeenKeys): Ledger {
  const last = Number(database.prepare("SELECT max(id) FROM users").all()[0]?.[0] ?? 0);
  const files = createFileIds(database);
  const scopes = createScopes(database);
  const scopesMet = new Set<number>();
  const contacts = createContactRows(database);
  const coreIds = createCoreIds(database);
  const claimedIds = createClaimedIds(seenKeys, () => createFinishedUsers(database).all(), last);
  const writes = createUserWrites(database, files);
  const index = createKeyIndex(database, last);
  const users = last === 0 ? NO_USERS : createUserRows(database, files, index);
  const matcher = createUserMatcher({
    seenKeys,
    users,
    contactsOf(user) {
      // Whose contacts are asked for, theirs may change.
      index.complete();
      return contacts.of(user);
    },
    nextId: last + 1,
  });
  const settling = createSettling(commit, (outcomes) => {
    writes.settle(outcomes);
    for (const { entryId, updated } of outcomes) {
      for (const key of updated?.came ?? []) contacts.mark(entryId, key, MARK.held);
      for (const key of updated?.left ?? []) contacts.mark(entryId, key, MARK.left);
    }
  });

  const insert = (intents: readonly IntentWrite[]): void => {
    writes.insert(intents);
    for (const { keys, entry } of intents) {
      if (keys.contacts.length < 2) continue;
      const own = ownOf(keys.contacts);
      for (const contact of keys.contacts) {
        if (!own.includes(contact)) contacts.put(entry.id, contact, MARK.held);
      }
    }
  };

  const update = (intent: IntentWrite): void => {
    writes.update(intent);
    const { keys, entry } = intent;
    const { id, previous, tried } = entry;
    // The same plan has the same contacts.
    if (previous === null) return;
    const had = previous.contacts;
    if (isFinishedEntry(entry)) {
      const coming = keys.contacts.filter((one) => !had.some(({ key }) => key === one.key));
      for (const contact of coming) contacts.put(id, contact, MARK.coming);
      return;
    }
    for (const key of releasedBy(intent)) contacts.remove(id, key);
    for (const { key } of had) {
      if (tried && !hasContact(keys, key)) contacts.mark(id, key, MARK.tried);
    }
    for (const contact of keys.contacts) contacts.put(id, contact, MARK.held);
  };

  return {
    expect: matcher.expect,
    match(keys, scopeNames) {
      const scope = scopes.idOf(scopeNames);
      scopesMet.add(scope);
      return matcher.match(keys, scope);
    },
    claim: matcher.claim,
    keeps: matcher.keeps,
    coreIdOf: coreIds.of,
    claimId: claimedIds.claim,
    async writeIntents(intents, touched = []) {
      users.forget();
      // Outside of the shared transaction: a number that was given must not be rolled back.
      for (const { keys } of intents) files.idOf(keys.row.file);
      for (const { keys } of touched) files.idOf(keys.row.file);
      const added = intents.filter(({ entry }) => entry.state === null);
      const known = intents.filter(({ entry }) => entry.state !== null);
      const changed = touched.filter(({ entry }) => entry.moved || entry.gainsId);
      if (intents.length + changed.length > 0) {
        settling.hurry();
        await commit.run(() => {
          insert(added);
          for (const intent of known) update(intent);
          for (const user of changed) writes.touch(user);
        });
      }
      for (const intent of known) matcher.free(intent);
      for (const user of touched) matcher.free(user);
    },
    settle: settling.settle,
    settleMapping: (entryId) => commit.run(() => writes.settleMapping(entryId)),
    sampleCoreIds: coreIds.sample,
    absent: () =>
      matcher.metFinished
        ? findAbsent(database, { met: matcher.met, scopes: [...scopesMet], files })
        : { count: 0, rows: [], sourceIds: [] },
  };
}

/** The book of a dry run. It knows no users of earlier runs and keeps nothing. */
export function inMemoryMatcher(seenKeys: SeenKeys): Matcher {
  const matcher = createUserMatcher({ seenKeys, users: NO_USERS, contactsOf: () => [], nextId: 1 });
  return {
    expect: matcher.expect,
    match: (keys) => matcher.match(keys, 0),
    claim: matcher.claim,
    keeps: matcher.keeps,
    coreIdOf: () => null,
  };
}
