/** The users' rows in the checkpoint: who is known from earlier runs, by which key. It reads, and decides nothing. */

import type { Database } from "../sqlite/database.js";
import { type Key, keyBlob } from "../plan/digests.js";
import type { UserKeys } from "../plan/entry.js";
import type { FileIds } from "./file-ids.js";
import type { KeyIndex } from "./key-index.js";
import { COLUMNS, type StoredUser, storedUserOf, type UserRow } from "./stored-user.js";
import { createSequentialLookup } from "./sequential-lookup.js";

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

export function createUserRows(database: Database, files: FileIds, index: KeyIndex): UserRows {
  const byIdentity = database.prepare<UserRow>(
    `SELECT ${COLUMNS} FROM identities i JOIN users u ON u.id = i.user WHERE i.key = ?`,
  );
  const byId = database.prepare<UserRow>(`SELECT ${COLUMNS} FROM users u WHERE u.id = ?`);
  const owner = database.prepare<[number]>("SELECT user FROM contacts WHERE key = ?");
  const allByIdentity = database.prepare<[number, ...UserRow]>(
    `SELECT wanted.key, ${COLUMNS} FROM json_each(?) wanted
     JOIN identities i ON i.key = unhex(wanted.value) JOIN users u ON u.id = i.user`,
  );
  const owners = database.prepare<[number, number]>(
    `SELECT wanted.key, user FROM json_each(?) wanted
     JOIN contacts c ON c.key = unhex(wanted.value)`,
  );
  const replaced = database.prepare("SELECT 1 FROM former WHERE user = ? AND plan = ?");
  const neighbors = createSequentialLookup(database);
  let identities = new Map<Key, StoredUser | undefined>();
  let contacts = new Map<Key, number | undefined>();

  const known = (row: UserRow): StoredUser => storedUserOf(row, files);
  const knownOrNot = (row: UserRow | undefined): StoredUser | undefined => row && known(row);

  const lookUp = (wanted: readonly Key[], addresses: readonly Key[]): void => {
    if (wanted.length + addresses.length === 0) return;
    index.complete();
    for (const key of wanted) identities.set(key, undefined);
    for (const [place, ...row] of allByIdentity.all(hexList(wanted))) {
      identities.set(wanted[place] ?? "", known(row));
    }
    for (const key of addresses) contacts.set(key, undefined);
    for (const [place, user] of owners.all(hexList(addresses))) {
      contacts.set(addresses[place] ?? "", user);
    }
  };

  return {
    expect(users) {
      const near = neighbors.next(users.length);
      const wanted: Key[] = [];
      const addresses: Key[] = [];
      for (const { identity, contacts: own, reserved } of users) {
        const neighbor = near.get(identity);
        if (neighbor === undefined) wanted.push(identity);
        else identities.set(identity, known(neighbor.row));
        for (const { key } of reserved.length === 0 ? own : reserved) {
          if (neighbor?.holds(key) === true) contacts.set(key, neighbor.row[0]);
          else addresses.push(key);
        }
      }
      lookUp(wanted, addresses);
      neighbors.found(users.flatMap(({ identity }) => identities.get(identity)?.id ?? []));
    },
    forget() {
      identities = new Map();
      contacts = new Map();
    },
    byIdentity(key) {
      if (identities.has(key)) return identities.get(key);
      index.complete();
      return knownOrNot(byIdentity.get(keyBlob(key)));
    },
    ownerOf(contact) {
      if (contacts.has(contact)) return contacts.get(contact);
      index.complete();
      return owner.get(keyBlob(contact))?.[0];
    },
    byId: (id) => knownOrNot(byId.get(id)),
    isReplaced: (user, plan) => replaced.get(user, keyBlob(plan)) !== undefined,
  };
}

/** As a JSON array: every value bound by itself would cost as much as looking for it. */
function hexList(keys: readonly Key[]): string {
  return JSON.stringify(keys.map((key) => keyBlob(key).toString("hex")));
}
