/** The tables of a core on PostgreSQL and the way from one version of them to the next. A migration that was released is never edited. */

/** The core's own schema, so that it can share a database with an application's tables. */
export const SCHEMA = "auth_core";

/** So that of processes that start at once one makes the tables; "AMco" and the schema's number. */
export const MIGRATION_LOCK = 0x414d636f;

/**
 * `MIGRATIONS[n]` brings the tables from version n to n + 1.
 *
 * As on SQLite a user has a number besides the id, in the order in which they joined, which lists
 * follow; here it is always looked for together with the recipe, so that one index serves lists
 * and uniqueness. One email may belong to a user of each recipe; a phone number only to a
 * passwordless user. Texts compare by their bytes ("C"): that is quicker, and the same wherever
 * the database was made.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE auth_core.users (
    id bigint GENERATED ALWAYS AS IDENTITY,
    user_id uuid NOT NULL PRIMARY KEY,
    recipe smallint NOT NULL,
    email text COLLATE "C",
    phone_number text COLLATE "C",
    password_hash text COLLATE "C",
    time_joined bigint NOT NULL,
    external_user_id text COLLATE "C"
  );
  CREATE UNIQUE INDEX users_email ON auth_core.users (email, recipe) WHERE email IS NOT NULL;
  CREATE UNIQUE INDEX users_phone_number ON auth_core.users (phone_number)
    WHERE phone_number IS NOT NULL;
  CREATE UNIQUE INDEX users_external_user_id ON auth_core.users (external_user_id)
    WHERE external_user_id IS NOT NULL;
  CREATE UNIQUE INDEX users_joined ON auth_core.users (recipe, id);

  CREATE TABLE auth_core.devices (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    pre_auth_session_id text COLLATE "C" NOT NULL UNIQUE,
    email text COLLATE "C",
    phone_number text COLLATE "C",
    salt text COLLATE "C" NOT NULL,
    link_digest text COLLATE "C" NOT NULL,
    failed_attempts integer NOT NULL,
    time_created bigint NOT NULL
  );
  CREATE INDEX devices_email ON auth_core.devices (email) WHERE email IS NOT NULL;
  CREATE INDEX devices_phone_number ON auth_core.devices (phone_number)
    WHERE phone_number IS NOT NULL;
  CREATE INDEX devices_time_created ON auth_core.devices (time_created);
  `,
  "ALTER TABLE auth_core.users ADD COLUMN signed_in smallint",
];
