/** Which user of the checkpoint has which contact. */

import type { Database } from "../sqlite/database.js";
import { type Key, keyBlob } from "../plan/digests.js";
import type { ContactKey, OwnContact } from "../plan/entry.js";
import { CONTACT, type ContactKind, MARK, type Mark } from "../plan/states.js";
import { setMeta } from "./meta.js";

export interface ContactRows {
  /** All of one user's, but those that are forgotten. */
  of(user: number): OwnContact[];
  /** Gives a contact to a user, also one that another user had. */
  put(user: number, contact: ContactKey, mark: Mark): void;
  /** Takes one from a user who never had it at the core; a user who has it since keeps it. */
  remove(user: number, key: Key): void;
  /** Marks one of a user's. */
  mark(user: number, key: Key, mark: Mark): void;
}

/** Also forgets what earlier runs left. */
export function createContactRows(database: Database): ContactRows {
  database.exec(`DELETE FROM contacts WHERE mark = ${MARK.left}`);
  const select = database.prepare<[Buffer, ContactKind, Mark]>(
    `SELECT key, kind, mark FROM contacts WHERE user = ?1 AND listed = 1
     UNION
     SELECT key, kind, mark FROM contacts WHERE user = ?1 AND key IN
       (SELECT email FROM users WHERE id = ?1 UNION ALL SELECT phone FROM users WHERE id = ?1)`,
  );
  const insert = database.prepare("INSERT OR REPLACE INTO contacts VALUES (?, ?, ?, ?, 1)");
  const remove = database.prepare("DELETE FROM contacts WHERE key = ? AND user = ?");
  const update = database.prepare("UPDATE contacts SET mark = ? WHERE key = ? AND user = ?");
  // In the transaction of the first change, which may be rolled back and made again.
  const note = (): void => setMeta(database, "contacts_changed", "1");
  return {
    of: (user) =>
      select
        .all(user)
        .filter(([, , mark]) => mark !== MARK.left)
        .map(([key, kind, mark]) => ({ key: key.toString("latin1"), kind: KINDS[kind], mark })),
    put(user, { key, kind }, mark) {
      note();
      insert.run(keyBlob(key), user, CONTACT[kind], mark);
    },
    remove(user, key) {
      note();
      remove.run(keyBlob(key), user);
    },
    mark(user, key, mark) {
      note();
      update.run(mark, keyBlob(key), user);
    },
  };
}

const KINDS = {
  [CONTACT.email]: "email",
  [CONTACT.phone]: "phone",
  [CONTACT.social]: "social",
} as const satisfies Record<ContactKind, ContactKey["kind"]>;
