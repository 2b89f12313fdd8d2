/** The users' rows in the checkpoint: who is known from earlier runs, by which key. It reads, and decides nothing. */

import type { Database, Statement } from "../sqlite/database.js";
import { hexList, type Key, KEY_BYTES, keyBlob } from "../plan/digests.js";
import type { UserKeys } from "../plan/entry.js";
import type { FileIds } from "./file-ids.js";
import type { KeyIndex } from "./key-index.js";
import type { NoticeSets } from "./notice-sets.js";
import { type StoredUser, storedUserOf, USER_COLUMNS, type UserRow } from "./stored-user.js";
import { getMeta } from "./meta.js";

/** The users of earlier runs. */
export interface UserRows {
  /**
   * Looks for all keys of these records at once, which takes a third of the time of one by one.
   * What is found counts until {@link forget}.
   */
  expect(users: readonly UserKeys[]): void;
  /** Something was written: what was found before counts no more. */
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
  readonly #sets: NoticeSets;
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

  constructor(database: Database, files: FileIds, sets: NoticeSets, index: KeyIndex) {
    this.#files = files;
    this.#sets = sets;
    this.#index = index;
    this.#byIdentity = database.prepare(
      `SELECT ${USER_COLUMNS} FROM identities i JOIN users u ON u.id = i.user WHERE i.key = ?`,
    );
    this.#byId = database.prepare(`SELECT ${USER_COLUMNS} FROM users u WHERE u.id = ?`);
    this.#owner = database.prepare("SELECT user FROM contacts WHERE key = ?");
    this.#allByIdentity = database.prepare(
      `SELECT wanted.key, ${USER_COLUMNS} FROM json_each(?) wanted
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
    return storedUserOf(row, this.#files, this.#sets);
  }

  #storedOrNot(row: UserRow | undefined): StoredUser | undefined {
    return row && this.#stored(row);
  }
}

/** Most rows read beyond as many as are wanted, and their share of those: some users may be gone. */
const SLACK = 50;
const SLACK_SHARE = 1 / 4;

/** A user who stands where one is looked for. */
interface Neighbor {
  readonly row: UserRow;
  /** Whether a contact is certainly this user's. */
  holds(contact: Key): boolean;
}

/**
 * Users who stand side by side in the checkpoint, as they did in their export: a run that reads
 * it again finds them in that order, without a lookup. It only guesses; a user who isn't there
 * is looked up.
 */
interface SequentialLookup {
  /** About as many users as are wanted, by identity: those after the users who were found last. */
  next(wanted: number): ReadonlyMap<Key, Neighbor>;
  /** Says who was found, so that the next guess begins there. */
  found(users: readonly number[]): void;
}

function createSequentialLookup(database: Database): SequentialLookup {
  const empty = `zeroblob(${KEY_BYTES})`;
  const page = database.prepare<[Buffer, ...UserRow]>(
    `SELECT CAST(identity || coalesce(email, ${empty}) || coalesce(phone, ${empty}) AS BLOB),
     ${USER_COLUMNS} FROM users u WHERE id > ? ORDER BY id LIMIT ?`,
  );
  // A contact stands in its user's row as it was at first.
  const haveMoved = getMeta(database, "contacts_changed") !== undefined;
  let last = 0;
  let isInOrder = true;

  return {
    next(wanted) {
      const users = new Map<Key, Neighbor>();
      if (!isInOrder) return users;
      for (const [blob, ...row] of page.all(last, wanted + slackFor(wanted))) {
        const own = blob.toString("latin1");
        users.set(own.slice(0, KEY_BYTES), {
          row,
          holds: (contact) => !haveMoved && own.indexOf(contact, KEY_BYTES) % KEY_BYTES === 0,
        });
      }
      return users;
    },
    found(users) {
      if (users.length === 0) return;
      const first = users.reduce((least, id) => Math.min(least, id));
      last = users.reduce((most, id) => Math.max(most, id));
      isInOrder = last - first < users.length + SLACK;
    },
  };
}

function slackFor(wanted: number): number {
  return Math.min(SLACK, Math.ceil(wanted * SLACK_SHARE));
}
