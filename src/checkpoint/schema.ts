/** The checkpoint's tables. Pseudonymous by construction: no column ever holds a hash, a code, a key or a readable contact. */

import { KIND, MAPPED, STATE } from "../plan/states.js";

/**
 * `identity`: key of the vendor's id or, where there is none (`keyed` 0), of the first contact or
 * of the row. `plan`: key of what was planned last. `saw_nobody`: see {@link SAW_NOBODY}. `file`,
 * `number`: the row, for naming it. `mapped`: see {@link MAPPED}. `kind`: see {@link KIND}. `scope`: of
 * which source and namespace the user is. `former`: plans that a newer export has replaced. `ranks`: by
 * what right the user's last row has its email and its phone; 0 where nothing was sent. `notices`: what
 * is told of the user, as a number of `notice_sets`; 0 for nothing. `parts`: what was sent of the account beside, see
 * part-notes.ts; null for a user of whom nothing was.
 *
 * `users.email`, `users.phone`: the contacts that a user had when the row was made, less those that
 * they have no more; of who was brought by a social account, that stands for the email. `contacts`:
 * those alone that came to a user later, have a mark or changed hands. What stands there is true,
 * whatever a user's row says. `user_keys`: every key of every user, for what is asked of all at once.
 * A run that was killed between two writes may leave a contact in the rows of two users; the later one
 * has it.
 *
 * `runs`: their history, in counts alone. `hints`: what was
 * told of a code. `other_rows`: rows that were refused or failed and have no entry that says so.
 * `user` is at the core whatever the row says; without one, `identity` is that of a user whose
 * contact another one has. `row_lines`: at which line a row begins that was refused, left out or
 * failed; of the others none is shown, and each user's row would grow by it.
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
    core_id BLOB,
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
  CREATE TABLE row_lines (
    file INTEGER, number INTEGER, line INTEGER NOT NULL, PRIMARY KEY (file, number)
  ) WITHOUT ROWID;
`;

/** A checkpoint as a SQLite file. */
export const CHECKPOINT_FILE = {
  // "amck": marks it as one of ours.
  applicationId: 0x616d636b,
  schema: TABLES,
  version: 1,
} as const;
