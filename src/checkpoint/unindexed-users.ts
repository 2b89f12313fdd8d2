/** The users of a checkpoint's latest runs, by their keys: the file's indexes lead to them only once a later run has looked for a user. It reads their rows once, and writes nothing into the file. */

import { tmpdir } from "node:os";
import type { Database } from "../sqlite/database.js";
import type { Key } from "../plan/digests.js";
import { RANK } from "../plan/rank.js";
import { hasColumn } from "./columns.js";
import { firstUnindexed } from "./key-index.js";
import { createSeenKeys, type FirstRow, ROLE } from "../keys/seen-keys.js";

/** Rows read at once. */
const PAGE = 10_000;

interface UnindexedUsers {
  /** @throws RunError `disk` */
  find(key: Key, role: number): Pick<FirstRow, "id" | "keyed"> | undefined;
  close(): void;
}

/** @param database of any version; an older one has indexed all users */
export function createUnindexedUsers(database: Database): UnindexedUsers {
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
