/** Users who stand side by side in the checkpoint, as they did in their export: a run that reads it again finds them in that order, without a lookup. It only guesses; a user who isn't there is looked up. */

import type { Database } from "../sqlite/database.js";
import { type Key, KEY_BYTES } from "../plan/digests.js";
import { getMeta } from "./meta.js";
import { COLUMNS, type UserRow } from "./stored-user.js";

/** Rows read beyond as many as are wanted: some users may be gone. */
const SLACK = 50;

/** A user who stands where one is looked for. */
interface Neighbor {
  readonly row: UserRow;
  /** Whether a contact is certainly this user's. */
  holds(contact: Key): boolean;
}

export interface SequentialLookup {
  /** By identity, about as many users as are wanted, behind those who were found last. */
  next(wanted: number): ReadonlyMap<Key, Neighbor>;
  /** Says who was found, so that the next guess begins there. */
  found(users: readonly number[]): void;
}

export function createSequentialLookup(database: Database): SequentialLookup {
  const empty = `zeroblob(${KEY_BYTES})`;
  const page = database.prepare<[Buffer, ...UserRow]>(
    `SELECT CAST(identity || coalesce(email, ${empty}) || coalesce(phone, ${empty}) AS BLOB),
     ${COLUMNS} FROM users u WHERE id > ? ORDER BY id LIMIT ?`,
  );
  // A contact stands in its user's row as it was at first.
  const haveMoved = getMeta(database, "contacts_changed") !== undefined;
  let last = 0;
  let isInOrder = true;

  return {
    next(wanted) {
      const users = new Map<Key, Neighbor>();
      if (!isInOrder) return users;
      for (const [blob, ...row] of page.all(last, wanted + SLACK)) {
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
