/** The users' rows in the checkpoint: who is known from earlier runs, by which key. It reads, and decides nothing. */

import type { Database, Statement } from "../sqlite/database.js";
import { type Key, keyBlob } from "../plan/digests.js";
import type { KnownUser, KnownUsers, OwnContact } from "../plan/entry.js";
import type { FileIds, NoticeSets } from "./numbered.js";
import { storedUserOf, USER_COLUMNS, type UserRow } from "./stored-user.js";

/** Those that the checkpoint's tables hold, in indexes that are complete. */
export class StoredRows implements KnownUsers {
  readonly contactsOf: (user: number) => readonly OwnContact[];
  readonly #files: FileIds;
  readonly #sets: NoticeSets;
  readonly #byIdentity: Statement<UserRow>;
  readonly #byId: Statement<UserRow>;
  readonly #byIds: Statement<UserRow>;
  readonly #owner: Statement<[number]>;
  readonly #former: Statement;

  constructor(
    database: Database,
    files: FileIds,
    sets: NoticeSets,
    contactsOf: (user: number) => readonly OwnContact[],
  ) {
    this.contactsOf = contactsOf;
    this.#files = files;
    this.#sets = sets;
    this.#byIdentity = database.prepare(
      `SELECT ${USER_COLUMNS} FROM identities i JOIN users u ON u.id = i.user WHERE i.key = ?`,
    );
    this.#byId = database.prepare(`SELECT ${USER_COLUMNS} FROM users u WHERE u.id = ?`);
    this.#byIds = database.prepare(
      `SELECT ${USER_COLUMNS} FROM json_each(?) wanted CROSS JOIN users u ON u.id = wanted.value`,
    );
    this.#owner = database.prepare("SELECT user FROM contacts WHERE key = ?");
    this.#former = database.prepare("SELECT 1 FROM former WHERE user = ? AND plan = ?");
  }

  byIdentity(key: Key): KnownUser | undefined {
    return this.#storedOrNot(this.#byIdentity.get(keyBlob(key)));
  }

  ownerOf(contact: Key): number | undefined {
    return this.#owner.get(keyBlob(contact))?.[0];
  }

  byId(id: number): KnownUser | undefined {
    return this.#storedOrNot(this.#byId.get(id));
  }

  /** Several at once, which takes a third of the time of one by one. */
  byIds(ids: readonly number[]): ReadonlyMap<number, KnownUser> {
    const rows = this.#byIds.all(JSON.stringify(ids));
    return new Map(rows.map((row) => [row[0], storedUserOf(row, this.#files, this.#sets)]));
  }

  isReplaced(user: number, plan: Key): boolean {
    return this.#former.get(user, keyBlob(plan)) !== undefined;
  }

  #storedOrNot(row: UserRow | undefined): KnownUser | undefined {
    return row && storedUserOf(row, this.#files, this.#sets);
  }
}
