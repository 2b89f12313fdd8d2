/** Finds the entry of a user of an export that is read once more. It claims nothing and finds no duplicates; that is the ledger's work in a run. */

import { tmpdir } from "node:os";
import type { Database } from "../sqlite/database.js";
import { type Key, keyBlob } from "../plan/digests.js";
import { hasColumn } from "./columns.js";
import { createSeenKeys, type FirstRow, ROLE } from "../keys/seen-keys.js";
import { MARK } from "../plan/states.js";
import { RANK } from "../plan/rank.js";
import { firstUnindexed } from "./key-index.js";

/** What a user is looked for by. */
interface Wanted {
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
  close(): void;
}

export function createEntryFinder(database: Database): EntryFinder {
  const byIdentity = database.prepare<[number]>(
    hasColumn(database, "identities", "key")
      ? "SELECT user FROM identities WHERE key = ?"
      : "SELECT id FROM users WHERE identity = ?",
  );
  // In a file of an older version all that it knows is held.
  const hasMarks = hasColumn(database, "contacts", "mark");
  const byContact = database.prepare<[id: number, keyed: number, mark: number]>(
    `SELECT u.id, u.keyed, ${hasMarks ? "mark" : MARK.held}
     FROM contacts JOIN users u ON u.id = contacts.user WHERE key = ?`,
  );
  const unindexed = createUnindexedUsers(database);
  const ownerOf = (contact: Key): Owner | undefined => {
    const [indexed] = byContact.all(keyBlob(contact));
    if (indexed !== undefined) {
      const [id, keyed, mark] = indexed;
      return { id, keyed: keyed === 1, isHeld: mark === MARK.held };
    }
    const owner = unindexed.find(contact, ROLE.contact);
    return owner && { ...owner, isHeld: true };
  };
  return {
    find({ identity, keyed, contacts }) {
      const own =
        byIdentity.all(keyBlob(identity))[0]?.[0] ?? unindexed.find(identity, ROLE.identity)?.id;
      if (own !== undefined) return own;
      for (const contact of contacts) {
        const owner = ownerOf(contact);
        if (owner !== undefined && !(keyed && owner.keyed)) return owner.id;
      }
      return null;
    },
    knows: (entryId, contact) => ownerOf(contact)?.id === entryId,
    holds(entryId, contact) {
      const owner = ownerOf(contact);
      return owner?.id === entryId && owner.isHeld;
    },
    close: unindexed.close,
  };
}

/** Who has a contact, by the last plan that was carried out or otherwise. */
interface Owner {
  readonly id: number;
  readonly keyed: boolean;
  readonly isHeld: boolean;
}

/** Rows read at once. */
const PAGE = 10_000;

/**
 * The users of a checkpoint's latest runs, by their keys: the file's indexes lead to them only
 * once a later run has looked for a user.
 */
interface UnindexedUsers {
  /** @throws RunError `disk` */
  find(key: Key, role: number): Pick<FirstRow, "id" | "keyed"> | undefined;
  close(): void;
}

/** @param database of any version; an older one has indexed all users */
function createUnindexedUsers(database: Database): UnindexedUsers {
  if (!hasColumn(database, "users", "phone")) return { find: () => undefined, close: () => {} };
  const page = database.prepare<
    [id: number, identity: Buffer, keyed: number, email: Buffer | null, phone: Buffer | null]
  >("SELECT id, identity, keyed, email, phone FROM users WHERE id > ? ORDER BY id LIMIT ?");
  const keys = createSeenKeys(tmpdir());
  let last = firstUnindexed(database) - 1;

  const readOn = (): void => {
    for (;;) {
      const rows = page.all(last, PAGE);
      for (const [id, identity, keyed, email, phone] of rows) {
        const first = { id, keyed: keyed === 1, rank: RANK.verified, row: { file: "", number: 0 } };
        keys.add(keyOf(identity), ROLE.identity, first);
        for (const contact of [email, phone]) {
          if (contact !== null) keys.add(keyOf(contact), ROLE.contact, first);
        }
        last = id;
      }
      if (rows.length < PAGE) return;
    }
  };
  return {
    find(key, role) {
      readOn();
      return keys.find(key, role);
    },
    close: keys.close,
  };
}

function keyOf(blob: Buffer): Key {
  return blob.toString("latin1");
}
