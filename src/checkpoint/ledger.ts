/** The ledger: one entry a user. It keeps intents and outcomes durable, many in one transaction; which user a row is, the stage says. */

import type { Database, Statement } from "../sqlite/database.js";
import type { Commit } from "../sqlite/group-commit.js";
import type { RowRef } from "../events/events.js";
import type { Key } from "../plan/digests.js";
import { isNews, UserWrites } from "./user-writes.js";
import { type ClaimedIds, createClaimedIds } from "./core-ids.js";
import {
  type Entry,
  entryOf,
  type IntentWrite,
  isFinishedEntry,
  type KnownUser,
  newEntry,
  type Notices,
  type OutcomeWrite,
  type OwnContact,
  type Touch,
  type UserKeys,
} from "../plan/entry.js";
import type { Entries } from "./entries.js";
import { EarlierUsers } from "./earlier-users.js";
import { FileIds, NoticeSets, type Scope, Scopes } from "./numbered.js";
import { broughtUsers } from "./finished-users.js";
import type { KeyMap } from "../sqlite/key-map.js";
import { Gathering, type Writes } from "./gathering.js";
import { StoredUsers } from "./stored-users.js";

/** The ledger of a checkpoint. */
export class Ledger implements Entries {
  readonly database: Database;
  readonly #files: FileIds;
  /** The numbers of what is told of users. */
  readonly notices: NoticeSets;
  readonly #scopes: Scopes;
  #scope: { readonly names: Scope; readonly id: number } | null = null;
  readonly #coreId: Statement<[string | null]>;
  readonly #claimedIds: ClaimedIds;
  readonly #writes: UserWrites;
  readonly #gathering: Gathering;
  readonly #stored: StoredUsers;
  /** The users of earlier runs; null where there are none. */
  readonly users: StoredUsers | null;
  #expected: ReadonlyMap<number, KnownUser> = new Map();
  #nextId: number;
  readonly earlier: EarlierUsers;

  /**
   * @param commit the group commit of the same database
   * @param ids empty
   */
  constructor(database: Database, commit: Commit, ids: KeyMap) {
    this.database = database;
    this.#files = new FileIds(database);
    this.earlier = new EarlierUsers(database, this.#files);
    const { last } = this.earlier;
    this.notices = new NoticeSets(database);
    this.#scopes = new Scopes(database);
    this.#coreId = database.prepare<[string | null]>("SELECT core_id FROM users WHERE id = ?");
    this.#claimedIds = createClaimedIds(
      ids,
      () => broughtUsers(database),
      last,
      (user) => this.earlier.rowOf(user) ?? { file: "", number: 0 },
    );
    this.#writes = new UserWrites(database, this.#files, this.notices);
    this.#stored = new StoredUsers(database, this.#files, this.notices);
    this.users = last === 0 ? null : this.#stored;
    this.#nextId = last + 1;
    this.#gathering = new Gathering(commit, (writes) => this.#write(writes));
  }

  expect(users: readonly number[]): void {
    this.#expected = this.users?.byIds(users) ?? new Map();
  }

  entryOf(keys: UserKeys, user: number | null, scopeNames: Scope): Entry {
    // The rows of one input have one.
    if (scopeNames !== this.#scope?.names) {
      this.#scope = { names: scopeNames, id: this.#scopes.idOf(scopeNames) };
      this.earlier.read(this.#scope.id);
    }
    const scope = this.#scope.id;
    if (user === null || this.users === null) {
      return newEntry(this.#nextId++, scope);
    }
    const found = this.#expected.get(user) ?? this.users.byId(user);
    if (found === undefined) throw new RangeError(`The checkpoint has no user ${user}.`);
    this.earlier.meet(found);
    return entryOf(keys, found, scope, this.users);
  }

  meet(user: number): void {
    const found = this.#expected.get(user);
    if (found !== undefined) this.earlier.pass(found);
  }

  isMended(user: number, plan: Key): boolean {
    const found = this.#expected.get(user);
    return found !== undefined && isFinishedEntry(found) && this.#stored.isMended(user, plan);
  }

  /**
   * The entries of rows of this run that are sent once more.
   *
   * @param userOf the number of a row's user
   * @param changed called for a row that says something else by now; it throws
   */
  entriesAgain(
    userOf: (row: RowRef) => number | undefined,
    changed: (row: RowRef) => never,
  ): Entries {
    const stored = this.#stored;
    return {
      expect() {},
      entryOf: (keys, _user, scopeNames) => {
        const found = stored.byId(userOf(keys.row) ?? 0);
        if (found === undefined || found.plan !== keys.plan) return changed(keys.row);
        return entryOf(keys, found, this.#scopes.idOf(scopeNames), stored);
      },
      meet() {},
      isMended: () => false,
      coreIdOf: (entryId) => this.coreIdOf(entryId),
    };
  }

  coreIdOf(entryId: number): string | null {
    return this.#coreId.get(entryId)?.[0] ?? null;
  }

  /**
   * Gives an id to a user whom the core says to be new.
   *
   * @returns the row of another user of this migration who has it, or null
   * @throws RunError `disk`
   */
  claimId(coreId: string, entryId: number): RowRef | null {
    return this.#claimedIds.claim(coreId, entryId);
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
    const all = [...intents, ...touched];
    for (const { keys } of all) this.#files.idOf(keys.row.file);
    this.#nameNotices(all);
    const changed = touched.filter((touch) => touch.entry.gainsId || isNews(touch));
    if (intents.length + changed.length === 0) return;
    const writes = { intents, touched: changed };
    await (gathered ? this.#gathering.add(writes) : this.#gathering.addBatch(writes));
  }

  /** Makes outcomes durable, in one transaction with others of the same moment. */
  settle(outcomes: readonly OutcomeWrite[]): Promise<void> {
    this.#nameNotices(outcomes);
    return this.#gathering.add({ outcomes });
  }

  /** The same at once: all of a batch, or of a page. */
  settleAll(outcomes: readonly OutcomeWrite[]): Promise<void> {
    this.#nameNotices(outcomes);
    return outcomes.length === 0 ? Promise.resolve() : this.#gathering.addBatch({ outcomes });
  }

  /** Outside of the shared transaction: a number that was given must not be rolled back. */
  #nameNotices(writes: readonly { readonly notices: Notices | null }[]): void {
    for (const { notices } of writes) if (notices !== null) this.notices.idOf(notices);
  }

  /** The contacts that a user has, had or is about to have. */
  contactsOf(user: number): readonly OwnContact[] {
    return this.#stored.contactsOf(user);
  }

  #write({ intents, touched, outcomes }: Writes): void {
    const added: IntentWrite[] = [];
    const known: IntentWrite[] = [];
    for (const intent of intents) (intent.entry.state === null ? added : known).push(intent);
    this.#writes.insert(added);
    for (const intent of known) this.#writes.update(intent);
    for (const user of touched) this.#writes.touch(user);
    this.#writes.settle(outcomes);
  }
}
