/** Users' tables as the systems make them in their own databases, with invented people in all states that they have, and what each of these becomes. */

import { APPLICATIONS } from "./applications.js";
import { PRODUCTS } from "./products.js";

const BCRYPT = "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy";

const ARGON2 =
  "$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHRzb21lc2FsdA$WmXz2WhWTGNMvbg6oYAzSVCWOrTtMYlNqXyYvC4yCUY";

/** A system's database. */
export interface Schema {
  /** As `--from` takes it. */
  readonly system: string;
  /** What both systems of databases take; `{serial}`, `{bool}`, `{json}`, `{time}`, `{yes}` and `{no}` differ. */
  readonly sql: string;
  readonly on: readonly ("postgres" | "mysql")[];
  readonly reads: string;
  readonly users: readonly string[];
}

export const SCHEMAS: readonly Schema[] = [
  ...PRODUCTS,
  ...APPLICATIONS,
  {
    system: "django",
    on: ["postgres", "mysql"],
    sql: `
CREATE TABLE auth_user (id {serial}, password varchar(128) NOT NULL, last_login {time} NULL, is_superuser {bool} NOT NULL, username varchar(150) NOT NULL UNIQUE, first_name varchar(150) NOT NULL, last_name varchar(150) NOT NULL, email varchar(254) NOT NULL, is_staff {bool} NOT NULL, is_active {bool} NOT NULL, date_joined {time} NOT NULL);
CREATE TABLE auth_group (id {serial}, name varchar(150) NOT NULL UNIQUE);
CREATE TABLE auth_user_groups (id {serial}, user_id integer NOT NULL, group_id integer NOT NULL);
CREATE TABLE account_emailaddress (id {serial}, email varchar(254) NOT NULL, verified {bool} NOT NULL, {q}primary{q} {bool} NOT NULL, user_id integer NOT NULL);
CREATE TABLE socialaccount_socialaccount (id {serial}, provider varchar(200) NOT NULL, uid varchar(191) NOT NULL, last_login {time} NOT NULL, date_joined {time} NOT NULL, extra_data {json} NOT NULL, user_id integer NOT NULL);
CREATE TABLE mfa_authenticator (id {serial}, created_at {time} NOT NULL, last_used_at {time} NULL, type varchar(20) NOT NULL, data {json} NOT NULL, user_id integer NOT NULL);
CREATE TABLE otp_totp_totpdevice (id {serial}, name varchar(64) NOT NULL, confirmed {bool} NOT NULL, {q}key{q} varchar(80) NOT NULL, step smallint NOT NULL, t0 bigint NOT NULL, digits smallint NOT NULL, tolerance smallint NOT NULL, drift smallint NOT NULL, last_t bigint NOT NULL, user_id integer NOT NULL);
CREATE TABLE otp_static_staticdevice (id {serial}, name varchar(64) NOT NULL, confirmed {bool} NOT NULL, user_id integer NOT NULL);
INSERT INTO auth_user VALUES
 (1, 'bcrypt$${BCRYPT}', NULL, {no}, 'ann', 'Ann', 'Lee', 'ann.lee@example.com', {no}, {yes}, '2020-01-02 03:04:05'),
 (2, '!x1rpRhzBuUDvBUJ0rGgPrXt0qkYlKxR2Y1Bpvc7j', NULL, {no}, 'bo', '', '', 'bo.old@example.com', {no}, {yes}, '2021-01-02 03:04:05'),
 (3, 'bcrypt$${BCRYPT}', NULL, {yes}, 'cy', 'Cy', '', '', {yes}, {no}, '2022-01-02 03:04:05'),
 (4, 'bcrypt$${BCRYPT}', NULL, {no}, 'di', '', '', 'di@example.com', {no}, {yes}, '2023-01-02 03:04:05'),
 (5, 'bcrypt$${BCRYPT}', NULL, {no}, 'ed', '', '', 'ed@example.com', {no}, {yes}, '2024-01-02 03:04:05');
INSERT INTO auth_group VALUES (7, 'editors'), (8, 'staff "one"');
INSERT INTO auth_user_groups VALUES (1, 1, 7), (2, 1, 8), (3, 4, 7);
INSERT INTO account_emailaddress VALUES (1, 'ann.lee@example.com', {yes}, {yes}, 1), (2, 'bo.old@example.com', {yes}, {no}, 2), (3, 'bo@example.com', {yes}, {yes}, 2), (4, 'di@example.com', {no}, {yes}, 4);
INSERT INTO socialaccount_socialaccount VALUES (1, 'google', '108234567890123456789', '2024-01-01 00:00:00', '2024-01-01 00:00:00', '{"email": "bo@example.com", "email_verified": true}', 2);
INSERT INTO mfa_authenticator VALUES (1, '2024-01-01 00:00:00', NULL, 'totp', '{"secret": "JBSWY3DPEHPK3PXP"}', 1), (2, '2024-01-01 00:00:00', NULL, 'recovery_codes', '{"seed": "x", "used_mask": 0}', 1);
INSERT INTO otp_totp_totpdevice VALUES (1, 'phone', {yes}, '48656c6c6f21deadbeef', 60, 0, 8, 1, 0, -1, 4), (2, 'new', {no}, '48656c6c6f21deadbeef', 30, 0, 6, 1, 0, -1, 5);
INSERT INTO otp_static_staticdevice VALUES (1, 'backup', {yes}, 5);
`,
    reads:
      "its table auth_user with account_emailaddress, socialaccount_socialaccount, mfa_authenticator, otp_totp_totpdevice, otp_static_staticdevice, auth_user_groups, auth_group; not there: social_auth_usersocialauth, otp_email_emaildevice",
    users: [
      '1 ann.lee@example.com+ - bcrypt$$2b$10$ role:editors role:staff "one" totp:JBSWY3DPEHPK3PXP/30/6 2020-01-02 preferred_username=ann given_name=Ann family_name=Lee first_name=Ann last_name=Lee (joined_not_migrated) (mfa_not_migrated) (profile_not_migrated) (roles_not_migrated) (username_not_migrated)',
      "2 bo@example.com+ - !x1rpRhzBuUDvB google:108234567890123456789 2021-01-02 preferred_username=bo (joined_not_migrated) (other_contacts_not_migrated) (social_identity_dropped) (username_not_migrated)",
      "3 - - bcrypt$$2b$10$ disabled 2022-01-02 preferred_username=cy given_name=Cy first_name=Cy (joined_not_migrated) (profile_not_migrated) (roles_not_migrated) (username_not_migrated)",
      "4 di@example.com! - bcrypt$$2b$10$ role:editors totp:JBSWY3DPEHPK3PXP/60/8 2023-01-02 preferred_username=di (joined_not_migrated) (mfa_not_migrated) (roles_not_migrated) (username_not_migrated)",
      "5 ed@example.com - bcrypt$$2b$10$ factor lost 2024-01-02 preferred_username=ed (joined_not_migrated) (mfa_not_migrated) (username_not_migrated)",
    ],
  },
  {
    system: "devise",
    on: ["postgres", "mysql"],
    sql: `
CREATE TABLE members (id {serial}, email varchar(255) NOT NULL DEFAULT '', encrypted_password varchar(255) NOT NULL DEFAULT '', reset_password_token varchar(255), reset_password_sent_at {stamp} NULL, remember_created_at {stamp} NULL, confirmed_at {stamp} NULL, unconfirmed_email varchar(255), locked_at {stamp} NULL, created_at {stamp} NOT NULL, otp_required_for_login {bool});
CREATE TABLE identities (id {serial}, user_id bigint, provider varchar(255), uid varchar(255));
CREATE TABLE roles (id {serial}, name varchar(255));
CREATE TABLE users_roles (user_id bigint, role_id bigint);
INSERT INTO members VALUES
 (1, 'ann.lee@example.com', '${BCRYPT}', NULL, NULL, NULL, '2020-01-01 00:00:00', NULL, NULL, '2020-01-01 00:00:00', {no}),
 (2, 'bo@example.com', '', NULL, NULL, NULL, NULL, 'bo.new@example.com', NULL, '2020-01-01 00:00:00', {no}),
 (3, 'cy@example.com', '${BCRYPT}', NULL, NULL, NULL, '2020-01-01 00:00:00', NULL, '2024-01-01 00:00:00', '2020-01-01 00:00:00', {yes});
INSERT INTO identities VALUES (1, 2, 'google_oauth2', '1082'), (2, 2, 'github', '77');
INSERT INTO roles VALUES (1, 'editor');
INSERT INTO users_roles VALUES (1, 1);
`,
    reads: "its table members with identities, users_roles, roles",
    users: [
      "1 ann.lee@example.com+ - $2b$10$N9qo8uL role:editor 2020-01-01 (joined_not_migrated) (roles_not_migrated)",
      "2 bo@example.com! - - google_oauth2:1082 github:77 2020-01-01 (joined_not_migrated) (other_contacts_not_migrated) (social_identity_dropped)",
      "3 cy@example.com+ - $2b$10$N9qo8uL disabled factor lost 2020-01-01 (joined_not_migrated) (mfa_not_migrated)",
    ],
  },
  {
    system: "laravel",
    on: ["postgres", "mysql"],
    sql: `
CREATE TABLE users (id {serial}, name varchar(255) NOT NULL, email varchar(255) NOT NULL UNIQUE, email_verified_at {stamp} NULL, password varchar(255) NOT NULL, two_factor_secret text, two_factor_recovery_codes text, two_factor_confirmed_at {stamp} NULL, remember_token varchar(100), created_at {stamp} NULL, updated_at {stamp} NULL, deleted_at {stamp} NULL);
CREATE TABLE roles (id {serial}, name varchar(255) NOT NULL, guard_name varchar(255) NOT NULL);
CREATE TABLE model_has_roles (role_id bigint NOT NULL, model_type varchar(255) NOT NULL, model_id bigint NOT NULL);
INSERT INTO users VALUES
 (1, 'Ann Lee', 'ann.lee@example.com', '2020-01-01 00:00:00', '$2y$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy', NULL, NULL, NULL, NULL, '2020-01-01 00:00:00', NULL, NULL),
 (2, 'Bo', 'bo@example.com', NULL, '$2y$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy', 'eyJpdiI6', NULL, '2021-01-01 00:00:00', NULL, '2020-01-01 00:00:00', NULL, NULL),
 (3, 'Cy', 'cy@example.com', NULL, '$2y$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy', NULL, NULL, NULL, NULL, '2020-01-01 00:00:00', NULL, '2024-01-01 00:00:00');
INSERT INTO roles VALUES (1, 'editor', 'web');
INSERT INTO model_has_roles VALUES (1, 'App{bs}Models{bs}User', 1), (1, 'App{bs}Models{bs}Team', 2);
`,
    reads: "its table users with model_has_roles, roles; not there: connected_accounts",
    users: [
      "1 ann.lee@example.com+ - $2y$10$N9qo8uL role:editor 2020-01-01 name=Ann Lee (joined_not_migrated) (profile_not_migrated) (roles_not_migrated)",
      "2 bo@example.com! - $2y$10$N9qo8uL factor lost 2020-01-01 name=Bo (joined_not_migrated) (mfa_not_migrated) (profile_not_migrated)",
      "3 cy@example.com! - $2y$10$N9qo8uL deleted 2020-01-01 name=Cy (joined_not_migrated) (profile_not_migrated)",
    ],
  },
  {
    system: "discourse",
    on: ["postgres"],
    sql: `
CREATE TABLE users (id serial PRIMARY KEY, username varchar(60) NOT NULL, created_at timestamp NOT NULL, updated_at timestamp NOT NULL, name varchar, seen_notification_id int NOT NULL DEFAULT 0, last_posted_at timestamp, active boolean NOT NULL DEFAULT false, username_lower varchar(60) NOT NULL, last_seen_at timestamp, admin boolean NOT NULL DEFAULT false, trust_level int NOT NULL, approved boolean NOT NULL DEFAULT false, suspended_at timestamp, suspended_till timestamp, date_of_birth date, silenced_till timestamp, moderator boolean DEFAULT false, staged boolean NOT NULL DEFAULT false, locale varchar(10), title varchar);
CREATE TABLE user_emails (id serial PRIMARY KEY, user_id int NOT NULL, email varchar(513) NOT NULL, "primary" boolean NOT NULL DEFAULT false, created_at timestamp NOT NULL DEFAULT now());
CREATE TABLE user_passwords (id serial PRIMARY KEY, user_id int NOT NULL, password_hash varchar(64) NOT NULL, password_salt varchar(32) NOT NULL, password_algorithm varchar(64) NOT NULL, password_expired_at timestamp);
CREATE TABLE site_settings (id serial PRIMARY KEY, name varchar NOT NULL, data_type int NOT NULL, value text);
CREATE TABLE user_second_factors (id bigserial PRIMARY KEY, user_id int NOT NULL, method int NOT NULL, data varchar NOT NULL, enabled boolean NOT NULL DEFAULT false);
CREATE TABLE user_associated_accounts (id bigserial PRIMARY KEY, provider_name varchar NOT NULL, provider_uid varchar NOT NULL, user_id int);
CREATE TABLE groups (id serial PRIMARY KEY, name varchar NOT NULL);
CREATE TABLE group_users (id serial PRIMARY KEY, group_id int NOT NULL, user_id int NOT NULL);
INSERT INTO users (id, username, username_lower, name, created_at, updated_at, active, trust_level, suspended_till) VALUES
 (-1, 'system', 'system', 'system', '2020-01-01', '2020-01-01', true, 4, NULL), (1, 'Ann', 'ann', 'Ann Lee', '2020-01-01', '2020-01-01', true, 1, NULL),
 (2, 'bo', 'bo', 'Bo', '2020-01-01', '2020-01-01', false, 0, NULL), (3, 'cy', 'cy', 'Cy', '2020-01-01', '2020-01-01', true, 1, '3000-01-01'), (4, 'di', 'di', '', '2020-01-01', '2020-01-01', true, 1, NULL);
INSERT INTO user_emails (user_id, email, "primary") VALUES (-1, 'no_email', true), (1, 'ann.lee@example.com', true), (1, 'ann.other@example.com', false), (2, 'bo@example.com', true), (3, 'cy@example.com', true), (4, 'di@example.com', true);
INSERT INTO user_passwords (user_id, password_hash, password_salt, password_algorithm) VALUES (1, '5c6ba25164bdf7fecd4c1e7915d1ed7127ad3c64061756339005386aced6a2d3', '0123456789abcdef0123456789abcdef', '$pbkdf2-sha256$i=600000,l=32$');
INSERT INTO user_second_factors (user_id, method, data, enabled) VALUES (1, 1, 'jbswy3dpehpk3pxp', true), (1, 2, '{}', true), (4, 1, 'jbswy3dpehpk3pxp', false);
INSERT INTO user_associated_accounts (provider_name, provider_uid, user_id) VALUES ('google_oauth2', '1082', 4);
INSERT INTO groups VALUES (11, 'trust_level_1'), (41, 'editors');
INSERT INTO group_users (group_id, user_id) VALUES (11, 1), (41, 1);
`,
    reads:
      "its table users with user_emails, user_passwords, site_settings, user_second_factors, user_associated_accounts, group_users, groups; not there: user_security_keys",
    users: [
      "-1 - - - service_account 2020-01-01 username=system name=system (joined_not_migrated) (profile_not_migrated) (username_not_migrated) (contact_unusable)",
      "1 ann.lee@example.com - $pbkdf2-sha256 role:editors totp:JBSWY3DPEHPK3PXP/30/6 2020-01-01 username=Ann name=Ann Lee (joined_not_migrated) (mfa_not_migrated) (other_contacts_not_migrated) (profile_not_migrated) (roles_not_migrated) (username_not_migrated)",
      "2 bo@example.com! - - disabled 2020-01-01 username=bo name=Bo (joined_not_migrated) (profile_not_migrated) (username_not_migrated)",
      "3 cy@example.com - - disabled 2020-01-01 username=cy name=Cy (joined_not_migrated) (profile_not_migrated) (username_not_migrated)",
      "4 di@example.com - - google_oauth2:1082 2020-01-01 username=di (joined_not_migrated) (social_identity_dropped) (username_not_migrated)",
    ],
  },
  {
    system: "mastodon",
    on: ["postgres"],
    sql: `
CREATE TABLE accounts (id bigint PRIMARY KEY, username varchar NOT NULL, domain varchar, display_name varchar NOT NULL DEFAULT '', note text, suspended_at timestamp, memorial boolean NOT NULL DEFAULT false);
CREATE TABLE user_roles (id bigserial PRIMARY KEY, name varchar NOT NULL);
CREATE TABLE users (id bigserial PRIMARY KEY, email varchar NOT NULL DEFAULT '', created_at timestamp NOT NULL, updated_at timestamp NOT NULL, encrypted_password varchar NOT NULL DEFAULT '', reset_password_token varchar, confirmed_at timestamp, unconfirmed_email varchar, locale varchar, otp_secret varchar, otp_required_for_login boolean NOT NULL DEFAULT false, account_id bigint NOT NULL, disabled boolean NOT NULL DEFAULT false, chosen_languages varchar[], approved boolean NOT NULL DEFAULT true, role_id bigint, time_zone varchar);
CREATE TABLE identities (id bigserial PRIMARY KEY, user_id bigint, provider varchar NOT NULL DEFAULT '', uid varchar NOT NULL DEFAULT '');
INSERT INTO accounts VALUES (109876543210987654, 'ann', NULL, 'Ann Lee', NULL, NULL, false), (2, 'far', 'elsewhere.example', 'Far', NULL, NULL, false), (3, 'cy', NULL, '', NULL, '2024-01-01', false), (4, 'di', NULL, '', NULL, NULL, false);
INSERT INTO user_roles VALUES (3, 'Owner');
INSERT INTO users VALUES
 (1, 'ann.lee@example.com', '2020-01-01', '2020-01-01', '${BCRYPT}', NULL, '2020-01-01', NULL, 'en', NULL, false, 109876543210987654, false, '{en,de}', true, 3, 'Berlin'),
 (2, 'cy@example.com', '2020-01-01', '2020-01-01', '${BCRYPT}', NULL, '2020-01-01', NULL, 'en', NULL, false, 3, false, NULL, true, NULL, NULL),
 (3, 'di@example.com', '2020-01-01', '2020-01-01', '${BCRYPT}', NULL, NULL, NULL, 'en', 'sealed', true, 4, false, NULL, false, NULL, NULL);
INSERT INTO identities VALUES (1, 1, 'saml', 'ann');
`,
    reads: "its table users with accounts, identities, user_roles; not there: webauthn_credentials",
    users: [
      "1 ann.lee@example.com+ - $2b$10$N9qo8uL role:Owner saml:ann 2020-01-01 locale=en zoneinfo=Berlin preferred_username=ann name=Ann Lee (joined_not_migrated) (profile_not_migrated) (roles_not_migrated) (social_identity_dropped) (username_not_migrated)",
      "2 cy@example.com+ - $2b$10$N9qo8uL disabled 2020-01-01 locale=en preferred_username=cy (joined_not_migrated) (profile_not_migrated) (username_not_migrated)",
      "3 di@example.com! - $2b$10$N9qo8uL disabled factor lost 2020-01-01 locale=en preferred_username=di (joined_not_migrated) (mfa_not_migrated) (profile_not_migrated) (username_not_migrated)",
    ],
  },
  {
    system: "nextcloud",
    on: ["postgres", "mysql"],
    sql: `
CREATE TABLE oc_users (uid varchar(64) NOT NULL PRIMARY KEY, displayname varchar(64), password varchar(255) NOT NULL DEFAULT '', uid_lower varchar(64));
CREATE TABLE oc_preferences (userid varchar(64) NOT NULL, appid varchar(32) NOT NULL, configkey varchar(64) NOT NULL, configvalue text);
CREATE TABLE oc_twofactor_providers (provider_id varchar(32) NOT NULL, uid varchar(64) NOT NULL, enabled smallint NOT NULL);
CREATE TABLE oc_group_user (gid varchar(64) NOT NULL, uid varchar(64) NOT NULL);
INSERT INTO oc_users VALUES ('ann', 'Ann Lee', '2|${BCRYPT}', 'ann'), ('Bo', NULL, '2|${BCRYPT}', 'bo'), ('cy', NULL, '2|${BCRYPT}', 'cy');
INSERT INTO oc_preferences VALUES ('ann', 'settings', 'email', 'ann.lee@example.com'), ('ann', 'core', 'lang', 'de'), ('Bo', 'settings', 'email', 'bo@example.com'), ('Bo', 'core', 'enabled', 'false'), ('cy', 'settings', 'email', 'cy@example.com');
INSERT INTO oc_twofactor_providers VALUES ('totp', 'cy', 1), ('backup_codes', 'ann', 1), ('totp', 'ann', 0);
INSERT INTO oc_group_user VALUES ('editors', 'ann'), ('admin', 'ann');
`,
    reads: "its table oc_users with oc_preferences, oc_twofactor_providers, oc_group_user",
    users: [
      "Bo bo@example.com - 2|$2b$10$N9qo8 disabled",
      "ann ann.lee@example.com - 2|$2b$10$N9qo8 role:editors role:admin name=Ann Lee locale=de (profile_not_migrated) (roles_not_migrated)",
      "cy cy@example.com - 2|$2b$10$N9qo8 factor lost (mfa_not_migrated)",
    ],
  },
  {
    system: "gitea",
    on: ["postgres", "mysql"],
    sql: `
CREATE TABLE {q}user{q} (id {serial}, lower_name varchar(255) NOT NULL, name varchar(255) NOT NULL, full_name varchar(255), email varchar(255) NOT NULL, passwd varchar(255) NOT NULL, passwd_hash_algo varchar(255) NOT NULL DEFAULT 'argon2', must_change_password {bool} NOT NULL, login_type int, login_source bigint NOT NULL DEFAULT 0, login_name varchar(255), type int, salt varchar(32), language varchar(5), created_unix bigint, is_active {bool}, is_admin {bool}, prohibit_login {bool} NOT NULL);
CREATE TABLE two_factor (id {serial}, uid bigint, secret varchar(255));
CREATE TABLE email_address (id {serial}, uid bigint NOT NULL, email varchar(255) NOT NULL, is_activated {bool}, is_primary {bool} NOT NULL);
INSERT INTO {q}user{q} VALUES
 (1, 'ann', 'Ann', 'Ann Lee', 'ann.lee@example.com', '${BCRYPT}', 'bcrypt', {no}, 0, 0, '', 0, 'abcdefghij', 'en', 1577836800, {yes}, {yes}, {no}),
 (2, 'acme', 'acme', '', '', '', 'bcrypt', {no}, 0, 0, '', 1, '', '', 1577836800, {yes}, {no}, {no}),
 (3, 'bo', 'bo', '', 'bo@example.com', '${BCRYPT}', 'bcrypt', {no}, 0, 0, '', 0, 'abcdefghij', '', 1577836800, {yes}, {no}, {yes}),
 (4, 'cy', 'cy', '', 'cy@example.com', '${BCRYPT}', 'bcrypt', {no}, 0, 0, '', 0, 'abcdefghij', '', 1577836800, {yes}, {no}, {no});
INSERT INTO two_factor VALUES (1, 4, 'sealed');
INSERT INTO email_address VALUES (1, 1, 'ann.lee@example.com', {yes}, {yes}), (2, 1, 'ann.other@example.com', {yes}, {no});
`,
    reads: "its table user with two_factor, email_address; not there: webauthn_credential",
    users: [
      '1 ann.lee@example.com - {"kind":"crede 2020-01-01 preferred_username=Ann name=Ann Lee locale=en (joined_not_migrated) (other_contacts_not_migrated) (profile_not_migrated) (roles_not_migrated) (username_not_migrated)',
      "2 - - - service_account 2020-01-01 preferred_username=acme (joined_not_migrated) (username_not_migrated)",
      '3 bo@example.com - {"kind":"crede disabled 2020-01-01 preferred_username=bo (joined_not_migrated) (username_not_migrated)',
      '4 cy@example.com - {"kind":"crede factor lost 2020-01-01 preferred_username=cy (joined_not_migrated) (mfa_not_migrated) (username_not_migrated)',
    ],
  },
  {
    system: "wordpress",
    on: ["mysql"],
    sql: `
CREATE TABLE blog_users (ID bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, user_login varchar(60) NOT NULL DEFAULT '', user_pass varchar(255) NOT NULL DEFAULT '', user_nicename varchar(50) NOT NULL DEFAULT '', user_email varchar(100) NOT NULL DEFAULT '', user_url varchar(100) NOT NULL DEFAULT '', user_registered datetime NOT NULL DEFAULT '0000-00-00 00:00:00', user_activation_key varchar(255) NOT NULL DEFAULT '', user_status int NOT NULL DEFAULT 0, display_name varchar(250) NOT NULL DEFAULT '');
CREATE TABLE blog_usermeta (umeta_id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, user_id bigint unsigned NOT NULL DEFAULT 0, meta_key varchar(255), meta_value longtext);
INSERT INTO blog_users VALUES (1, 'ann', '${BCRYPT}', 'ann', 'ann.lee@example.com', '', '2020-01-01 00:00:00', '', 0, 'Ann Lee'), (2, 'bo', '${BCRYPT}', 'bo', 'bo@example.com', '', '0000-00-00 00:00:00', '', 0, 'Bo, "the" \\\\ one');
INSERT INTO blog_usermeta (user_id, meta_key, meta_value) VALUES (1, 'first_name', 'Ann'), (1, 'last_name', 'Lee'), (1, 'locale', 'de_DE'), (1, '_two_factor_totp_key', 'JBSWY3DPEHPK3PXP'), (2, 'first_name', '');
`,
    reads: "its table blog_users with blog_usermeta",
    users: [
      "1 ann.lee@example.com - $2b$10$N9qo8uL totp:JBSWY3DPEHPK3PXP/30/6 2020-01-01 preferred_username=ann name=Ann Lee given_name=Ann family_name=Lee locale=de_DE first_name=Ann last_name=Lee (joined_not_migrated) (mfa_not_migrated) (profile_not_migrated) (username_not_migrated)",
      '2 bo@example.com - $2b$10$N9qo8uL preferred_username=bo name=Bo, "the" \\ one (profile_not_migrated) (username_not_migrated)',
    ],
  },
  {
    system: "joomla",
    on: ["mysql", "postgres"],
    sql: `
CREATE TABLE jos_users (id {serial}, name varchar(400) NOT NULL DEFAULT '', username varchar(150) NOT NULL DEFAULT '', email varchar(100) NOT NULL DEFAULT '', password varchar(100) NOT NULL DEFAULT '', block smallint NOT NULL DEFAULT 0, {q}sendEmail{q} smallint DEFAULT 0, {q}registerDate{q} {stamp} NOT NULL, {q}lastvisitDate{q} {stamp} NULL, activation varchar(100) NOT NULL DEFAULT '', params text NOT NULL, {q}requireReset{q} smallint NOT NULL DEFAULT 0);
CREATE TABLE jos_user_mfa (id {serial}, user_id int NOT NULL, title varchar(255) NOT NULL, method varchar(100) NOT NULL, options text NOT NULL);
CREATE TABLE jos_usergroups (id {serial}, title varchar(100) NOT NULL);
CREATE TABLE jos_user_usergroup_map (user_id int NOT NULL, group_id int NOT NULL);
INSERT INTO jos_users VALUES (1, 'Ann Lee', 'ann', 'ann.lee@example.com', '${BCRYPT}', 0, 0, '2020-01-01 00:00:00', NULL, '', '{}', 0), (2, 'Bo', 'bo', 'bo@example.com', '${BCRYPT}', 1, 0, '2020-01-01 00:00:00', NULL, 'abc', '{}', 0), (3, 'Cy', 'cy', 'cy@example.com', '${BCRYPT}', 0, 0, '2020-01-01 00:00:00', NULL, '', '{}', 0);
INSERT INTO jos_user_mfa VALUES (1, 3, 'app', 'totp', 'sealed'), (2, 1, 'codes', 'backupcodes', 'sealed');
INSERT INTO jos_usergroups VALUES (2, 'Registered'), (8, 'Super Users');
INSERT INTO jos_user_usergroup_map VALUES (1, 2), (1, 8), (2, 2), (3, 2);
`,
    reads: "its table jos_users with jos_user_mfa, jos_user_usergroup_map, jos_usergroups",
    users: [
      "1 ann.lee@example.com - $2b$10$N9qo8uL role:Registered role:Super Users 2020-01-01 name=Ann Lee preferred_username=ann (joined_not_migrated) (profile_not_migrated) (roles_not_migrated) (username_not_migrated)",
      "2 bo@example.com! - $2b$10$N9qo8uL disabled role:Registered 2020-01-01 name=Bo preferred_username=bo (joined_not_migrated) (profile_not_migrated) (roles_not_migrated) (username_not_migrated)",
      "3 cy@example.com - $2b$10$N9qo8uL role:Registered factor lost 2020-01-01 name=Cy preferred_username=cy (joined_not_migrated) (mfa_not_migrated) (profile_not_migrated) (roles_not_migrated) (username_not_migrated)",
    ],
  },
  {
    system: "drupal",
    on: ["mysql", "postgres"],
    sql: `
CREATE TABLE users_field_data (uid int NOT NULL, langcode varchar(12) NOT NULL, preferred_langcode varchar(12), preferred_admin_langcode varchar(12), name varchar(60) NOT NULL, pass varchar(255), mail varchar(254), timezone varchar(32), status smallint, created int NOT NULL, changed int, access int NOT NULL, login int, init varchar(254), default_langcode smallint NOT NULL, PRIMARY KEY (uid, langcode));
CREATE TABLE user__roles (bundle varchar(128) NOT NULL, deleted smallint NOT NULL, entity_id int NOT NULL, revision_id int NOT NULL, langcode varchar(32) NOT NULL, delta int NOT NULL, roles_target_id varchar(255) NOT NULL);
INSERT INTO users_field_data VALUES (0, 'en', 'en', NULL, '', NULL, NULL, '', 0, 1577836800, 1577836800, 0, 0, NULL, 1),
 (1, 'en', 'en', NULL, 'ann', '${BCRYPT}', 'ann.lee@example.com', 'Europe/Berlin', 1, 1577836800, 1577836800, 0, 0, 'ann.lee@example.com', 1), (1, 'de', 'en', NULL, 'ann', '${BCRYPT}', 'ann.lee@example.com', 'Europe/Berlin', 1, 1577836800, 1577836800, 0, 0, 'ann.lee@example.com', 0),
 (2, 'en', 'en', NULL, 'bo', '${BCRYPT}', 'bo@example.com', '', 0, 1577836800, 1577836800, 0, 0, 'bo@example.com', 1);
INSERT INTO user__roles VALUES ('user', 0, 1, 1, 'en', 0, 'editor'), ('user', 1, 2, 2, 'en', 0, 'editor');
`,
    reads: "its table users_field_data with user__roles",
    users: [
      "1 ann.lee@example.com - $2b$10$N9qo8uL role:editor 2020-01-01 locale=en preferred_username=ann zoneinfo=Europe/Berlin (joined_not_migrated) (profile_not_migrated) (roles_not_migrated) (username_not_migrated)",
      "2 bo@example.com - $2b$10$N9qo8uL disabled 2020-01-01 locale=en preferred_username=bo (joined_not_migrated) (profile_not_migrated) (username_not_migrated)",
    ],
  },
  {
    system: "directus",
    on: ["postgres", "mysql"],
    sql: `
CREATE TABLE directus_roles (id char(36) NOT NULL PRIMARY KEY, name varchar(100) NOT NULL);
CREATE TABLE directus_users (id char(36) NOT NULL PRIMARY KEY, first_name varchar(50), last_name varchar(50), email varchar(128), password varchar(255), tags {json}, language varchar(255), tfa_secret varchar(255), status varchar(16) NOT NULL DEFAULT 'active', role char(36), token varchar(255), last_access {time} NULL, provider varchar(128) NOT NULL DEFAULT 'default', external_identifier varchar(255), auth_data {json});
INSERT INTO directus_roles VALUES ('11111111-1111-4111-8111-111111111111', 'Editor');
INSERT INTO directus_users VALUES ('0b39f3a5-0000-4000-8000-000000000001', 'Ann', 'Lee', 'ann.lee@example.com', '${ARGON2}', NULL, NULL, 'JBSWY3DPEHPK3PXP', 'active', '11111111-1111-4111-8111-111111111111', NULL, NULL, 'default', NULL, NULL), ('0b39f3a5-0000-4000-8000-000000000002', NULL, NULL, 'bo@example.com', NULL, NULL, NULL, NULL, 'invited', NULL, NULL, NULL, 'default', NULL, NULL), ('0b39f3a5-0000-4000-8000-000000000003', NULL, NULL, 'cy@example.com', NULL, NULL, NULL, NULL, 'active', NULL, NULL, NULL, 'google', '1082', NULL);
`,
    reads: "its table directus_users with directus_roles",
    users: [
      "0b39f3a5-0000-4000-8000-000000000001 ann.lee@example.com - $argon2id$v=19 role:Editor totp:JBSWY3DPEHPK3PXP/30/6 given_name=Ann family_name=Lee first_name=Ann last_name=Lee (mfa_not_migrated) (profile_not_migrated) (roles_not_migrated)",
      "0b39f3a5-0000-4000-8000-000000000002 bo@example.com! - - disabled",
      "0b39f3a5-0000-4000-8000-000000000003 cy@example.com - - (social_identity_dropped)",
    ],
  },
  {
    system: "better-auth",
    on: ["postgres", "mysql"],
    sql: `
CREATE TABLE {q}user{q} (id varchar(36) NOT NULL PRIMARY KEY, name text NOT NULL, email varchar(255) NOT NULL UNIQUE, {q}emailVerified{q} {bool} NOT NULL, image text, {q}createdAt{q} {time} NOT NULL, {q}updatedAt{q} {time} NOT NULL, role text, banned {bool}, {q}banReason{q} text, {q}banExpires{q} {time} NULL, {q}twoFactorEnabled{q} {bool});
CREATE TABLE account (id varchar(36) NOT NULL PRIMARY KEY, {q}accountId{q} text NOT NULL, {q}providerId{q} text NOT NULL, {q}userId{q} varchar(36) NOT NULL, {q}accessToken{q} text, password text);
INSERT INTO {q}user{q} VALUES ('u1', 'Ann Lee', 'ann.lee@example.com', {yes}, NULL, '2020-01-01 00:00:00', '2020-01-01 00:00:00', 'admin,editor', {no}, NULL, NULL, {no}), ('u2', 'Bo', 'bo@example.com', {no}, NULL, '2020-01-01 00:00:00', '2020-01-01 00:00:00', 'user', {yes}, 'spam', '2020-02-01 00:00:00', {no}), ('u3', 'Cy', 'cy@example.com', {yes}, NULL, '2020-01-01 00:00:00', '2020-01-01 00:00:00', 'user', {yes}, NULL, NULL, {yes});
INSERT INTO account VALUES ('a1', 'u1', 'credential', 'u1', NULL, '${BCRYPT}'), ('a2', '1082', 'google', 'u1', 'token', NULL), ('a3', '77', 'github', 'u2', NULL, NULL), ('a4', 'u3', 'credential', 'u3', NULL, '${BCRYPT}');
`,
    reads: "its table user with account",
    users: [
      "u1 ann.lee@example.com+ - $2b$10$N9qo8uL role:admin role:editor google:1082 2020-01-01 name=Ann Lee (joined_not_migrated) (profile_not_migrated) (roles_not_migrated) (social_identity_dropped)",
      "u2 bo@example.com! - - role:user github:77 2020-01-01 name=Bo (joined_not_migrated) (profile_not_migrated) (roles_not_migrated) (social_identity_dropped)",
      "u3 cy@example.com+ - $2b$10$N9qo8uL disabled role:user factor lost 2020-01-01 name=Cy (joined_not_migrated) (mfa_not_migrated) (profile_not_migrated) (roles_not_migrated)",
    ],
  },
  {
    system: "authjs",
    on: ["postgres", "mysql"],
    sql: `
CREATE TABLE users (id {serial}, name varchar(255), email varchar(255), {q}emailVerified{q} {time} NULL, image text);
CREATE TABLE accounts (id {serial}, {q}userId{q} integer NOT NULL, type varchar(255) NOT NULL, provider varchar(255) NOT NULL, {q}providerAccountId{q} varchar(255) NOT NULL, access_token text);
INSERT INTO users VALUES (1, 'Ann Lee', 'ann.lee@example.com', '2020-01-01 00:00:00', NULL), (2, 'Bo', 'bo@example.com', NULL, NULL);
INSERT INTO accounts VALUES (1, 2, 'oidc', 'google', '1082', 'token');
`,
    reads: "its table users with accounts; not there: Authenticator",
    users: [
      "1 ann.lee@example.com+ - - name=Ann Lee (profile_not_migrated)",
      "2 bo@example.com! - - google:1082 name=Bo (profile_not_migrated) (social_identity_dropped)",
    ],
  },
  {
    system: "strapi",
    on: ["postgres", "mysql"],
    sql: `
CREATE TABLE up_users (id {serial}, document_id varchar(255), username varchar(255), email varchar(255), provider varchar(255), password varchar(255), reset_password_token varchar(255), confirmation_token varchar(255), confirmed {bool}, blocked {bool}, created_at {stamp} NULL, updated_at {stamp} NULL, published_at {stamp} NULL, created_by_id int, updated_by_id int, locale varchar(255));
CREATE TABLE up_roles (id {serial}, name varchar(255), type varchar(255));
CREATE TABLE up_users_role_lnk (id {serial}, user_id int, role_id int);
INSERT INTO up_users VALUES (1, 'x', 'ann', 'ann.lee@example.com', 'local', '${BCRYPT}', NULL, NULL, {yes}, {no}, '2020-01-01 00:00:00', NULL, NULL, NULL, NULL, NULL), (2, 'y', 'bo', 'bo@example.com', 'google', NULL, NULL, NULL, {yes}, {no}, '2020-01-01 00:00:00', NULL, NULL, NULL, NULL, NULL), (3, 'z', 'cy', 'cy@example.com', 'local', '${BCRYPT}', NULL, NULL, {no}, {yes}, '2020-01-01 00:00:00', NULL, NULL, NULL, NULL, NULL);
INSERT INTO up_roles VALUES (1, 'Authenticated', 'authenticated'), (3, 'Editor', 'editor');
INSERT INTO up_users_role_lnk VALUES (1, 1, 3), (2, 2, 1);
`,
    reads: "its table up_users with up_users_role_lnk, up_roles",
    users: [
      "1 ann.lee@example.com+ - $2b$10$N9qo8uL role:editor 2020-01-01 preferred_username=ann (joined_not_migrated) (roles_not_migrated) (username_not_migrated)",
      "2 bo@example.com+ - - 2020-01-01 preferred_username=bo (joined_not_migrated) (roles_not_migrated) (social_identity_dropped) (username_not_migrated)",
      "3 cy@example.com! - $2b$10$N9qo8uL disabled 2020-01-01 preferred_username=cy (joined_not_migrated) (username_not_migrated)",
    ],
  },
  {
    system: "aspnet-identity",
    on: ["postgres", "mysql"],
    sql: `
CREATE TABLE {q}AspNetUsers{q} ({q}Id{q} varchar(255) NOT NULL PRIMARY KEY, {q}UserName{q} varchar(256), {q}NormalizedUserName{q} varchar(256), {q}Email{q} varchar(256), {q}NormalizedEmail{q} varchar(256), {q}EmailConfirmed{q} {bool} NOT NULL, {q}PasswordHash{q} text, {q}SecurityStamp{q} text, {q}ConcurrencyStamp{q} text, {q}PhoneNumber{q} text, {q}PhoneNumberConfirmed{q} {bool} NOT NULL, {q}TwoFactorEnabled{q} {bool} NOT NULL, {q}LockoutEnd{q} {time} NULL, {q}LockoutEnabled{q} {bool} NOT NULL, {q}AccessFailedCount{q} int NOT NULL);
CREATE TABLE {q}AspNetRoles{q} ({q}Id{q} varchar(255) NOT NULL PRIMARY KEY, {q}Name{q} varchar(256));
CREATE TABLE {q}AspNetUserRoles{q} ({q}UserId{q} varchar(255) NOT NULL, {q}RoleId{q} varchar(255) NOT NULL);
CREATE TABLE {q}AspNetUserLogins{q} ({q}LoginProvider{q} varchar(128) NOT NULL, {q}ProviderKey{q} varchar(128) NOT NULL, {q}ProviderDisplayName{q} text, {q}UserId{q} varchar(255) NOT NULL, PRIMARY KEY ({q}LoginProvider{q}, {q}ProviderKey{q}));
CREATE TABLE {q}AspNetUserTokens{q} ({q}UserId{q} varchar(255) NOT NULL, {q}LoginProvider{q} varchar(128) NOT NULL, {q}Name{q} varchar(128) NOT NULL, {q}Value{q} text, PRIMARY KEY ({q}UserId{q}, {q}LoginProvider{q}, {q}Name{q}));
INSERT INTO {q}AspNetUsers{q} VALUES ('a', 'ann', 'ANN', 'ann.lee@example.com', 'ANN.LEE@EXAMPLE.COM', {yes}, 'AQAAAAIAAYagAAAAEA==', 's', 'c', NULL, {no}, {yes}, NULL, {yes}, 0), ('b', 'bo@example.com', 'BO@EXAMPLE.COM', 'bo@example.com', 'BO@EXAMPLE.COM', {no}, NULL, 's', 'c', NULL, {no}, {no}, NULL, {yes}, 0), ('c', 'cy', 'CY', 'cy@example.com', 'CY@EXAMPLE.COM', {yes}, 'AQAAAAIAAYagAAAAEA==', 's', 'c', NULL, {no}, {no}, '9999-12-31 23:59:59', {yes}, 0);
INSERT INTO {q}AspNetRoles{q} VALUES ('r1', 'Editor');
INSERT INTO {q}AspNetUserRoles{q} VALUES ('a', 'r1');
INSERT INTO {q}AspNetUserLogins{q} VALUES ('Google', '1082', 'Google', 'b');
INSERT INTO {q}AspNetUserTokens{q} VALUES ('a', '[AspNetUserStore]', 'AuthenticatorKey', 'JBSWY3DPEHPK3PXP'), ('b', '[AspNetUserStore]', 'AuthenticatorKey', 'JBSWY3DPEHPK3PXP'), ('a', 'Google', 'access_token', 'x');
`,
    reads:
      "its table AspNetUsers with AspNetUserTokens, AspNetUserLogins, AspNetUserRoles, AspNetRoles",
    users: [
      "a ann.lee@example.com+ - AQAAAAIAAYagAA role:Editor totp:JBSWY3DPEHPK3PXP/30/6 preferred_username=ann (mfa_not_migrated) (roles_not_migrated) (username_not_migrated)",
      "b bo@example.com! - - Google:1082 preferred_username=bo@example.com (social_identity_dropped)",
      "c cy@example.com+ - AQAAAAIAAYagAA disabled preferred_username=cy (username_not_migrated)",
    ],
  },
  {
    system: "keycloak",
    on: ["postgres", "mysql"],
    sql: `
CREATE TABLE {t}realm{t} (id varchar(36) NOT NULL PRIMARY KEY, name varchar(255), enabled {bit} NOT NULL);
CREATE TABLE {t}user_entity{t} (id varchar(36) NOT NULL PRIMARY KEY, email varchar(255), email_constraint varchar(255), email_verified {bit} NOT NULL, enabled {bit} NOT NULL, federation_link varchar(255), first_name varchar(255), last_name varchar(255), realm_id varchar(255), username varchar(255), created_timestamp bigint, service_account_client_link varchar(255), not_before int NOT NULL DEFAULT 0);
CREATE TABLE {t}credential{t} (id varchar(36) NOT NULL PRIMARY KEY, salt varchar(9), type varchar(255), user_id varchar(36), created_date bigint, user_label varchar(255), secret_data text, credential_data text, priority int);
CREATE TABLE {t}federated_identity{t} (identity_provider varchar(255) NOT NULL, realm_id varchar(36), federated_user_id varchar(255), federated_username varchar(255), token text, user_id varchar(36) NOT NULL, PRIMARY KEY (identity_provider, user_id));
CREATE TABLE {t}user_required_action{t} (user_id varchar(36) NOT NULL, required_action varchar(255) NOT NULL);
CREATE TABLE {t}user_attribute{t} (name varchar(255) NOT NULL, value varchar(255), user_id varchar(36) NOT NULL, id varchar(36) NOT NULL PRIMARY KEY, long_value text);
CREATE TABLE {t}keycloak_role{t} (id varchar(36) NOT NULL PRIMARY KEY, client_role {bit}, name varchar(255));
CREATE TABLE {t}user_role_mapping{t} (role_id varchar(255) NOT NULL, user_id varchar(36) NOT NULL, PRIMARY KEY (role_id, user_id));
CREATE TABLE {t}keycloak_group{t} (id varchar(36) NOT NULL PRIMARY KEY, name varchar(255));
CREATE TABLE {t}user_group_membership{t} (group_id varchar(36) NOT NULL, user_id varchar(36) NOT NULL, PRIMARY KEY (group_id, user_id));
INSERT INTO {t}realm{t} VALUES ('r0', 'master', {one}), ('r1', 'acme', {one}), ('r2', 'empty', {one});
INSERT INTO {t}user_entity{t} VALUES
 ('0', NULL, 'x', {nil}, {one}, NULL, NULL, NULL, 'r0', 'admin', 1577836800000, NULL, 0),
 ('a', 'ann.lee@example.com', 'ann.lee@example.com', {one}, {one}, NULL, 'Ann', 'Lee', 'r1', 'ann', 1577836800000, NULL, 0),
 ('b', 'bo@example.com', 'bo@example.com', {nil}, {one}, NULL, 'Bo', NULL, 'r1', 'bo', 1577836800000, NULL, 0),
 ('c', 'cy@example.com', 'cy@example.com', {one}, {nil}, NULL, NULL, NULL, 'r1', 'cy', 1577836800000, NULL, 0),
 ('d', 'di@example.com', 'di@example.com', {one}, {one}, 'ldap', NULL, NULL, 'r1', 'di', 1577836800000, NULL, 0),
 ('e', NULL, 'y', {nil}, {one}, NULL, NULL, NULL, 'r1', 'service-account-shop', 1577836800000, 'shop', 0),
 ('f', 'flo@example.com', 'flo@example.com', {one}, {one}, NULL, NULL, NULL, 'r1', 'flo', 1577836800000, NULL, 0);
INSERT INTO {t}credential{t} VALUES
 ('c1', NULL, 'password', 'a', 1, NULL, '{"value":"WmXz2WhWTGNMvbg6oYAzSVCWOrTtMYlNqXyYvC4yCUY=","salt":"c29tZXNhbHRzb21lc2FsdA==","additionalParameters":{}}', '{"hashIterations":3,"algorithm":"argon2","additionalParameters":{"hashLength":["32"],"memory":["65536"],"type":["id"],"version":["1.3"],"parallelism":["4"]}}', 10),
 ('c2', NULL, 'otp', 'a', 1, 'phone', '{"value":"zuRHFFEuEHInqOJBdBNC"}', '{"subType":"totp","digits":6,"counter":0,"period":30,"algorithm":"HmacSHA1"}', 20),
 ('c3', NULL, 'password', 'c', 1, NULL, '{"value":"WmXz2WhWTGNMvbg6oYAzSVCWOrTtMYlNqXyYvC4yCUY=","salt":"c29tZXNhbHRzb21lc2FsdA==","additionalParameters":{}}', '{"hashIterations":3,"algorithm":"argon2","additionalParameters":{"hashLength":["32"],"memory":["65536"],"type":["id"],"version":["1.3"],"parallelism":["4"]}}', 10),
 ('c4', NULL, 'webauthn', 'f', 1, NULL, '{}', '{}', 10);
INSERT INTO {t}federated_identity{t} VALUES ('google', 'r1', '1082', 'bo', NULL, 'b');
INSERT INTO {t}user_required_action{t} VALUES ('f', 'VERIFY_EMAIL'), ('f', 'UPDATE_PASSWORD');
INSERT INTO {t}user_attribute{t} VALUES ('locale', 'de', 'a', 'a1', NULL), ('phoneNumber', '+14155550101', 'a', 'a2', NULL), ('team', 'red', 'a', 'a3', NULL), ('team', NULL, 'a', 'a4', 'blue');
INSERT INTO {t}keycloak_role{t} VALUES ('k1', {nil}, 'editor'), ('k2', {nil}, 'offline_access'), ('k3', {one}, 'manage-account');
INSERT INTO {t}user_role_mapping{t} VALUES ('k1', 'a'), ('k2', 'a'), ('k3', 'b');
INSERT INTO {t}keycloak_group{t} VALUES ('g1', 'staff');
INSERT INTO {t}user_group_membership{t} VALUES ('g1', 'b');
`,
    reads:
      'its table {t}user_entity{t} with {t}credential{t}, {t}federated_identity{t}, {t}user_required_action{t}, {t}user_attribute{t}, {t}user_role_mapping{t}, {t}keycloak_role{t}, {t}user_group_membership{t}, {t}keycloak_group{t}, of the realm acme and not of "master"',
    users: [
      'a ann.lee@example.com+ +14155550101! {"kind":"crede role:editor totp:PJ2VESCGIZCXKRKIJFXHCT2KIJSEETSD/30/6 2020-01-01 given_name=Ann family_name=Lee preferred_username=ann attributes=[object Object] locale=de first_name=Ann last_name=Lee (joined_not_migrated) (metadata_not_migrated) (mfa_not_migrated) (profile_not_migrated) (roles_not_migrated) (username_not_migrated)',
      "b bo@example.com! - - google:1082 2020-01-01 given_name=Bo preferred_username=bo first_name=Bo (joined_not_migrated) (profile_not_migrated) (roles_not_migrated) (social_identity_dropped) (username_not_migrated)",
      'c cy@example.com+ - {"kind":"crede disabled 2020-01-01 preferred_username=cy (joined_not_migrated) (username_not_migrated)',
      "d di@example.com+ - - sso_only 2020-01-01 preferred_username=di (joined_not_migrated) (username_not_migrated)",
      "e - - - service_account 2020-01-01 preferred_username=service-account-shop (joined_not_migrated) (username_not_migrated)",
      "f flo@example.com! - - factor lost 2020-01-01 preferred_username=flo (joined_not_migrated) (mfa_not_migrated) (password_reset_required) (username_not_migrated)",
    ],
  },
  {
    system: "supabase",
    on: ["postgres"],
    sql: `
CREATE SCHEMA auth;
CREATE TYPE auth.factor_type AS ENUM ('totp', 'webauthn', 'phone');
CREATE TYPE auth.factor_status AS ENUM ('unverified', 'verified');
CREATE TABLE auth.users (instance_id uuid, id uuid NOT NULL PRIMARY KEY, aud varchar(255), role varchar(255), email varchar(255), encrypted_password varchar(255), email_confirmed_at timestamptz, invited_at timestamptz, confirmation_token varchar(255), last_sign_in_at timestamptz, raw_app_meta_data jsonb, raw_user_meta_data jsonb, is_super_admin bool, created_at timestamptz, updated_at timestamptz, phone text UNIQUE, phone_confirmed_at timestamptz, phone_change text DEFAULT '', email_change varchar(255), confirmed_at timestamptz GENERATED ALWAYS AS (LEAST(email_confirmed_at, phone_confirmed_at)) STORED, banned_until timestamptz, is_sso_user boolean NOT NULL DEFAULT false, deleted_at timestamptz, is_anonymous boolean NOT NULL DEFAULT false);
CREATE TABLE auth.identities (provider_id text NOT NULL, user_id uuid NOT NULL, identity_data jsonb NOT NULL, provider text NOT NULL, last_sign_in_at timestamptz, created_at timestamptz, email text GENERATED ALWAYS AS (lower(identity_data ->> 'email')) STORED, id uuid NOT NULL DEFAULT gen_random_uuid() PRIMARY KEY);
CREATE TABLE auth.mfa_factors (id uuid NOT NULL DEFAULT gen_random_uuid() PRIMARY KEY, user_id uuid NOT NULL, friendly_name text, factor_type auth.factor_type NOT NULL, status auth.factor_status NOT NULL, secret text, phone text);
CREATE TABLE public.users (id uuid PRIMARY KEY, nickname text);
INSERT INTO auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data, created_at, phone, phone_confirmed_at, banned_until, is_sso_user, deleted_at, is_anonymous) VALUES
 ('00000000-0000-4000-8000-00000000000a', 'authenticated', 'authenticated', 'ann.lee@example.com', '${BCRYPT}', '2020-01-01', '{"provider": "email", "providers": ["email"]}', '{"name": "Ann Lee"}', '2020-01-01', '14155550101', '2020-01-02', NULL, false, NULL, false),
 ('00000000-0000-4000-8000-00000000000b', 'authenticated', 'authenticated', 'bo@example.com', '', NULL, '{"provider": "google", "providers": ["google"]}', '{}', '2020-01-01', NULL, NULL, '2024-01-01', false, NULL, false),
 ('00000000-0000-4000-8000-00000000000c', 'authenticated', 'authenticated', 'cy@example.com', '${BCRYPT}', '2020-01-01', '{"provider": "email", "providers": ["email"]}', '{}', '2020-01-01', NULL, NULL, '3000-01-01', false, NULL, false),
 ('00000000-0000-4000-8000-00000000000d', 'authenticated', 'authenticated', NULL, NULL, NULL, '{}', '{}', '2020-01-01', NULL, NULL, NULL, false, NULL, true),
 ('00000000-0000-4000-8000-00000000000e', 'authenticated', 'authenticated', 'ed@example.com', '${BCRYPT}', '2020-01-01', '{"provider": "email", "providers": ["email"]}', '{}', '2020-01-01', NULL, NULL, NULL, false, NULL, false);
INSERT INTO auth.identities (provider_id, user_id, identity_data, provider) VALUES
 ('00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000a', '{"sub": "00000000-0000-4000-8000-00000000000a", "email": "ann.lee@example.com"}', 'email'),
 ('1082', '00000000-0000-4000-8000-00000000000b', '{"sub": "1082", "email": "bo@example.com", "email_verified": true}', 'google');
INSERT INTO auth.mfa_factors (user_id, factor_type, status, secret) VALUES
 ('00000000-0000-4000-8000-00000000000a', 'totp', 'verified', 'JBSWY3DPEHPK3PXP'), ('00000000-0000-4000-8000-00000000000b', 'totp', 'unverified', 'JBSWY3DPEHPK3PXP'), ('00000000-0000-4000-8000-00000000000e', 'phone', 'verified', NULL);
`,
    reads: "its table users with identities, mfa_factors; not there: webauthn_credentials",
    users: [
      "00000000-0000-4000-8000-00000000000a ann.lee@example.com+ +14155550101+ $2b$10$N9qo8uL totp:JBSWY3DPEHPK3PXP/30/6 2020-01-01 user_metadata=[object Object] name=Ann Lee (joined_not_migrated) (mfa_not_migrated) (profile_not_migrated)",
      "00000000-0000-4000-8000-00000000000b bo@example.com! - - google:1082 2020-01-01 (joined_not_migrated) (social_identity_dropped)",
      "00000000-0000-4000-8000-00000000000c cy@example.com+ - $2b$10$N9qo8uL disabled 2020-01-01 (joined_not_migrated)",
      "00000000-0000-4000-8000-00000000000d - - - anonymous 2020-01-01 (joined_not_migrated)",
      "00000000-0000-4000-8000-00000000000e ed@example.com+ - $2b$10$N9qo8uL factor lost 2020-01-01 (joined_not_migrated) (mfa_not_migrated)",
    ],
  },
];
