/** The checkpoint's tables. Pseudonymous by construction: no column ever holds a hash, a code, a key or a readable contact. */

import { KIND, MAPPED, STATE } from "../plan/states.js";

/**
 * `users`, a row for each:
 * - `identity`: the key of the vendor's id; without one (`keyed` 0) of the first contact, or of the row.
 * - `plan`: the key of what was planned last. `former` has the plans that a newer export has replaced.
 * - `saw_nobody`, `mapped`, `kind`: see {@link SAW_NOBODY}, {@link MAPPED} and {@link KIND}.
 * - `file`, `number`: the row, to name it. `scope`: its source and namespace.
 * - `email`, `phone`: the contacts of the time when the entry was made, less those that are gone. A user
 *   who was brought by a social account has it in place of the email.
 * - `ranks`: by what right the user's last row has its email and its phone; 0 where nothing was sent.
 * - `notices`: what is told of the user, as a number of `notice_sets`; 0 for nothing.
 * - `parts`: what was sent of the account besides, see part-notes.ts; null for nothing.
 *
 * `contacts`: those that came to a user later, have a mark or changed hands. They count, whatever a
 * user's row says. A run that was killed between two writes may leave a contact in the rows of two
 * users; the later one has it. `user_keys`: every key of every user, to ask about all at once.
 *
 * `taken`: users whom a lookup alone has shown to be ours. `removals`: those whose removal at the core
 * was begun and has no ending, and by what keyed digest the vault knows them.
 *
 * `runs`: their history, in counts alone. `hints`: the first hint of each code. `other_rows`: rows that were
 * refused or failed and that no entry stands for. `user` is at the core whatever the row says; without
 * one, `identity` is that of a user whose contact another one has. `told_rows`: of rows that
 * are ever shown the line at which each begins, and its hint where that isn't the code's first one.
 * One whose contact another user has stands there once more by its `plan`. `user`: whom the row has
 * brought since, mended in a file of rejects.
 */
const TABLES = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE files (id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE);
  CREATE TABLE scopes (id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE);
  CREATE TABLE notice_sets (id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE);

  CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    identity BLOB NOT NULL,
    keyed INTEGER NOT NULL,
    plan BLOB NOT NULL,
    state INTEGER NOT NULL,
    saw_nobody INTEGER NOT NULL,
    file INTEGER NOT NULL,
    number INTEGER NOT NULL,
    source_id TEXT,
    core_id TEXT,
    code TEXT,
    mapped INTEGER NOT NULL DEFAULT ${MAPPED.no},
    kind INTEGER NOT NULL DEFAULT ${KIND.none},
    scope INTEGER NOT NULL DEFAULT 0,
    email BLOB,
    phone BLOB,
    ranks INTEGER NOT NULL DEFAULT 0,
    notices INTEGER NOT NULL DEFAULT 0,
    parts TEXT
  );
  CREATE INDEX users_queued ON users (id) WHERE state = ${STATE.queued};
  CREATE TABLE contacts (
    key BLOB PRIMARY KEY, user INTEGER NOT NULL, kind INTEGER NOT NULL, mark INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX contacts_of_user ON contacts (user);
  CREATE VIEW user_keys (key, user, owner) AS
    SELECT identity, id, NULL FROM users
    UNION ALL SELECT email, NULL, id FROM users
      WHERE email NOT NULL AND email NOT IN (SELECT key FROM contacts)
    UNION ALL SELECT phone, NULL, id FROM users
      WHERE phone NOT NULL AND phone NOT IN (SELECT key FROM contacts)
    UNION ALL SELECT key, NULL, user FROM contacts;
  CREATE TABLE taken (user INTEGER PRIMARY KEY);
  CREATE TABLE removals (user INTEGER PRIMARY KEY, kept BLOB);
  CREATE TABLE former (user INTEGER, plan BLOB, PRIMARY KEY (user, plan)) WITHOUT ROWID;

  CREATE TABLE runs (
    id INTEGER PRIMARY KEY, source TEXT NOT NULL, begun_at INTEGER NOT NULL,
    elapsed INTEGER NOT NULL, ending TEXT, reason TEXT, kept TEXT NOT NULL
  );
  CREATE TABLE hints (
    type TEXT, code TEXT, hint TEXT NOT NULL, PRIMARY KEY (type, code)
  ) WITHOUT ROWID;
  CREATE TABLE other_rows (
    file INTEGER, number INTEGER, run INTEGER NOT NULL, type TEXT NOT NULL, code TEXT NOT NULL,
    hint TEXT NOT NULL, source_id TEXT, user INTEGER, identity BLOB, PRIMARY KEY (file, number)
  ) WITHOUT ROWID;
  CREATE INDEX other_rows_of ON other_rows (identity) WHERE identity IS NOT NULL;
  CREATE TABLE told_rows (
    file INTEGER, number INTEGER, plan BLOB DEFAULT '', line INTEGER, hint TEXT, user INTEGER,
    PRIMARY KEY (file, number, plan)
  ) WITHOUT ROWID;
  CREATE INDEX told_rows_of ON told_rows (user) WHERE user NOT NULL;
`;

/** A checkpoint as a SQLite file. */
export const CHECKPOINT_FILE = {
  // "amck": marks it as one of ours.
  applicationId: 0x616d636b,
  schema: TABLES,
  version: 1,
} as const;
