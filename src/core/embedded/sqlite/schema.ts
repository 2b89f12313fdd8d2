/** The embedded core's tables in a data file. */

import { PART_TABLES } from "../parts/tables.js";
import { inSqlite } from "../script.js";

/**
 * Users have a rowid besides their id: SQLite appends to rowid tables without splitting pages.
 * The rowid is also the order in which users joined, and lists follow it. Lists of one recipe have
 * an index of their own. One email may belong to a user of each recipe; a phone number only to a
 * passwordless user.
 */
const TABLES = `
  CREATE TABLE core (core_id TEXT NOT NULL);
  INSERT INTO core VALUES (lower(hex(randomblob(16))));

  CREATE TABLE user (
    id INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL UNIQUE,
    recipe INTEGER NOT NULL,
    email TEXT,
    phone_number TEXT,
    password_hash TEXT,
    time_joined INTEGER NOT NULL,
    external_user_id TEXT,
    signed_in INTEGER,
    email_verified INTEGER,
    third_party_id TEXT,
    third_party_user_id TEXT,
    third_party_email TEXT
  );
  CREATE UNIQUE INDEX user_email ON user (email, recipe) WHERE email IS NOT NULL;
  CREATE UNIQUE INDEX user_phone_number ON user (phone_number) WHERE phone_number IS NOT NULL;
  CREATE UNIQUE INDEX user_external_user_id ON user (external_user_id)
    WHERE external_user_id IS NOT NULL;
  CREATE INDEX user_recipe ON user (recipe);

  CREATE TABLE device (
    id INTEGER PRIMARY KEY,
    pre_auth_session_id TEXT NOT NULL UNIQUE,
    email TEXT,
    phone_number TEXT,
    salt TEXT NOT NULL,
    link_digest TEXT NOT NULL,
    failed_attempts INTEGER NOT NULL,
    time_created INTEGER NOT NULL
  );
  CREATE INDEX device_email ON device (email) WHERE email IS NOT NULL;
  CREATE INDEX device_phone_number ON device (phone_number) WHERE phone_number IS NOT NULL;
  CREATE INDEX device_time_created ON device (time_created);
`;

/** A core's data file as a SQLite file. */
export const DATA_FILE = {
  // "AMco".
  applicationId: 0x414d636f,
  schema: `${TABLES}${inSqlite(PART_TABLES)}`,
  version: 1,
} as const;
