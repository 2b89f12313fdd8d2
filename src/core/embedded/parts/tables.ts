/** The tables of the account's parts, in PostgreSQL's words, and the way from one version of them to the next. A migration that was released is never edited. */

/** Each is a version of its own of a data file and of a database. No user has a row who has no such part. */
export const PART_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE auth_core.user_metadata (
    user_id text COLLATE "C" NOT NULL PRIMARY KEY,
    metadata text NOT NULL
  );
  CREATE TABLE auth_core.roles (role text COLLATE "C" NOT NULL PRIMARY KEY);
  CREATE TABLE auth_core.role_permissions (
    role text COLLATE "C" NOT NULL,
    permission text COLLATE "C" NOT NULL,
    PRIMARY KEY (role, permission)
  );
  CREATE INDEX role_permissions_permission ON auth_core.role_permissions (permission);
  CREATE TABLE auth_core.user_roles (
    user_id text COLLATE "C" NOT NULL,
    role text COLLATE "C" NOT NULL,
    PRIMARY KEY (user_id, role)
  );
  CREATE INDEX user_roles_role ON auth_core.user_roles (role)
  `,
];
