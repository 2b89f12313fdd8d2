/** Finds the entry of a user of an export that is read once more. It claims nothing and finds no duplicates; that is the ledger's work in a run. */

import { tmpdir } from "node:os";
import { type Key, keyBlob } from "../plan/digests.js";
import { MARK } from "../plan/states.js";
import type { Database } from "../sqlite/database.js";
import { KeyMap } from "../sqlite/key-map.js";
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
  /** All contacts that {@link EntryFinder.holds} is true of. */
  heldBy(entryId: number): readonly Key[];
  /** The entry that holds a contact; null where none does. */
  holderOf(contact: Key): number | null;
  close(): void;
}

export function createEntryFinder(database: Database): EntryFinder {
  const byIdentity = database.prepare<[number]>("SELECT user FROM identities WHERE key = ?");
  const byContact = database.prepare<[id: number, keyed: number, mark: number]>(
    `SELECT u.id, u.keyed, mark
     FROM contacts JOIN users u ON u.id = contacts.user WHERE key = ?`,
  );
  const indexed = (contact: Key): Owner | undefined => {
    const [row] = byContact.all(keyBlob(contact));
    return row && { id: row[0], keyed: row[1] === 1, isHeld: row[2] === MARK.held };
  };
  const unindexed = createUnindexedUsers(database);
  const ownerOf = (contact: Key): Owner | undefined => {
    const owner = indexed(contact) ?? unindexed.find(contact, "contact");
    return owner && { isHeld: true, ...owner };
  };
  const inEntries = createEntryContacts(database);
  /** Of a user whom no index leads to the row itself has the contacts, so that not all users must be read. */
  const ownership = (entryId: number, contact: Key): Pick<Owner, "isHeld"> | null => {
    if (inEntries.unindexed(entryId).includes(contact)) return { isHeld: true };
    const owner = indexed(contact);
    return owner?.id === entryId ? owner : null;
  };
  const holds = (entryId: number, contact: Key): boolean =>
    ownership(entryId, contact)?.isHeld === true;
  return {
    find({ identity, keyed, contacts }) {
      const own =
        byIdentity.all(keyBlob(identity))[0]?.[0] ?? unindexed.find(identity, "identity")?.id;
      if (own !== undefined) return own;
      for (const contact of contacts) {
        const owner = ownerOf(contact);
        if (owner !== undefined && !(keyed && owner.keyed)) return owner.id;
      }
      return null;
    },
    knows: (entryId, contact) => ownership(entryId, contact) !== null,
    holds,
    heldBy: (entryId) => inEntries.all(entryId).filter((contact) => holds(entryId, contact)),
    holderOf(contact) {
      const owner = ownerOf(contact);
      return owner?.isHeld === true ? owner.id : null;
    },
    close: unindexed.close,
  };
}

/** The contacts that an entry leads to; another entry may hold them by now. */
interface EntryContacts {
  all(entryId: number): Key[];
  /** Those of an entry that stands in no index yet; else none. */
  unindexed(entryId: number): Key[];
}

function createEntryContacts(database: Database): EntryContacts {
  const inRow = database.prepare<[Buffer | null, Buffer | null]>(
    "SELECT email, phone FROM users WHERE id = ?",
  );
  const listed = database.prepare<[Buffer]>(
    "SELECT key FROM contacts WHERE user = ? AND listed = 1",
  );
  const first = firstUnindexed(database);
  let last: { readonly entryId: number; readonly keys: Key[] } = { entryId: 0, keys: [] };
  const rowOf = (entryId: number): Key[] => {
    if (last.entryId === entryId) return last.keys;
    const blobs = inRow.all(entryId)[0] ?? [];
    last = { entryId, keys: blobs.flatMap((blob) => (blob === null ? [] : [keyOf(blob)])) };
    return last.keys;
  };
  return {
    all: (entryId) => [...rowOf(entryId), ...listed.all(entryId).map(([blob]) => keyOf(blob))],
    unindexed: (entryId) => (entryId < first ? [] : rowOf(entryId)),
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
  find(key: Key, what: "identity" | "contact"): Pick<Owner, "id" | "keyed"> | undefined;
  close(): void;
}

function createUnindexedUsers(database: Database): UnindexedUsers {
  const page = database.prepare<
    [id: number, identity: Buffer, keyed: number, email: Buffer | null, phone: Buffer | null]
  >("SELECT id, identity, keyed, email, phone FROM users WHERE id > ? ORDER BY id LIMIT ?");
  const users = { identity: new KeyMap(tmpdir()), contact: new KeyMap(tmpdir()) };
  let last = firstUnindexed(database) - 1;

  const readOn = (): void => {
    for (;;) {
      const rows = page.all(last, PAGE);
      for (const [id, identity, keyed, email, phone] of rows) {
        // Both in one number.
        const user = 2 * id + keyed;
        users.identity.set(keyOf(identity), user);
        for (const contact of [email, phone]) {
          if (contact !== null) users.contact.set(keyOf(contact), user);
        }
        last = id;
      }
      if (rows.length < PAGE) return;
    }
  };
  return {
    find(key, what) {
      readOn();
      const user = users[what].get(key);
      return user === undefined ? undefined : { id: Math.floor(user / 2), keyed: user % 2 === 1 };
    },
    close() {
      users.identity.close();
      users.contact.close();
    },
  };
}

function keyOf(blob: Buffer): Key {
  return blob.toString("latin1");
}
