/** Finds the entry of a user of an export that is read once more. It claims nothing and finds no duplicates; that is the ledger's work in a run. */

import type { Database } from "../../sqlite/database.js";
import { type Key, keyBlob } from "../digests.js";
import { hasColumn } from "./columns.js";
import { MARK } from "./schema.js";

/** What a user is looked for by. */
export interface Wanted {
  /** Key of the identity; `keyed` says whether it is the vendor's id. */
  readonly identity: Key;
  readonly keyed: boolean;
  readonly contacts: readonly Key[];
}

export interface EntryFinder {
  /** The entry's number: by identity, else by a contact where one side has no id; null where there is none. */
  find(wanted: Wanted): number | null;
  /** Whether a contact is this user's, was, or is about to be. */
  knows(entryId: number, contact: Key): boolean;
  /** Whether a contact is this user's by the last plan that was carried out. */
  holds(entryId: number, contact: Key): boolean;
}

export function createEntryFinder(database: Database): EntryFinder {
  const byIdentity = database.prepare<[number]>("SELECT id FROM users WHERE identity = ?");
  // In a file of an older version all that it knows is held.
  const hasMarks = hasColumn(database, "contacts", "mark");
  const byContact = database.prepare<[id: number, keyed: number, mark: number]>(
    `SELECT u.id, u.keyed, ${hasMarks ? "mark" : MARK.held}
     FROM contacts JOIN users u ON u.id = contacts.user WHERE key = ?`,
  );
  const ownerOf = (contact: Key) => byContact.all(keyBlob(contact))[0];
  return {
    find({ identity, keyed, contacts }) {
      const [own] = byIdentity.all(keyBlob(identity));
      if (own !== undefined) return own[0];
      for (const contact of contacts) {
        const owner = ownerOf(contact);
        if (owner !== undefined && !(keyed && owner[1] === 1)) return owner[0];
      }
      return null;
    },
    knows: (entryId, contact) => ownerOf(contact)?.[0] === entryId,
    holds(entryId, contact) {
      const owner = ownerOf(contact);
      return owner?.[0] === entryId && owner[2] === MARK.held;
    },
  };
}
