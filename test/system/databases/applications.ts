/** Applications' tables, as {@link SCHEMAS} has them. */

import type { Schema } from "./schemas.js";

const BCRYPT = "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy";

export const APPLICATIONS: readonly Schema[] = [
  {
    system: "mattermost",
    on: ["postgres", "mysql"],
    sql: `
CREATE TABLE users (id varchar(26) NOT NULL PRIMARY KEY, createat bigint, updateat bigint, deleteat bigint, username varchar(64), password varchar(128), authdata varchar(128), authservice varchar(32), email varchar(128), emailverified {bool}, nickname varchar(64), firstname varchar(64), lastname varchar(64), roles varchar(256), allowmarketing {bool}, props text, notifyprops text, lastpasswordupdate bigint, lastpictureupdate bigint, failedattempts integer, locale varchar(5), mfaactive {bool}, mfasecret varchar(128), position varchar(128), timezone text, remoteid varchar(26), lastlogin bigint NOT NULL DEFAULT 0);
CREATE TABLE bots (userid varchar(26) NOT NULL PRIMARY KEY, description text, ownerid varchar(190), createat bigint, updateat bigint, deleteat bigint);
INSERT INTO users (id, createat, updateat, deleteat, username, password, authdata, authservice, email, emailverified, firstname, lastname, roles, mfaactive, mfasecret, remoteid) VALUES
 ('ann', 1577836800000, 0, 0, 'ann', '${BCRYPT}', NULL, '', 'ann.lee@example.com', {yes}, 'Ann', 'Lee', 'system_admin system_user', {yes}, 'JBSWY3DPEHPK3PXP', NULL),
 ('bo', 1577836800000, 0, 0, 'bo', '', '1082', 'google', 'bo@example.com', {no}, '', '', 'system_user', {no}, '', NULL),
 ('cy', 1577836800000, 0, 1600000000000, 'cy', '${BCRYPT}', NULL, '', 'cy@example.com', {yes}, '', '', 'system_user', {no}, 'JBSWY3DPEHPK3PXP', NULL),
 ('di', 1577836800000, 0, 0, 'di-bot', '', NULL, '', 'di-bot@localhost', {no}, '', '', 'system_user', {no}, '', NULL),
 ('ed', 1577836800000, 0, 0, 'ed', '', 'ed', 'ldap', 'ed@example.com', {yes}, '', '', 'system_user', {no}, '', NULL);
INSERT INTO bots VALUES ('di', 'A bot', 'ann', 0, 0, 0);
`,
    reads: "its table users with bots",
    users: [
      "ann ann.lee@example.com+ - $2b$10$N9qo8uL role:system_admin totp:JBSWY3DPEHPK3PXP/30/6 2020-01-01 preferred_username=ann given_name=Ann family_name=Lee first_name=Ann last_name=Lee (joined_not_migrated) (mfa_not_migrated) (profile_not_migrated) (roles_not_migrated)",
      "bo bo@example.com! - - google:1082 2020-01-01 preferred_username=bo (joined_not_migrated) (roles_not_migrated) (social_identity_dropped)",
      "cy cy@example.com+ - $2b$10$N9qo8uL disabled 2020-01-01 preferred_username=cy (joined_not_migrated) (roles_not_migrated)",
      "di - - - service_account 2020-01-01 preferred_username=di-bot (joined_not_migrated) (roles_not_migrated) (username_not_migrated) (contact_unusable)",
      "ed ed@example.com+ - - sso_only ldap:ed 2020-01-01 preferred_username=ed (joined_not_migrated) (roles_not_migrated) (social_identity_dropped)",
    ],
  },
  {
    system: "odoo",
    on: ["postgres"],
    sql: `
CREATE TABLE res_partner (id serial PRIMARY KEY, name varchar, lang varchar, tz varchar, email varchar, phone varchar, mobile varchar, active boolean);
CREATE TABLE res_groups (id serial PRIMARY KEY, name jsonb NOT NULL, share boolean);
CREATE TABLE auth_oauth_provider (id serial PRIMARY KEY, name varchar NOT NULL, client_id varchar, enabled boolean);
CREATE TABLE res_users (id serial PRIMARY KEY, company_id integer NOT NULL, partner_id integer NOT NULL, active boolean, create_date timestamp, login varchar NOT NULL, password varchar, action_id integer, create_uid integer, write_uid integer, signature text, share boolean, write_date timestamp, notification_type varchar NOT NULL DEFAULT 'email', totp_secret varchar, oauth_provider_id integer, oauth_uid varchar, oauth_access_token varchar);
CREATE TABLE res_groups_users_rel (gid integer NOT NULL, uid integer NOT NULL);
INSERT INTO res_partner VALUES (1, 'OdooBot', 'en_US', NULL, 'odoobot@example.com', NULL, NULL, false), (7, 'Ann Lee', 'en_US', 'Europe/Berlin', '"Ann" <ann.lee@example.com>', '+14155550101', NULL, true), (8, 'Bo', 'de_DE', NULL, 'bo@example.com', NULL, NULL, true), (9, 'Cy', 'en_US', NULL, 'cy@example.com', NULL, NULL, false);
INSERT INTO res_groups VALUES (1, '{"en_US": "Internal User", "de_DE": "Interner Benutzer"}', false), (2, '{"en_US": "Portal"}', true);
INSERT INTO auth_oauth_provider VALUES (3, 'Google', 'x', true);
INSERT INTO res_users (id, company_id, partner_id, active, create_date, login, password, share, totp_secret, oauth_provider_id, oauth_uid) VALUES
 (1, 1, 1, false, '2020-01-01', '__system__', NULL, false, NULL, NULL, NULL),
 (2, 1, 7, true, '2020-01-01', 'ann', '$pbkdf2-sha512$600000$c2FsdA$aGFzaA', false, 'JBSWY3DPEHPK3PXP', NULL, NULL),
 (3, 1, 8, true, '2020-01-01', 'bo@example.com', NULL, true, 'false', 3, '1082'),
 (4, 1, 9, false, '2020-01-01', 'cy@example.com', '$pbkdf2-sha512$600000$c2FsdA$aGFzaA', false, NULL, NULL, NULL);
INSERT INTO res_groups_users_rel VALUES (1, 2), (2, 3);
`,
    reads:
      "its table res_users with res_partner, auth_oauth_provider, res_groups_users_rel, res_groups",
    users: [
      "1 odoobot@example.com - - disabled 2020-01-01 preferred_username=__system__ name=OdooBot locale=en_US (joined_not_migrated) (profile_not_migrated) (username_not_migrated)",
      "2 ann.lee@example.com - $pbkdf2-sha512 role:Internal User totp:JBSWY3DPEHPK3PXP/30/6 2020-01-01 preferred_username=ann name=Ann Lee locale=en_US zoneinfo=Europe/Berlin (joined_not_migrated) (mfa_not_migrated) (profile_not_migrated) (roles_not_migrated) (username_not_migrated)",
      "3 bo@example.com - - role:Portal Google:1082 2020-01-01 preferred_username=bo@example.com name=Bo locale=de_DE (joined_not_migrated) (profile_not_migrated) (roles_not_migrated) (social_identity_dropped)",
      "4 cy@example.com - $pbkdf2-sha512 disabled 2020-01-01 preferred_username=cy@example.com name=Cy locale=en_US (joined_not_migrated) (profile_not_migrated)",
    ],
  },
  {
    system: "moodle",
    on: ["postgres", "mysql"],
    sql: `
CREATE TABLE mdl_user (id {serial}, auth varchar(20) NOT NULL DEFAULT 'manual', confirmed smallint NOT NULL DEFAULT 0, policyagreed smallint NOT NULL DEFAULT 0, deleted smallint NOT NULL DEFAULT 0, suspended smallint NOT NULL DEFAULT 0, mnethostid bigint NOT NULL DEFAULT 1, username varchar(100) NOT NULL DEFAULT '', password varchar(255) NOT NULL DEFAULT '', idnumber varchar(255) NOT NULL DEFAULT '', firstname varchar(100) NOT NULL DEFAULT '', lastname varchar(100) NOT NULL DEFAULT '', email varchar(100) NOT NULL DEFAULT '', phone1 varchar(20) NOT NULL DEFAULT '', lang varchar(30) NOT NULL DEFAULT 'en', timezone varchar(100) NOT NULL DEFAULT '99', timecreated bigint NOT NULL DEFAULT 0, timemodified bigint NOT NULL DEFAULT 0);
CREATE TABLE mdl_tool_mfa (id {serial}, userid bigint NOT NULL, factor varchar(100) NOT NULL, secret text, label text, timecreated bigint, createdfromip varchar(100), timemodified bigint, lastverified bigint, revoked smallint NOT NULL DEFAULT 0, lockcounter smallint NOT NULL DEFAULT 0);
CREATE TABLE mdl_oauth2_issuer (id {serial}, name varchar(255) NOT NULL);
CREATE TABLE mdl_auth_oauth2_linked_login (id {serial}, timecreated bigint NOT NULL, timemodified bigint NOT NULL, usermodified bigint NOT NULL, userid bigint NOT NULL, issuerid bigint NOT NULL, username varchar(255) NOT NULL, email text NOT NULL, confirmtoken varchar(64) NOT NULL, confirmtokenexpires bigint);
CREATE TABLE mdl_context (id {serial}, contextlevel bigint NOT NULL, instanceid bigint NOT NULL);
CREATE TABLE mdl_role (id {serial}, name varchar(255) NOT NULL, shortname varchar(100) NOT NULL);
CREATE TABLE mdl_role_assignments (id {serial}, roleid bigint NOT NULL, contextid bigint NOT NULL, userid bigint NOT NULL);
INSERT INTO mdl_user (id, auth, confirmed, deleted, suspended, username, password, firstname, lastname, email, phone1, timecreated) VALUES
 (1, 'manual', 1, 0, 0, 'guest', '${BCRYPT}', 'Guest user', ' ', 'root@localhost', '', 0),
 (2, 'email', 1, 0, 0, 'ann', '${BCRYPT}', 'Ann', 'Lee', 'ann.lee@example.com', '+14155550101', 1577836800),
 (3, 'manual', 1, 0, 0, 'bo', '${BCRYPT}', 'Bo', 'Ek', 'bo@example.com', '', 1577836800),
 (4, 'email', 0, 0, 0, 'cy', '${BCRYPT}', 'Cy', 'Orr', 'cy@example.com', '', 1577836800),
 (5, 'manual', 1, 0, 1, 'di', '${BCRYPT}', 'Di', 'Roy', 'di@example.com', '', 1577836800),
 (6, 'ldap', 1, 0, 0, 'ed', 'not cached', 'Ed', 'Fox', 'ed@example.com', '', 1577836800),
 (7, 'manual', 1, 1, 0, 'flo@example.com.1600000000', '', 'Flo', 'Kay', '0123456789abcdef0123456789abcdef', '', 1577836800);
INSERT INTO mdl_tool_mfa (userid, factor, secret, revoked) VALUES (2, 'totp', 'JBSWY3DPEHPK3PXP', 0), (3, 'totp', 'JBSWY3DPEHPK3PXP', 1), (3, 'webauthn', '{}', 0);
INSERT INTO mdl_oauth2_issuer VALUES (1, 'Google');
INSERT INTO mdl_auth_oauth2_linked_login VALUES (1, 0, 0, 0, 2, 1, 'ann@gmail.example', 'ann@gmail.example', '', NULL), (2, 0, 0, 0, 3, 1, 'bo@gmail.example', 'bo@gmail.example', 'waiting', NULL);
INSERT INTO mdl_context VALUES (1, 10, 0), (2, 50, 1);
INSERT INTO mdl_role VALUES (1, '', 'manager'), (5, '', 'student');
INSERT INTO mdl_role_assignments VALUES (1, 1, 1, 2), (2, 5, 2, 3);
`,
    reads:
      "its table mdl_user with mdl_tool_mfa, mdl_auth_oauth2_linked_login, mdl_oauth2_issuer, mdl_role_assignments, mdl_context, mdl_role",
    users: [
      "1 - - $2b$10$N9qo8uL anonymous given_name=Guest user locale=en zoneinfo=99 first_name=Guest user (joined_not_migrated) (profile_not_migrated) (username_not_migrated) (contact_unusable)",
      "2 ann.lee@example.com+ - $2b$10$N9qo8uL role:manager totp:JBSWY3DPEHPK3PXP/30/6 2020-01-01 given_name=Ann family_name=Lee locale=en zoneinfo=99 first_name=Ann last_name=Lee (joined_not_migrated) (mfa_not_migrated) (profile_not_migrated) (roles_not_migrated) (social_identity_dropped) (username_not_migrated)",
      "3 bo@example.com - $2b$10$N9qo8uL factor lost 2020-01-01 given_name=Bo family_name=Ek locale=en zoneinfo=99 first_name=Bo last_name=Ek (joined_not_migrated) (mfa_not_migrated) (profile_not_migrated) (username_not_migrated)",
      "4 cy@example.com! - $2b$10$N9qo8uL disabled 2020-01-01 given_name=Cy family_name=Orr locale=en zoneinfo=99 first_name=Cy last_name=Orr (joined_not_migrated) (profile_not_migrated) (username_not_migrated)",
      "5 di@example.com - $2b$10$N9qo8uL disabled 2020-01-01 given_name=Di family_name=Roy locale=en zoneinfo=99 first_name=Di last_name=Roy (joined_not_migrated) (profile_not_migrated) (username_not_migrated)",
      "6 ed@example.com - not cached sso_only 2020-01-01 given_name=Ed family_name=Fox locale=en zoneinfo=99 first_name=Ed last_name=Fox (joined_not_migrated) (profile_not_migrated) (username_not_migrated)",
      "7 - - - deleted 2020-01-01 given_name=Flo family_name=Kay locale=en zoneinfo=99 first_name=Flo last_name=Kay (joined_not_migrated) (profile_not_migrated) (username_not_migrated) (contact_unusable)",
    ],
  },
  {
    system: "prestashop",
    on: ["mysql"],
    sql: `
CREATE TABLE ps_shop (id_shop int NOT NULL PRIMARY KEY, name varchar(64) NOT NULL);
CREATE TABLE ps_lang (id_lang int NOT NULL PRIMARY KEY, name varchar(32) NOT NULL, iso_code varchar(2) NOT NULL);
CREATE TABLE ps_configuration (id_configuration int NOT NULL PRIMARY KEY, name varchar(254) NOT NULL, value text);
CREATE TABLE ps_group_lang (id_group int NOT NULL, id_lang int NOT NULL, name varchar(32) NOT NULL, PRIMARY KEY (id_group, id_lang));
CREATE TABLE ps_customer_group (id_customer int NOT NULL, id_group int NOT NULL, PRIMARY KEY (id_customer, id_group));
CREATE TABLE ps_customer (id_customer int AUTO_INCREMENT PRIMARY KEY, id_shop_group int NOT NULL DEFAULT 1, id_shop int NOT NULL DEFAULT 1, id_gender int NOT NULL DEFAULT 0, id_default_group int NOT NULL DEFAULT 1, id_lang int, id_risk int NOT NULL DEFAULT 1, company varchar(255), firstname varchar(255) NOT NULL, lastname varchar(255) NOT NULL, email varchar(255) NOT NULL, passwd varchar(255) NOT NULL, last_passwd_gen timestamp NOT NULL DEFAULT current_timestamp, birthday date, newsletter tinyint(1) NOT NULL DEFAULT 0, secure_key varchar(32) NOT NULL DEFAULT '-1', note text, active tinyint(1) NOT NULL DEFAULT 0, is_guest tinyint(1) NOT NULL DEFAULT 0, deleted tinyint(1) NOT NULL DEFAULT 0, date_add datetime NOT NULL, date_upd datetime NOT NULL);
INSERT INTO ps_shop VALUES (1, 'Shop');
INSERT INTO ps_lang VALUES (1, 'English', 'en'), (2, 'Deutsch', 'de');
INSERT INTO ps_configuration VALUES (1, 'PS_LANG_DEFAULT', '1'), (2, 'PS_SHOP_DEFAULT', '2');
INSERT INTO ps_group_lang VALUES (3, 1, 'Customer'), (3, 2, 'Kunde'), (4, 1, 'Wholesale'), (4, 2, 'Handel');
INSERT INTO ps_customer (id_customer, id_lang, firstname, lastname, email, passwd, birthday, active, is_guest, deleted, date_add, date_upd) VALUES
 (1, 2, 'Ann', 'Lee', 'ann.lee@example.com', '${BCRYPT}', '1980-02-03', 1, 0, 0, '2020-01-01 00:00:00', '2020-01-01 00:00:00'),
 (2, 1, 'Bo', 'Ek', 'bo@example.com', '0123456789abcdef0123456789abcdef', NULL, 1, 0, 0, '2020-01-01 00:00:00', '2020-01-01 00:00:00'),
 (3, 1, 'Cy', 'Orr', 'cy@example.com', '${BCRYPT}', NULL, 0, 0, 0, '2020-01-01 00:00:00', '2020-01-01 00:00:00'),
 (4, 1, 'Di', 'Roy', 'di@example.com', '', NULL, 1, 1, 0, '2020-01-01 00:00:00', '2020-01-01 00:00:00'),
 (5, 1, 'Ed', 'Fox', 'ed@example.com', '${BCRYPT}', NULL, 1, 0, 1, '2020-01-01 00:00:00', '2020-01-01 00:00:00');
INSERT INTO ps_customer_group VALUES (1, 3), (1, 4), (2, 3);
`,
    reads:
      "its table ps_customer with ps_customer_group, ps_group_lang, ps_configuration, ps_lang, of the shop Shop",
    users: [
      "1 ann.lee@example.com - $2b$10$N9qo8uL role:Wholesale 2020-01-01 given_name=Ann family_name=Lee birthdate=1980-02-03 newsletter=0 locale=de first_name=Ann last_name=Lee (joined_not_migrated) (metadata_not_migrated) (profile_not_migrated) (roles_not_migrated)",
      '2 bo@example.com - {"kind":"crede 2020-01-01 given_name=Bo family_name=Ek newsletter=0 locale=en first_name=Bo last_name=Ek (joined_not_migrated) (metadata_not_migrated) (profile_not_migrated) (roles_not_migrated)',
      "3 cy@example.com - $2b$10$N9qo8uL disabled 2020-01-01 given_name=Cy family_name=Orr newsletter=0 locale=en first_name=Cy last_name=Orr (joined_not_migrated) (metadata_not_migrated) (profile_not_migrated) (roles_not_migrated)",
      "4 di@example.com - - anonymous 2020-01-01 given_name=Di family_name=Roy newsletter=0 locale=en first_name=Di last_name=Roy (joined_not_migrated) (metadata_not_migrated) (profile_not_migrated) (roles_not_migrated)",
      "5 ed@example.com - $2b$10$N9qo8uL deleted 2020-01-01 given_name=Ed family_name=Fox newsletter=0 locale=en first_name=Ed last_name=Fox (joined_not_migrated) (metadata_not_migrated) (profile_not_migrated) (roles_not_migrated)",
    ],
  },
  {
    system: "magento",
    on: ["mysql"],
    sql: `
CREATE TABLE store_website (website_id smallint NOT NULL PRIMARY KEY, code varchar(32), name varchar(64));
CREATE TABLE customer_group (customer_group_id int NOT NULL PRIMARY KEY, customer_group_code varchar(32) NOT NULL);
CREATE TABLE customer_address_entity (entity_id int NOT NULL PRIMARY KEY, parent_id int, telephone varchar(255) NOT NULL);
CREATE TABLE customer_entity (entity_id int AUTO_INCREMENT PRIMARY KEY, website_id smallint, email varchar(255), group_id smallint NOT NULL DEFAULT 0, store_id smallint DEFAULT 0, created_at timestamp NOT NULL DEFAULT current_timestamp, updated_at timestamp NOT NULL DEFAULT current_timestamp, is_active smallint NOT NULL DEFAULT 1, created_in varchar(255), firstname varchar(255), lastname varchar(255), dob date, password_hash varchar(128), rp_token varchar(128), default_billing int, default_shipping int, confirmation varchar(64), failures_num smallint DEFAULT 0, first_failure timestamp NULL, lock_expires timestamp NULL);
INSERT INTO store_website VALUES (0, 'admin', 'Admin'), (1, 'base', 'Main Website');
INSERT INTO customer_group VALUES (0, 'NOT LOGGED IN'), (1, 'General'), (2, 'Wholesale');
INSERT INTO customer_address_entity VALUES (11, 1, '+14155550101');
INSERT INTO customer_entity (entity_id, website_id, email, group_id, created_at, is_active, firstname, lastname, password_hash, default_billing, confirmation, lock_expires) VALUES
 (1, 1, 'ann.lee@example.com', 2, '2020-01-01 00:00:00', 1, 'Ann', 'Lee', '30c31237271115de68295610b89ac4632e5a6fbb02f16bcc61036735021e4e5e:k3lliv7vq0w2e4r6t8zzzzzzzzzzzzzz:1', 11, NULL, NULL),
 (2, 1, 'bo@example.com', 1, '2020-01-01 00:00:00', 1, 'Bo', 'Ek', NULL, NULL, 'waiting', NULL),
 (3, 1, 'cy@example.com', 1, '2020-01-01 00:00:00', 0, 'Cy', 'Orr', '30c31237271115de68295610b89ac4632e5a6fbb02f16bcc61036735021e4e5e:k3lliv7vq0w2e4r6t8zzzzzzzzzzzzzz:1', NULL, NULL, NULL),
 (4, 1, 'di@example.com', 1, '2020-01-01 00:00:00', 1, 'Di', 'Roy', '30c31237271115de68295610b89ac4632e5a6fbb02f16bcc61036735021e4e5e:k3lliv7vq0w2e4r6t8zzzzzzzzzzzzzz:1', NULL, NULL, '2037-01-01 00:00:00');
`,
    reads:
      "its table customer_entity with customer_group, customer_address_entity, of the website base",
    users: [
      "1 ann.lee@example.com - 30c31237271115 role:Wholesale 2020-01-01 given_name=Ann family_name=Lee first_name=Ann last_name=Lee (joined_not_migrated) (profile_not_migrated) (roles_not_migrated)",
      "2 bo@example.com! - - disabled 2020-01-01 given_name=Bo family_name=Ek first_name=Bo last_name=Ek (joined_not_migrated) (profile_not_migrated) (roles_not_migrated)",
      "3 cy@example.com - 30c31237271115 disabled 2020-01-01 given_name=Cy family_name=Orr first_name=Cy last_name=Orr (joined_not_migrated) (profile_not_migrated) (roles_not_migrated)",
      "4 di@example.com - 30c31237271115 disabled 2020-01-01 given_name=Di family_name=Roy first_name=Di last_name=Roy (joined_not_migrated) (profile_not_migrated) (roles_not_migrated)",
    ],
  },
];
