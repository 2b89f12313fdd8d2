/** Identity products' tables, as {@link SCHEMAS} has them. */

import type { Schema } from "./schemas.js";

const BCRYPT = "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy";

export const PRODUCTS: readonly Schema[] = [
  {
    system: "kratos",
    on: ["postgres", "mysql"],
    sql: `
CREATE TABLE identities (id char(36) NOT NULL PRIMARY KEY, schema_id varchar(2048) NOT NULL, traits {json} NOT NULL, created_at {stamp} NOT NULL, updated_at {stamp} NOT NULL, nid char(36), state varchar(255) NOT NULL DEFAULT 'active', state_changed_at {stamp} NULL, metadata_public {json}, metadata_admin {json}, available_aal varchar(4), organization_id char(36));
CREATE TABLE identity_credential_types (id char(36) NOT NULL PRIMARY KEY, name varchar(32) NOT NULL);
CREATE TABLE identity_credentials (id char(36) NOT NULL PRIMARY KEY, config {json} NOT NULL, identity_credential_type_id char(36) NOT NULL, identity_id char(36) NOT NULL, created_at {stamp} NOT NULL, updated_at {stamp} NOT NULL, nid char(36), version integer NOT NULL DEFAULT 0);
CREATE TABLE identity_credential_identifiers (id char(36) NOT NULL PRIMARY KEY, identifier varchar(255) NOT NULL, identity_credential_id char(36) NOT NULL, nid char(36), identity_credential_type_id char(36) NOT NULL);
CREATE TABLE identity_verifiable_addresses (id char(36) NOT NULL PRIMARY KEY, status varchar(16) NOT NULL, via varchar(16) NOT NULL, verified {bool} NOT NULL, value varchar(400) NOT NULL, verified_at {stamp} NULL, identity_id char(36) NOT NULL, created_at {stamp} NOT NULL, updated_at {stamp} NOT NULL, nid char(36));
CREATE TABLE identity_recovery_addresses (id char(36) NOT NULL PRIMARY KEY, via varchar(16) NOT NULL, value varchar(400) NOT NULL, identity_id char(36) NOT NULL, created_at {stamp} NOT NULL, updated_at {stamp} NOT NULL, nid char(36));
INSERT INTO identity_credential_types VALUES ('t1', 'password'), ('t2', 'totp'), ('t3', 'oidc'), ('t4', 'lookup_secret'), ('t5', 'webauthn');
INSERT INTO identities (id, schema_id, traits, created_at, updated_at, nid, state) VALUES
 ('a0000000-0000-4000-8000-000000000001', 'default', '{"email": "ann.lee@example.com", "name": {"last": "Lee", "first": "Ann"}}', '2020-01-01 00:00:00', '2020-01-01 00:00:00', '00000000-0000-4000-8000-0000000000f1', 'active'),
 ('a0000000-0000-4000-8000-000000000002', 'default', '{"email": "bo@example.com"}', '2020-01-01 00:00:00', '2020-01-01 00:00:00', '00000000-0000-4000-8000-0000000000f1', 'active'),
 ('a0000000-0000-4000-8000-000000000003', 'default', '{"email": "cy@example.com"}', '2020-01-01 00:00:00', '2020-01-01 00:00:00', '00000000-0000-4000-8000-0000000000f1', 'inactive'),
 ('a0000000-0000-4000-8000-000000000004', 'default', '{"email": "di@example.com"}', '2020-01-01 00:00:00', '2020-01-01 00:00:00', '00000000-0000-4000-8000-0000000000f1', 'active');
INSERT INTO identity_credentials (id, config, identity_credential_type_id, identity_id, created_at, updated_at) VALUES
 ('c1', '{"hashed_password": "${BCRYPT}"}', 't1', 'a0000000-0000-4000-8000-000000000001', '2020-01-01 00:00:00', '2020-01-01 00:00:00'),
 ('c2', '{"totp_url": "otpauth://totp/Shop:ann?algorithm=SHA1&digits=6&issuer=Shop&period=30&secret=JBSWY3DPEHPK3PXP"}', 't2', 'a0000000-0000-4000-8000-000000000001', '2020-01-01 00:00:00', '2020-01-01 00:00:00'),
 ('c3', '{"providers": [{"subject": "1082", "provider": "google", "initial_access_token": ""}]}', 't3', 'a0000000-0000-4000-8000-000000000002', '2020-01-01 00:00:00', '2020-01-01 00:00:00'),
 ('c4', '{"hashed_password": "${BCRYPT}"}', 't1', 'a0000000-0000-4000-8000-000000000003', '2020-01-01 00:00:00', '2020-01-01 00:00:00'),
 ('c5', '{"hashed_password": "${BCRYPT}"}', 't1', 'a0000000-0000-4000-8000-000000000004', '2020-01-01 00:00:00', '2020-01-01 00:00:00'),
 ('c6', '{"credentials": [{"id": "x", "is_passwordless": false}]}', 't5', 'a0000000-0000-4000-8000-000000000004', '2020-01-01 00:00:00', '2020-01-01 00:00:00');
INSERT INTO identity_credential_identifiers (id, identifier, identity_credential_id, identity_credential_type_id) VALUES
 ('i1', 'ann.lee@example.com', 'c1', 't1'), ('i2', 'google:1082', 'c3', 't3'), ('i3', 'cy@example.com', 'c4', 't1'), ('i4', 'di@example.com', 'c5', 't1');
INSERT INTO identity_verifiable_addresses (id, status, via, verified, value, identity_id, created_at, updated_at) VALUES
 ('v1', 'completed', 'email', {yes}, 'ann.lee@example.com', 'a0000000-0000-4000-8000-000000000001', '2020-01-01 00:00:00', '2020-01-01 00:00:00'),
 ('v2', 'completed', 'sms', {yes}, '+14155550101', 'a0000000-0000-4000-8000-000000000001', '2020-01-01 00:00:00', '2020-01-01 00:00:00'),
 ('v3', 'pending', 'email', {no}, 'bo@example.com', 'a0000000-0000-4000-8000-000000000002', '2020-01-01 00:00:00', '2020-01-01 00:00:00'),
 ('v4', 'pending', 'email', {no}, 'di@example.com', 'a0000000-0000-4000-8000-000000000004', '2020-01-01 00:00:00', '2020-01-01 00:00:00');
`,
    reads:
      "its table identities with identity_credentials, identity_credential_types, identity_credential_identifiers, identity_verifiable_addresses, identity_recovery_addresses, of the network 00000000-0000-4000-8000-0000000000f1",
    users: [
      "a0000000-0000-4000-8000-000000000001 ann.lee@example.com+ +14155550101+ $2b$10$N9qo8uL totp:JBSWY3DPEHPK3PXP/30/6 2020-01-01 traits=[object Object] family_name=Lee given_name=Ann first_name=Ann last_name=Lee (joined_not_migrated) (metadata_not_migrated) (mfa_not_migrated) (profile_not_migrated)",
      "a0000000-0000-4000-8000-000000000002 bo@example.com! - - google:1082 2020-01-01 (joined_not_migrated) (social_identity_dropped)",
      "a0000000-0000-4000-8000-000000000003 cy@example.com - $2b$10$N9qo8uL disabled 2020-01-01 (joined_not_migrated) (metadata_not_migrated)",
      "a0000000-0000-4000-8000-000000000004 di@example.com! - $2b$10$N9qo8uL factor lost 2020-01-01 (joined_not_migrated) (metadata_not_migrated) (mfa_not_migrated)",
    ],
  },
  {
    system: "logto",
    on: ["postgres"],
    sql: `
CREATE TYPE users_password_encryption_method AS ENUM ('Argon2i', 'Argon2id', 'Argon2d', 'SHA1', 'SHA256', 'MD5', 'Bcrypt', 'Legacy');
CREATE TABLE users (tenant_id varchar(21) NOT NULL, id varchar(12) NOT NULL PRIMARY KEY, username varchar(128), primary_email varchar(128), primary_phone varchar(128), password_encrypted varchar(256), password_encryption_method users_password_encryption_method, name varchar(128), avatar varchar(2048), profile jsonb NOT NULL DEFAULT '{}', application_id varchar(21), identities jsonb NOT NULL DEFAULT '{}', custom_data jsonb NOT NULL DEFAULT '{}', logto_config jsonb NOT NULL DEFAULT '{}', mfa_verifications jsonb NOT NULL DEFAULT '[]', is_suspended boolean NOT NULL DEFAULT false, last_sign_in_at timestamptz, created_at timestamptz NOT NULL DEFAULT '2020-01-01', updated_at timestamptz NOT NULL DEFAULT '2020-01-01');
CREATE TABLE user_sso_identities (tenant_id varchar(21) NOT NULL, id varchar(21) NOT NULL PRIMARY KEY, user_id varchar(12) NOT NULL, issuer varchar(256) NOT NULL, identity_id varchar(128) NOT NULL, detail jsonb NOT NULL DEFAULT '{}', created_at timestamp NOT NULL DEFAULT '2020-01-01', sso_connector_id varchar(128) NOT NULL);
CREATE TABLE roles (tenant_id varchar(21) NOT NULL, id varchar(21) NOT NULL PRIMARY KEY, name varchar(128) NOT NULL, description varchar(128) NOT NULL, type varchar(20) NOT NULL DEFAULT 'User');
CREATE TABLE users_roles (tenant_id varchar(21) NOT NULL, id varchar(21) NOT NULL PRIMARY KEY, user_id varchar(21) NOT NULL, role_id varchar(21) NOT NULL);
INSERT INTO users (tenant_id, id, username, primary_email, primary_phone, password_encrypted, password_encryption_method, name, identities, mfa_verifications, is_suspended) VALUES
 ('default', 'ann', 'ann', 'ann.lee@example.com', '14155550101', '${BCRYPT}', 'Bcrypt', 'Ann Lee', '{}', '[{"id": "m1", "type": "Totp", "createdAt": "2024-01-01T00:00:00Z", "key": "JBSWY3DPEHPK3PXP"}]', false),
 ('default', 'bo', NULL, 'bo@example.com', NULL, NULL, NULL, 'Bo', '{"google": {"userId": "1082", "details": {"email": "bo@example.com"}}}', '[]', false),
 ('default', 'cy', NULL, 'cy@example.com', NULL, '${BCRYPT}', 'Bcrypt', NULL, '{}', '[]', true),
 ('default', 'di', NULL, 'di@example.com', NULL, '${BCRYPT}', 'Bcrypt', NULL, '{}', '[{"id": "m2", "type": "WebAuthn", "agent": "x", "counter": 0}]', false),
 ('default', 'ed', NULL, 'ed@example.com', NULL, NULL, NULL, NULL, '{}', '[]', false),
 ('admin', 'root', 'root', NULL, NULL, '${BCRYPT}', 'Bcrypt', NULL, '{}', '[]', false);
INSERT INTO user_sso_identities (tenant_id, id, user_id, issuer, identity_id, sso_connector_id) VALUES ('default', 's1', 'ed', 'https://login.acme.example', 'ed-7', 'acme');
INSERT INTO roles (tenant_id, id, name, description) VALUES ('default', 'r1', 'editor', 'Edits');
INSERT INTO users_roles VALUES ('default', 'ur1', 'ann', 'r1');
`,
    reads:
      'its table users with user_sso_identities, users_roles, roles, of the tenant default and not of "admin"',
    users: [
      'ann ann.lee@example.com +14155550101 {"kind":"crede role:editor totp:JBSWY3DPEHPK3PXP/30/6 2020-01-01 preferred_username=ann name=Ann Lee (joined_not_migrated) (mfa_not_migrated) (profile_not_migrated) (roles_not_migrated)',
      "bo bo@example.com - - google:1082 2020-01-01 name=Bo (joined_not_migrated) (profile_not_migrated) (social_identity_dropped)",
      'cy cy@example.com - {"kind":"crede disabled 2020-01-01 (joined_not_migrated)',
      'di di@example.com - {"kind":"crede factor lost 2020-01-01 (joined_not_migrated) (mfa_not_migrated)',
      "ed ed@example.com - - sso_only https://login.acme.example:ed-7 2020-01-01 (joined_not_migrated) (social_identity_dropped)",
    ],
  },
  {
    system: "zitadel",
    on: ["postgres"],
    sql: `
CREATE SCHEMA projections;
CREATE SCHEMA eventstore;
CREATE TABLE projections.users13 (id text NOT NULL, creation_date timestamptz NOT NULL, change_date timestamptz NOT NULL, sequence bigint NOT NULL, state smallint NOT NULL, resource_owner text NOT NULL, instance_id text NOT NULL, username text NOT NULL, type smallint NOT NULL, PRIMARY KEY (instance_id, id));
CREATE TABLE projections.users14 (LIKE projections.users13 INCLUDING ALL);
CREATE TABLE projections.users14_humans (user_id text NOT NULL, instance_id text NOT NULL, first_name text NOT NULL, last_name text NOT NULL, nick_name text, display_name text, preferred_language text, gender smallint, avatar_key text, email text NOT NULL, is_email_verified boolean NOT NULL DEFAULT false, phone text, is_phone_verified boolean, password_change_required boolean NOT NULL, password_changed timestamptz, mfa_init_skipped timestamptz, PRIMARY KEY (instance_id, user_id));
CREATE TABLE projections.users14_machines (user_id text NOT NULL, instance_id text NOT NULL, name text NOT NULL, description text, secret text, access_token_type smallint NOT NULL DEFAULT 0, PRIMARY KEY (instance_id, user_id));
CREATE TABLE projections.idp_user_links3 (idp_id text NOT NULL, user_id text NOT NULL, external_user_id text NOT NULL, creation_date timestamptz, change_date timestamptz, sequence bigint, resource_owner text, instance_id text NOT NULL, display_name text NOT NULL, owner_removed boolean NOT NULL DEFAULT false);
CREATE TABLE projections.idp_templates6 (id text NOT NULL, creation_date timestamptz, change_date timestamptz, sequence bigint, resource_owner text, instance_id text NOT NULL, state smallint, name text, owner_type smallint, type smallint);
CREATE TABLE projections.user_auth_methods5 (user_id text NOT NULL, method_type smallint NOT NULL, token_id text NOT NULL, creation_date timestamptz, change_date timestamptz, sequence bigint, state smallint NOT NULL, resource_owner text, instance_id text NOT NULL, name text NOT NULL, owner_removed boolean DEFAULT false, domain text);
CREATE TABLE projections.user_grants5 (id text NOT NULL, instance_id text NOT NULL, state smallint NOT NULL, resource_owner text, user_id text NOT NULL, project_id text NOT NULL, roles text[]);
CREATE TABLE eventstore.events2 (instance_id text NOT NULL, aggregate_type text NOT NULL, aggregate_id text NOT NULL, event_type text NOT NULL, sequence bigint NOT NULL, revision smallint NOT NULL, created_at timestamptz NOT NULL, payload jsonb, creator text NOT NULL, owner text NOT NULL, "position" numeric NOT NULL, in_tx_order integer NOT NULL, PRIMARY KEY (instance_id, aggregate_type, aggregate_id, sequence));
INSERT INTO projections.users13 VALUES ('old', '2020-01-01', '2020-01-01', 1, 1, 'org', 'inst', 'old', 1);
INSERT INTO projections.users14 VALUES
 ('201', '2020-01-01', '2020-01-01', 1, 1, 'org', 'inst', 'ann', 1), ('202', '2020-01-01', '2020-01-01', 1, 1, 'org', 'inst', 'bo', 1), ('203', '2020-01-01', '2020-01-01', 1, 4, 'org', 'inst', 'cy', 1),
 ('204', '2020-01-01', '2020-01-01', 1, 1, 'org', 'inst', 'ci-robot', 2), ('205', '2020-01-01', '2020-01-01', 1, 6, 'org', 'inst', 'di', 1), ('206', '2020-01-01', '2020-01-01', 1, 1, 'org', 'inst', 'ed', 1);
INSERT INTO projections.users14_humans (user_id, instance_id, first_name, last_name, display_name, preferred_language, email, is_email_verified, phone, is_phone_verified, password_change_required) VALUES
 ('201', 'inst', 'Ann', 'Lee', 'Ann Lee', 'en', 'ann.lee@example.com', true, '+14155550101', true, false), ('202', 'inst', 'Bo', 'Ek', 'Bo Ek', NULL, 'bo@example.com', false, NULL, NULL, false),
 ('203', 'inst', 'Cy', 'Orr', 'Cy Orr', NULL, 'cy@example.com', true, NULL, NULL, false), ('205', 'inst', 'Di', 'Roy', 'Di Roy', NULL, 'di@example.com', false, NULL, NULL, false), ('206', 'inst', 'Ed', 'Fox', 'Ed Fox', NULL, 'ed@example.com', true, NULL, NULL, true);
INSERT INTO projections.idp_user_links3 (idp_id, user_id, external_user_id, instance_id, display_name) VALUES ('idp1', '202', '1082', 'inst', 'bo');
INSERT INTO projections.idp_templates6 (id, instance_id, name, type) VALUES ('idp1', 'inst', 'Google', 10);
INSERT INTO projections.user_auth_methods5 (user_id, method_type, token_id, state, instance_id, name) VALUES ('203', 1, '', 2, 'inst', ''), ('206', 1, '', 1, 'inst', ''), ('206', 3, 'k', 2, 'inst', 'laptop');
INSERT INTO projections.user_grants5 VALUES ('g1', 'inst', 1, 'org', '201', 'p1', '{editor,reader}'), ('g2', 'inst', 2, 'org', '202', 'p1', '{admin}');
INSERT INTO eventstore.events2 VALUES
 ('inst', 'user', '201', 'user.human.added', 1, 2, '2020-01-01', '{"encodedHash": "$2a$10$old"}', 'x', 'org', 1, 0), ('inst', 'user', '201', 'user.human.password.changed', 2, 2, '2020-01-01', '{"encodedHash": "${BCRYPT}"}', 'x', 'org', 2, 0),
 ('inst', 'user', '201', 'user.human.mfa.otp.added', 3, 2, '2020-01-01', '{"secret": {"Crypted": "c2VhbGVk"}}', 'x', 'org', 3, 0), ('inst', 'user', '202', 'user.human.added', 1, 2, '2020-01-01', '{"userName": "bo"}', 'x', 'org', 4, 0),
 ('inst', 'user', '203', 'user.human.added', 1, 1, '2020-01-01', '{"secret": {"CryptoType": 1, "Algorithm": "bcrypt", "Crypted": "${Buffer.from(BCRYPT).toString("base64")}"}}', 'x', 'org', 5, 0),
 ('inst', 'user', '206', 'user.human.added', 1, 2, '2020-01-01', '{"encodedHash": "${BCRYPT}"}', 'x', 'org', 6, 0);
`,
    reads:
      "its table users14 with users14_humans, events2, idp_user_links3, idp_templates6, user_auth_methods5, user_grants5, of the instance inst; not there: org_members4",
    users: [
      "201 ann.lee@example.com+ +14155550101+ $2b$10$N9qo8uL role:editor role:reader 2020-01-01 preferred_username=ann given_name=Ann family_name=Lee name=Ann Lee locale=en first_name=Ann last_name=Lee (joined_not_migrated) (profile_not_migrated) (roles_not_migrated) (username_not_migrated)",
      "202 bo@example.com! - - Google:1082 2020-01-01 preferred_username=bo given_name=Bo family_name=Ek name=Bo Ek first_name=Bo last_name=Ek (joined_not_migrated) (profile_not_migrated) (social_identity_dropped) (username_not_migrated)",
      "203 cy@example.com+ - $2b$10$N9qo8uL disabled factor lost 2020-01-01 preferred_username=cy given_name=Cy family_name=Orr name=Cy Orr first_name=Cy last_name=Orr (joined_not_migrated) (mfa_not_migrated) (profile_not_migrated) (username_not_migrated)",
      "204 - - - service_account 2020-01-01 preferred_username=ci-robot (joined_not_migrated) (username_not_migrated)",
      "205 di@example.com! - - disabled 2020-01-01 preferred_username=di given_name=Di family_name=Roy name=Di Roy first_name=Di last_name=Roy (joined_not_migrated) (profile_not_migrated) (username_not_migrated)",
      "206 ed@example.com+ - $2b$10$N9qo8uL factor lost 2020-01-01 preferred_username=ed given_name=Ed family_name=Fox name=Ed Fox first_name=Ed last_name=Fox (joined_not_migrated) (passkey_not_migrated) (password_reset_required) (profile_not_migrated) (username_not_migrated)",
    ],
  },
  {
    system: "casdoor",
    on: ["postgres", "mysql"],
    sql: `
CREATE TABLE organization (owner varchar(100) NOT NULL, name varchar(100) NOT NULL, PRIMARY KEY (owner, name));
CREATE TABLE {q}user{q} (owner varchar(100) NOT NULL, name varchar(255) NOT NULL, created_time varchar(100), updated_time varchar(100), id varchar(100), external_id varchar(100), type varchar(100), password varchar(150), password_salt varchar(100), password_type varchar(100), display_name varchar(100), first_name varchar(100), last_name varchar(100), avatar text, email varchar(100), email_verified {bool}, phone varchar(100), country_code varchar(6), {q}groups{q} varchar(1000), is_admin {bool}, is_forbidden {bool}, is_deleted {bool}, signup_application varchar(100), pre_hash varchar(100), github varchar(100), google varchar(100), ldap varchar(100), totp_secret varchar(100), mfa_phone_enabled {bool}, mfa_email_enabled {bool}, recovery_codes varchar(1000), properties text, need_update_password {bool}, PRIMARY KEY (owner, name));
CREATE TABLE role (owner varchar(100) NOT NULL, name varchar(100) NOT NULL, display_name varchar(100), users text, {q}groups{q} text, is_enabled {bool}, PRIMARY KEY (owner, name));
INSERT INTO {q}user{q} (owner, name, created_time, id, type, password, password_salt, password_type, display_name, email, email_verified, phone, is_admin, is_forbidden, is_deleted, pre_hash, github, google, totp_secret, mfa_phone_enabled, mfa_email_enabled) VALUES
 ('acme', 'ann', '2020-01-01T00:00:00Z', 'u-ann', 'normal-user', '${BCRYPT}', '', 'bcrypt', 'Ann Lee', 'ann.lee@example.com', {yes}, '', {no}, {no}, {no}, 'x', '', '', 'JBSWY3DPEHPK3PXP', {no}, {no}),
 ('acme', 'bo', '2020-01-01T00:00:00Z', 'u-bo', 'normal-user', '', '', '', 'Bo', 'bo@example.com', {no}, '', {no}, {no}, {no}, 'x', '', '1082', '', {no}, {no}),
 ('acme', 'cy', '2020-01-01T00:00:00Z', 'u-cy', 'normal-user', '${BCRYPT}', '', 'bcrypt', '', 'cy@example.com', {yes}, '', {no}, {yes}, {no}, 'x', '', '', '', {no}, {no}),
 ('acme', 'di', '2020-01-01T00:00:00Z', 'u-di', 'normal-user', '${BCRYPT}', '', 'bcrypt', '', 'di@example.com', {yes}, '', {no}, {no}, {yes}, 'x', '', '', '', {no}, {no}),
 ('acme', 'ed', '2020-01-01T00:00:00Z', 'u-ed', 'normal-user', '${BCRYPT}', '', 'bcrypt', '', 'ed@example.com', {yes}, '', {no}, {no}, {no}, 'x', '', '', '', {no}, {yes}),
 ('built-in', 'admin', '2020-01-01T00:00:00Z', 'u-admin', 'normal-user', '${BCRYPT}', '', 'bcrypt', 'Admin', 'admin@example.com', {no}, '', {yes}, {no}, {no}, 'x', '', '', '', {no}, {no});
INSERT INTO role VALUES ('acme', 'editor', 'Editor', '["acme/ann","acme/boo"]', '[]', {yes}), ('acme', 'old', 'Old', '["acme/ann"]', '[]', {no});
`,
    reads:
      'its table user with role, of the organization acme and not of "built-in"; not there: third_party_link',
    users: [
      "u-ann ann.lee@example.com+ - $2b$10$N9qo8uL role:editor totp:JBSWY3DPEHPK3PXP/30/6 2020-01-01 name=Ann Lee (joined_not_migrated) (mfa_not_migrated) (profile_not_migrated) (roles_not_migrated) (username_not_migrated)",
      "u-bo bo@example.com! - - google:1082 2020-01-01 name=Bo (joined_not_migrated) (profile_not_migrated) (social_identity_dropped) (username_not_migrated)",
      "u-cy cy@example.com+ - $2b$10$N9qo8uL disabled 2020-01-01 (joined_not_migrated) (username_not_migrated)",
      "u-di di@example.com+ - $2b$10$N9qo8uL deleted 2020-01-01 (joined_not_migrated) (username_not_migrated)",
      "u-ed ed@example.com+ - $2b$10$N9qo8uL factor lost 2020-01-01 (joined_not_migrated) (mfa_not_migrated) (username_not_migrated)",
    ],
  },
  {
    system: "fusionauth",
    on: ["postgres"],
    sql: `
CREATE TABLE tenants (id uuid PRIMARY KEY, data text, insert_instant bigint NOT NULL, name varchar(191) NOT NULL);
CREATE TABLE users (id uuid PRIMARY KEY, active boolean NOT NULL, breached_password_last_checked_instant bigint, breached_password_status smallint, birth_date char(10), clean_speak_id uuid, connectors_id uuid, data text, expiry bigint, first_name varchar(255), full_name varchar(255), image_url text, insert_instant bigint NOT NULL, last_name varchar(255), last_login_instant bigint, last_update_instant bigint NOT NULL, middle_name varchar(255), mobile_phone varchar(255), parent_email varchar(255), password varchar(2048), password_change_reason smallint, password_change_required boolean, password_encryption_scheme varchar(255), password_factor integer, password_last_update_instant bigint, password_salt varchar(255), tenants_id uuid NOT NULL, timezone varchar(255), verified_instant bigint);
CREATE TABLE identities (id bigserial PRIMARY KEY, email varchar(191), insert_instant bigint NOT NULL DEFAULT 0, is_primary boolean, status smallint NOT NULL DEFAULT 0, tenants_id uuid, type smallint, username varchar(191), users_id uuid NOT NULL, display_value varchar(191), value varchar(191), verified boolean NOT NULL, verified_instant bigint, verified_reason smallint);
CREATE TABLE identity_providers (id uuid PRIMARY KEY, data text NOT NULL, enabled boolean NOT NULL, name varchar(191) NOT NULL, type varchar(255) NOT NULL);
CREATE TABLE identity_provider_links (data text NOT NULL, identity_providers_id uuid NOT NULL, identity_providers_user_id varchar(191) NOT NULL, insert_instant bigint NOT NULL, last_login_instant bigint NOT NULL, tenants_id uuid NOT NULL, users_id uuid NOT NULL);
CREATE TABLE application_roles (id uuid PRIMARY KEY, applications_id uuid NOT NULL, name varchar(191) NOT NULL);
CREATE TABLE user_registrations (id uuid PRIMARY KEY, applications_id uuid NOT NULL, users_id uuid NOT NULL, verified boolean NOT NULL);
CREATE TABLE user_registrations_application_roles (application_roles_id uuid NOT NULL, user_registrations_id uuid NOT NULL);
CREATE TABLE webauthn_credentials (id uuid PRIMARY KEY, credential_id text NOT NULL, data text NOT NULL, insert_instant bigint NOT NULL, last_use_instant bigint NOT NULL, tenants_id uuid NOT NULL, users_id uuid NOT NULL);
INSERT INTO tenants VALUES ('00000000-0000-4000-8000-0000000000f1', '{}', 0, 'Shop'), ('00000000-0000-4000-8000-0000000000f2', '{}', 0, 'Empty');
INSERT INTO users (id, active, data, expiry, first_name, last_name, insert_instant, last_update_instant, password, password_change_required, password_encryption_scheme, password_factor, password_last_update_instant, password_salt, tenants_id) VALUES
 ('00000000-0000-4000-8000-00000000000a', true, '{"data":{"plan":"gold"},"preferredLanguages":[]}', NULL, 'Ann', 'Lee', 1577836800000, 0, 'IjZAgcfl7p92ldGxad68LJZdL17lhWy', false, 'bcrypt', 10, 1577836800000, 'N9qo8uLOickgx2ZMRZoMye', '00000000-0000-4000-8000-0000000000f1'),
 ('00000000-0000-4000-8000-00000000000b', true, '{"data":{},"preferredLanguages":[]}', NULL, NULL, NULL, 1577836800000, 0, NULL, NULL, NULL, NULL, NULL, NULL, '00000000-0000-4000-8000-0000000000f1'),
 ('00000000-0000-4000-8000-00000000000c', false, '{"data":{},"preferredLanguages":[]}', NULL, NULL, NULL, 1577836800000, 0, 'IjZAgcfl7p92ldGxad68LJZdL17lhWy', false, 'bcrypt', 10, 1577836800000, 'N9qo8uLOickgx2ZMRZoMye', '00000000-0000-4000-8000-0000000000f1'),
 ('00000000-0000-4000-8000-00000000000d', true, '{"data":{},"preferredLanguages":[],"twoFactor":{"methods":[{"id":"X","method":"authenticator","secret":"c2VhbGVk"}]}}', 1600000000000, NULL, NULL, 1577836800000, 0, 'wHp38PtV+X6XnJ8K2x0fXQ==', false, 'salted-pbkdf2-hmac-sha256', 24000, 1577836800000, 'c2FsdA==', '00000000-0000-4000-8000-0000000000f1');
INSERT INTO identities (email, username, value, type, verified, is_primary, users_id) VALUES
 ('ann.lee@example.com', NULL, 'ann.lee@example.com', 0, true, true, '00000000-0000-4000-8000-00000000000a'), (NULL, 'ann', 'ann', 1, true, false, '00000000-0000-4000-8000-00000000000a'), (NULL, NULL, '+14155550101', 2, true, true, '00000000-0000-4000-8000-00000000000a'),
 ('bo@example.com', NULL, 'bo@example.com', 0, false, true, '00000000-0000-4000-8000-00000000000b'), ('cy@example.com', NULL, 'cy@example.com', 0, true, true, '00000000-0000-4000-8000-00000000000c'), ('di@example.com', NULL, 'di@example.com', 0, true, true, '00000000-0000-4000-8000-00000000000d');
INSERT INTO identity_providers VALUES ('00000000-0000-4000-8000-0000000000e1', '{}', true, 'Google', 'Google');
INSERT INTO identity_provider_links VALUES ('{}', '00000000-0000-4000-8000-0000000000e1', '1082', 0, 0, '00000000-0000-4000-8000-0000000000f1', '00000000-0000-4000-8000-00000000000b');
INSERT INTO application_roles VALUES ('00000000-0000-4000-8000-0000000000d1', '00000000-0000-4000-8000-0000000000c1', 'editor');
INSERT INTO user_registrations VALUES ('00000000-0000-4000-8000-0000000000b1', '00000000-0000-4000-8000-0000000000c1', '00000000-0000-4000-8000-00000000000a', true);
INSERT INTO user_registrations_application_roles VALUES ('00000000-0000-4000-8000-0000000000d1', '00000000-0000-4000-8000-0000000000b1');
`,
    reads:
      "its table users with identities, identity_provider_links, identity_providers, user_registrations, user_registrations_application_roles, application_roles, webauthn_credentials, of the tenant Shop",
    users: [
      '00000000-0000-4000-8000-00000000000a ann.lee@example.com+ +14155550101+ {"kind":"crede role:editor 2020-01-01 data=[object Object] given_name=Ann family_name=Lee preferred_username=ann first_name=Ann last_name=Lee (joined_not_migrated) (metadata_not_migrated) (profile_not_migrated) (roles_not_migrated) (username_not_migrated)',
      "00000000-0000-4000-8000-00000000000b bo@example.com! - - Google:1082 2020-01-01 (joined_not_migrated) (social_identity_dropped)",
      '00000000-0000-4000-8000-00000000000c cy@example.com+ - {"kind":"crede disabled 2020-01-01 (joined_not_migrated)',
      '00000000-0000-4000-8000-00000000000d di@example.com+ - {"kind":"crede disabled factor lost 2020-01-01 (joined_not_migrated) (mfa_not_migrated)',
    ],
  },
  {
    system: "supertokens",
    on: ["postgres", "mysql"],
    sql: `
CREATE TABLE app_id_to_user_id (app_id varchar(64) NOT NULL DEFAULT 'public', user_id char(36) NOT NULL, recipe_id varchar(128) NOT NULL, primary_or_recipe_user_id char(36) NOT NULL, is_linked_or_is_a_primary_user boolean NOT NULL DEFAULT FALSE, time_joined bigint NOT NULL DEFAULT 0, primary_or_recipe_user_time_joined bigint NOT NULL DEFAULT 0, PRIMARY KEY (app_id, user_id));
CREATE TABLE all_auth_recipe_users (app_id varchar(64) DEFAULT 'public', tenant_id varchar(64) DEFAULT 'public', user_id char(36) NOT NULL, primary_or_recipe_user_id char(36) NOT NULL, is_linked_or_is_a_primary_user boolean NOT NULL DEFAULT FALSE, recipe_id varchar(128) NOT NULL, time_joined bigint NOT NULL, primary_or_recipe_user_time_joined bigint NOT NULL, PRIMARY KEY (app_id, tenant_id, user_id));
CREATE TABLE emailpassword_users (app_id varchar(64) DEFAULT 'public', user_id char(36) NOT NULL, email varchar(256) NOT NULL, password_hash varchar(256) NOT NULL, time_joined bigint NOT NULL, PRIMARY KEY (app_id, user_id));
CREATE TABLE passwordless_users (app_id varchar(64) DEFAULT 'public', user_id char(36) NOT NULL, email varchar(256), phone_number varchar(256), time_joined bigint NOT NULL, PRIMARY KEY (app_id, user_id));
CREATE TABLE thirdparty_users (app_id varchar(64) DEFAULT 'public', third_party_id varchar(28) NOT NULL, third_party_user_id varchar(256) NOT NULL, user_id char(36) NOT NULL, email varchar(256) NOT NULL, time_joined bigint NOT NULL, PRIMARY KEY (app_id, user_id));
CREATE TABLE emailverification_verified_emails (app_id varchar(64) DEFAULT 'public', user_id varchar(128) NOT NULL, email varchar(256) NOT NULL, PRIMARY KEY (app_id, user_id, email));
CREATE TABLE userid_mapping (app_id varchar(64) DEFAULT 'public', supertokens_user_id char(36) NOT NULL, external_user_id varchar(128) NOT NULL, external_user_id_info text);
CREATE TABLE user_roles (app_id varchar(64) DEFAULT 'public', tenant_id varchar(64) DEFAULT 'public', user_id varchar(128) NOT NULL, role varchar(255) NOT NULL, PRIMARY KEY (app_id, tenant_id, user_id, role));
CREATE TABLE user_metadata (app_id varchar(64) DEFAULT 'public', user_id varchar(128) NOT NULL, user_metadata text NOT NULL, PRIMARY KEY (app_id, user_id));
CREATE TABLE totp_user_devices (app_id varchar(64) DEFAULT 'public', user_id varchar(128) NOT NULL, device_name varchar(256) NOT NULL, secret_key varchar(256) NOT NULL, period integer NOT NULL, skew integer NOT NULL, verified boolean NOT NULL, created_at bigint, PRIMARY KEY (app_id, user_id, device_name));
INSERT INTO app_id_to_user_id (user_id, recipe_id, primary_or_recipe_user_id, is_linked_or_is_a_primary_user) VALUES
 ('§1', 'emailpassword', '§1', true), ('§2', 'thirdparty', '§1', true), ('§3', 'emailpassword', '§3', false), ('§4', 'passwordless', '§4', false), ('§5', 'thirdparty', '§5', false);
INSERT INTO emailpassword_users (user_id, email, password_hash, time_joined) VALUES ('§1', 'ann.lee@example.com', '${BCRYPT}', 1577836800000), ('§3', 'bo@example.com', '${BCRYPT}', 1577836800000);
INSERT INTO thirdparty_users (third_party_id, third_party_user_id, user_id, email, time_joined) VALUES ('google', '1082', '§2', 'ann.lee@example.com', 1577836800000), ('github', '77', '§5', 'di@example.com', 1577836800000);
INSERT INTO passwordless_users (user_id, phone_number, time_joined) VALUES ('§4', '+14155550101', 1577836800000);
INSERT INTO userid_mapping (supertokens_user_id, external_user_id) VALUES ('§1', 'shop-1'), ('§5', 'shop-5');
INSERT INTO emailverification_verified_emails (user_id, email) VALUES ('shop-1', 'ann.lee@example.com'), ('§3', 'bo.old@example.com'), ('§5', 'di@example.com');
INSERT INTO user_roles (user_id, role) VALUES ('shop-1', 'editor'), ('§3', 'reader');
INSERT INTO user_metadata (user_id, user_metadata) VALUES ('shop-1', '{"plan": "gold"}'), ('§3', '{"plan": "free"}');
INSERT INTO totp_user_devices (user_id, device_name, secret_key, period, skew, verified) VALUES ('shop-1', 'phone', 'JBSWY3DPEHPK3PXP', 30, 1, true), ('§3', 'new', 'JBSWY3DPEHPK3PXP', 30, 1, false);
`.replaceAll("§", "a0000000-0000-4000-8000-00000000000"),
    reads:
      "its table app_id_to_user_id with userid_mapping, app_id_to_user_id, emailpassword_users, passwordless_users, thirdparty_users, emailverification_verified_emails, user_roles, user_metadata, totp_user_devices, of the app public; not there: webauthn_users",
    users: [
      "a0000000-0000-4000-8000-000000000003 bo@example.com! - $2b$10$N9qo8uL role:reader 2020-01-01 plan=free (joined_not_migrated) (metadata_not_migrated) (roles_not_migrated)",
      "a0000000-0000-4000-8000-000000000004 - +14155550101+ - 2020-01-01 (joined_not_migrated)",
      "shop-1 ann.lee@example.com+ - $2b$10$N9qo8uL role:editor google:1082 totp:JBSWY3DPEHPK3PXP/30/6 2020-01-01 plan=gold (joined_not_migrated) (metadata_not_migrated) (mfa_not_migrated) (roles_not_migrated) (social_identity_dropped)",
      "shop-5 di@example.com+ - - github:77 2020-01-01 (joined_not_migrated) (social_identity_dropped)",
    ],
  },
  {
    system: "authentik",
    on: ["postgres"],
    sql: `
CREATE TABLE authentik_core_user (id serial PRIMARY KEY, password varchar(128) NOT NULL, last_login timestamptz, username varchar(150) NOT NULL, first_name varchar(150) NOT NULL, last_name varchar(150) NOT NULL, email varchar(254) NOT NULL, is_active boolean NOT NULL, date_joined timestamptz NOT NULL, uuid uuid NOT NULL, name text NOT NULL, password_change_date timestamptz NOT NULL, attributes jsonb NOT NULL, path text NOT NULL, type text NOT NULL);
CREATE TABLE authentik_core_group (group_uuid uuid PRIMARY KEY, name text NOT NULL, is_superuser boolean NOT NULL, attributes jsonb NOT NULL);
CREATE TABLE authentik_core_user_ak_groups (id serial PRIMARY KEY, user_id integer NOT NULL, group_id uuid NOT NULL);
CREATE TABLE authentik_core_source (policybindingmodel_ptr_id uuid PRIMARY KEY, name text NOT NULL, slug varchar(50) NOT NULL, enabled boolean NOT NULL);
CREATE TABLE authentik_sources_oauth_oauthsource (source_ptr_id uuid PRIMARY KEY, provider_type varchar(255) NOT NULL);
CREATE TABLE authentik_core_usersourceconnection (id serial PRIMARY KEY, created timestamptz NOT NULL, last_updated timestamptz NOT NULL, user_id integer NOT NULL, source_id uuid NOT NULL, identifier text NOT NULL);
CREATE TABLE authentik_stages_authenticator_totp_totpdevice (id serial PRIMARY KEY, name varchar(64) NOT NULL, confirmed boolean NOT NULL, key varchar(80) NOT NULL, step smallint NOT NULL, t0 bigint NOT NULL, digits smallint NOT NULL, user_id integer NOT NULL);
CREATE TABLE authentik_stages_authenticator_static_staticdevice (id serial PRIMARY KEY, name varchar(64) NOT NULL, confirmed boolean NOT NULL, user_id integer NOT NULL);
CREATE TABLE authentik_stages_authenticator_webauthn_webauthndevice (uuid uuid PRIMARY KEY, name text NOT NULL, confirmed boolean NOT NULL, user_id integer NOT NULL);
INSERT INTO authentik_core_user VALUES
 (4, 'bcrypt$${BCRYPT}', NULL, 'ann', '', '', 'ann.lee@example.com', true, '2020-01-01', '00000000-0000-4000-8000-00000000000a', 'Ann Lee', '2020-01-01', '{"team": "red"}', 'users', 'internal'),
 (5, '!abc', NULL, 'bo', '', '', 'bo@example.com', true, '2020-01-01', '00000000-0000-4000-8000-00000000000b', 'Bo', '2020-01-01', '{}', 'users', 'external'),
 (6, 'bcrypt$${BCRYPT}', NULL, 'cy', '', '', 'cy@example.com', false, '2020-01-01', '00000000-0000-4000-8000-00000000000c', 'Cy', '2020-01-01', '{}', 'users', 'internal'),
 (7, '!abc', NULL, 'ak-outpost', '', '', '', true, '2020-01-01', '00000000-0000-4000-8000-00000000000d', 'Outpost', '2020-01-01', '{}', 'goauthentik.io/outposts', 'internal_service_account'),
 (8, 'bcrypt$${BCRYPT}', NULL, 'ed', '', '', 'ed@example.com', true, '2020-01-01', '00000000-0000-4000-8000-00000000000e', 'Ed', '2020-01-01', '{}', 'users', 'internal');
INSERT INTO authentik_core_group VALUES ('00000000-0000-4000-8000-0000000000a1', 'editors', false, '{}');
INSERT INTO authentik_core_user_ak_groups VALUES (1, 4, '00000000-0000-4000-8000-0000000000a1');
INSERT INTO authentik_core_source VALUES ('00000000-0000-4000-8000-0000000000b1', 'Google', 'shop-google', true), ('00000000-0000-4000-8000-0000000000b2', 'LDAP', 'ldap', true);
INSERT INTO authentik_sources_oauth_oauthsource VALUES ('00000000-0000-4000-8000-0000000000b1', 'google');
INSERT INTO authentik_core_usersourceconnection VALUES (1, '2020-01-01', '2020-01-01', 5, '00000000-0000-4000-8000-0000000000b1', '1082'), (2, '2020-01-01', '2020-01-01', 4, '00000000-0000-4000-8000-0000000000b2', 'ann');
INSERT INTO authentik_stages_authenticator_totp_totpdevice VALUES (1, 'phone', true, '48656c6c6f21deadbeef', 30, 0, 6, 4), (2, 'new', false, '48656c6c6f21deadbeef', 30, 0, 6, 5);
INSERT INTO authentik_stages_authenticator_static_staticdevice VALUES (1, 'codes', true, 8);
INSERT INTO authentik_stages_authenticator_webauthn_webauthndevice VALUES ('00000000-0000-4000-8000-0000000000c1', 'laptop', true, 8);
`,
    reads:
      "its table authentik_core_user with authentik_core_usersourceconnection, authentik_core_source, authentik_sources_oauth_oauthsource, authentik_stages_authenticator_totp_totpdevice, authentik_stages_authenticator_static_staticdevice, authentik_stages_authenticator_webauthn_webauthndevice, authentik_core_user_ak_groups, authentik_core_group; not there: authentik_stages_authenticator_sms_smsdevice, authentik_stages_authenticator_duo_duodevice, authentik_stages_authenticator_email_emaildevice",
    users: [
      "00000000-0000-4000-8000-00000000000a ann.lee@example.com - bcrypt$$2b$10$ role:editors totp:JBSWY3DPEHPK3PXP/30/6 2020-01-01 preferred_username=ann name=Ann Lee attributes=[object Object] (joined_not_migrated) (metadata_not_migrated) (mfa_not_migrated) (profile_not_migrated) (roles_not_migrated) (username_not_migrated)",
      "00000000-0000-4000-8000-00000000000b bo@example.com - !abc shop-google:1082 2020-01-01 preferred_username=bo name=Bo (joined_not_migrated) (metadata_not_migrated) (profile_not_migrated) (social_identity_dropped) (username_not_migrated)",
      "00000000-0000-4000-8000-00000000000c cy@example.com - bcrypt$$2b$10$ disabled 2020-01-01 preferred_username=cy name=Cy (joined_not_migrated) (profile_not_migrated) (username_not_migrated)",
      "00000000-0000-4000-8000-00000000000d - - !abc service_account 2020-01-01 preferred_username=ak-outpost name=Outpost (joined_not_migrated) (profile_not_migrated) (username_not_migrated)",
      "00000000-0000-4000-8000-00000000000e ed@example.com - bcrypt$$2b$10$ factor lost 2020-01-01 preferred_username=ed name=Ed (joined_not_migrated) (mfa_not_migrated) (passkey_not_migrated) (profile_not_migrated) (username_not_migrated)",
    ],
  },
];
