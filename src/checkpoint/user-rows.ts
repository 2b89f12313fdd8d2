/** The users' rows in the checkpoint: who is known from earlier runs, by which key. It reads, and decides nothing. */

import type { Database, Statement } from "../sqlite/database.js";
import { type Key, keyBlob } from "../plan/digests.js";
import type { UserKeys } from "../plan/entry.js";
import type { FileIds } from "./file-ids.js";
import type { KeyIndex } from "./key-index.js";
import { COLUMNS, type StoredUser, storedUserOf, type UserRow } from "./stored-user.js";
import { createSequentialLookup, type SequentialLookup } from "./sequential-lookup.js";

/** The users of earlier runs. */
export interface UserRows {
  /**
   * Looks for all keys of these records at once, which takes a third of the time of one by one.
   * What is found counts until {@link forget}.
   */
  expect(users: readonly UserKeys[]): void;
  /** Something is about to be written: what was found before counts no more. */
  forget(): void;
  byIdentity(key: Key): StoredUser | undefined;
  /** The number of the user who has a contact. */
  ownerOf(contact: Key): number | undefined;
  byId(id: number): StoredUser | undefined;
  /** Whether a newer export has replaced this plan of a user's. */
  isReplaced(user: number, plan: Key): boolean;
}

/** No user is known. */
export const NO_USERS: UserRows = {
  expect: () => {},
  forget: () => {},
  byIdentity: () => undefined,
  ownerOf: () => undefined,
  byId: () => undefined,
  isReplaced: () => false,
};

/** Those that the checkpoint's tables hold. */
export class StoredRows implements UserRows {
  readonly #files: FileIds;
  readonly #index: KeyIndex;
  readonly #byIdentity: Statement<UserRow>;
  readonly #byId: Statement<UserRow>;
  readonly #owner: Statement<[number]>;
  readonly #allByIdentity: Statement<[number, ...UserRow]>;
  readonly #owners: Statement<[number, number]>;
  readonly #former: Statement;
  readonly #neighbors: SequentialLookup;
  #identities = new Map<Key, StoredUser | undefined>();
  #contacts = new Map<Key, number | undefined>();

  constructor(database: Database, files: FileIds, index: KeyIndex) {
    this.#files = files;
    this.#index = index;
    this.#byIdentity = database.prepare(
      `SELECT ${COLUMNS} FROM identities i JOIN users u ON u.id = i.user WHERE i.key = ?`,
    );
    this.#byId = database.prepare(`SELECT ${COLUMNS} FROM users u WHERE u.id = ?`);
    this.#owner = database.prepare("SELECT user FROM contacts WHERE key = ?");
    this.#allByIdentity = database.prepare(
      `SELECT wanted.key, ${COLUMNS} FROM json_each(?) wanted
       JOIN identities i ON i.key = unhex(wanted.value) JOIN users u ON u.id = i.user`,
    );
    this.#owners = database.prepare(
      `SELECT wanted.key, user FROM json_each(?) wanted
       JOIN contacts c ON c.key = unhex(wanted.value)`,
    );
    this.#former = database.prepare("SELECT 1 FROM former WHERE user = ? AND plan = ?");
    this.#neighbors = createSequentialLookup(database);
  }

  expect(users: readonly UserKeys[]): void {
    const near = this.#neighbors.next(users.length);
    const wanted: Key[] = [];
    const addresses: Key[] = [];
    for (const { identity, contacts: own, reserved } of users) {
      const neighbor = near.get(identity);
      if (neighbor === undefined) wanted.push(identity);
      else this.#identities.set(identity, this.#stored(neighbor.row));
      for (const { key } of reserved.length === 0 ? own : reserved) {
        if (neighbor?.holds(key) === true) this.#contacts.set(key, neighbor.row[0]);
        else addresses.push(key);
      }
    }
    this.#lookUp(wanted, addresses);
    this.#neighbors.found(
      users.flatMap(({ identity }) => this.#identities.get(identity)?.id ?? []),
    );
  }

  forget(): void {
    this.#identities = new Map();
    this.#contacts = new Map();
  }

  byIdentity(key: Key): StoredUser | undefined {
    if (this.#identities.has(key)) return this.#identities.get(key);
    this.#index.complete();
    return this.#storedOrNot(this.#byIdentity.get(keyBlob(key)));
  }

  ownerOf(contact: Key): number | undefined {
    if (this.#contacts.has(contact)) return this.#contacts.get(contact);
    this.#index.complete();
    return this.#owner.get(keyBlob(contact))?.[0];
  }

  byId(id: number): StoredUser | undefined {
    return this.#storedOrNot(this.#byId.get(id));
  }

  isReplaced(user: number, plan: Key): boolean {
    return this.#former.get(user, keyBlob(plan)) !== undefined;
  }

  #lookUp(wanted: readonly Key[], addresses: readonly Key[]): void {
    if (wanted.length + addresses.length === 0) return;
    this.#index.complete();
    for (const key of wanted) this.#identities.set(key, undefined);
    for (const [place, ...row] of this.#allByIdentity.all(hexList(wanted))) {
      this.#identities.set(wanted[place] ?? "", this.#stored(row));
    }
    for (const key of addresses) this.#contacts.set(key, undefined);
    for (const [place, user] of this.#owners.all(hexList(addresses))) {
      this.#contacts.set(addresses[place] ?? "", user);
    }
  }

  #stored(row: UserRow): StoredUser {
    return storedUserOf(row, this.#files);
  }

  #storedOrNot(row: UserRow | undefined): StoredUser | undefined {
    return row && this.#stored(row);
  }
}

/** As a JSON array: every value bound by itself would cost as much as looking for it. */
function hexList(keys: readonly Key[]): string {
  return JSON.stringify(keys.map((key) => keyBlob(key).toString("hex")));
}
