/** The embedded core's tables and the way from one version of them to the next. A migration that was released is never edited. */

import { PART_MIGRATIONS } from "../parts/tables.js";
import { inSqlite } from "../script.js";

/** `application_id` of a core's data file: "AMco". */
export const DATA_FILE_ID = 0x414d636f;

/**
 * `migrations[n]` brings a file from version n to n + 1.
 *
 * Users have a rowid besides their id: SQLite appends to rowid tables without splitting pages.
 * The rowid is also the order in which users joined, and lists follow it. Lists of one recipe have
 * an index of their own. One email may belong to a user of each recipe; a phone number only to a
 * passwordless user.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE core (core_id TEXT NOT NULL);
  INSERT INTO core VALUES (lower(hex(randomblob(16))));

  CREATE TABLE user (
    id INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL UNIQUE,
    recipe INTEGER NOT NULL,
    email TEXT,
    phone_number TEXT,
    password_hash TEXT,
    time_joined INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX user_email ON user (email, recipe) WHERE email IS NOT NULL;
  CREATE UNIQUE INDEX user_phone_number ON user (phone_number) WHERE phone_number IS NOT NULL;

  CREATE TABLE device (
    id INTEGER PRIMARY KEY,
    pre_auth_session_id TEXT NOT NULL UNIQUE,
    email TEXT,
    phone_number TEXT,
    salt BLOB NOT NULL,
    link_digest TEXT NOT NULL,
    failed_attempts INTEGER NOT NULL,
    time_created INTEGER NOT NULL
  );
  CREATE INDEX device_email ON device (email) WHERE email IS NOT NULL;
  CREATE INDEX device_phone_number ON device (phone_number) WHERE phone_number IS NOT NULL;
  CREATE INDEX device_time_created ON device (time_created);
  `,
  `
  ALTER TABLE user ADD COLUMN external_user_id TEXT;
  CREATE UNIQUE INDEX user_external_user_id ON user (external_user_id)
    WHERE external_user_id IS NOT NULL;
  CREATE INDEX user_recipe ON user (recipe);
  `,
  "ALTER TABLE user ADD COLUMN signed_in INTEGER;",
  ...PART_MIGRATIONS.map(inSqlite),
];
