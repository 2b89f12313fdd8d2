/** The core's tables, in PostgreSQL's words. */

/** What the stores declare differently. */
interface StoreWords {
  /** Numbers users in the order in which they joined, which lists follow. */
  readonly number: string;
  readonly userId: string;
  readonly deviceNumber: string;
  /** The index by which a list of one recipe's users is read. */
  readonly listIndex: string;
}

/**
 * One email may belong to a user of each recipe; a phone number only to a passwordless user. Texts
 * compare by their bytes ("C"): that is quicker, and the same wherever the database was made.
 */
export function userTables({ number, userId, deviceNumber, listIndex }: StoreWords): string {
  return `
  CREATE TABLE auth_core.users (
    id ${number},
    user_id ${userId},
    recipe smallint NOT NULL,
    email text COLLATE "C",
    phone_number text COLLATE "C",
    password_hash text COLLATE "C",
    time_joined bigint NOT NULL,
    external_user_id text COLLATE "C",
    signed_in smallint,
    email_verified smallint,
    third_party_id text COLLATE "C",
    third_party_user_id text COLLATE "C",
    third_party_email text COLLATE "C"
  );
  CREATE UNIQUE INDEX users_email ON auth_core.users (email, recipe) WHERE email IS NOT NULL;
  CREATE UNIQUE INDEX users_phone_number ON auth_core.users (phone_number)
    WHERE phone_number IS NOT NULL;
  CREATE UNIQUE INDEX users_external_user_id ON auth_core.users (external_user_id)
    WHERE external_user_id IS NOT NULL;
  ${listIndex};

  CREATE TABLE auth_core.devices (
    id ${deviceNumber},
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
  `;
}

/** The tables of the account's parts. Only users with such a part have a row in its table. */
export const PART_TABLES = `
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
  CREATE INDEX user_roles_role ON auth_core.user_roles (role);

  CREATE TABLE auth_core.verified_emails (
    user_id text COLLATE "C" NOT NULL,
    email text COLLATE "C" NOT NULL,
    PRIMARY KEY (user_id, email)
  );
  CREATE TABLE auth_core.verification_tokens (
    digest text COLLATE "C" NOT NULL PRIMARY KEY,
    user_id text COLLATE "C" NOT NULL,
    email text COLLATE "C" NOT NULL,
    expires_at double precision NOT NULL
  );
  CREATE INDEX verification_tokens_user ON auth_core.verification_tokens (user_id);
  CREATE INDEX verification_tokens_expiry ON auth_core.verification_tokens (expires_at);

  CREATE TABLE auth_core.totp_devices (
    user_id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    secret text COLLATE "C" NOT NULL,
    period integer NOT NULL,
    skew integer NOT NULL,
    verified smallint NOT NULL,
    last_step double precision NOT NULL,
    created_at double precision NOT NULL,
    PRIMARY KEY (user_id, name)
  );
  CREATE TABLE auth_core.totp_failures (
    user_id text COLLATE "C" NOT NULL PRIMARY KEY,
    failed integer NOT NULL,
    failed_at double precision NOT NULL
  );

  CREATE UNIQUE INDEX users_third_party ON auth_core.users (third_party_id, third_party_user_id)
    WHERE third_party_id IS NOT NULL;
  CREATE INDEX users_third_party_email ON auth_core.users (third_party_email)
    WHERE third_party_email IS NOT NULL;

  CREATE TABLE auth_core.queued_accounts (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    account text NOT NULL,
    status smallint NOT NULL,
    error text,
    created_at double precision NOT NULL,
    updated_at double precision NOT NULL
  );
  CREATE INDEX queued_accounts_status ON auth_core.queued_accounts (status, id);
`;
