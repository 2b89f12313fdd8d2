/** Auth0: users as its export job, its Management API and its import/export extension write them, and files made for its bulk import. Nested fields of the job's tables are columns named by their path. Hashes come in a password export of their own: auth0-passwords. */

import { fieldTree } from "../../fields/field-tree.js";
import { isObject } from "../../json/json-value.js";
import { objectSource, withoutBans } from "../../object-source.js";
import { holdsUserId, isUserId } from "./auth0-identities.js";
import { fromJson } from "./auth0-user.js";
import { isPasswordLine, passwordsAsUsers } from "./auth0-passwords.js";

/** The capitalized names are the import/export extension's (client/reducers/export.js of auth0-extensions/auth0-user-import-export-extension). */
export const AUTH0_FIELDS = fieldTree({
  pages: [
    "https://auth0.com/docs/manage-users/user-accounts/user-profiles/user-profile-structure",
    "https://auth0.com/docs/manage-users/user-migration/bulk-user-import-schema",
  ],
  read: {
    id: "user_id, Id",
    contact: `email, Email, phone_number
      identities[].profileData.phone_number`,
    verified: `email_verified, Email Verified, phone_verified
      identities[].profileData.phone_verified`,
    hash: "password_hash, passwordHash, custom_password_hash",
    flag: `blocked, connection, Connection, provider
      identities[].connection, identities[].isSocial`,
    factor: "multifactor",
  },
  joined: "created_at, Created At",
  metadata: `name, given_name, family_name, nickname, picture, username > preferred_username
    Name > name, Given Name > given_name, Family Name > family_name, Nickname > nickname
    Picture > picture, app_metadata, user_metadata`,
  social: [
    {
      list: "identities[]",
      provider: "provider",
      id: ["user_id"],
      email: "profileData.email",
      verified: "profileData.email_verified",
      own: "auth0 email sms",
      first: { email: "email", verified: "email_verified" },
    },
  ],
  totp: "mfa_factors[].totp.secret",
  told: {
    mfa_not_migrated: "mfa_factors, guardian_authenticators",
    profile_not_migrated: "identities[].profileData",
  },
  meaningless: {
    "Auth0's record of sign-ins": `last_login, last_ip, logins_count, last_password_reset
      multifactor_last_modified`,
    "when Auth0 last changed its row": "updated_at, Updated At",
    "a provider's tokens, which aren't the user's": `identities[].access_token
      identities[].access_token_secret, identities[].refresh_token, identities[].expires_in`,
  },
});

/** The column of the user_id: the job's own name, and the extension's. */
const ID_COLUMNS = ["user_id", "Id"];

/** Where the Management API's pages have their users, with `include_totals=true`. */
const USERS = "users";

export const auth0 = objectSource({
  name: "auth0",
  users: [USERS],
  json: {
    recognize: ([first], { path }) => (first === undefined ? null : recognizeUser(first, path)),
    // The job leaves it out where it wasn't asked for it. Of the extension's users, who have an Id, each is told.
    bans: ["blocked", "Id"],
    columns: [],
    fields: AUTH0_FIELDS,
    hears: true,
    reader: () => (user, told) => {
      // The extension leaves it out; the API does of a user who never was blocked.
      const isUnsaid = "Id" in user && !("blocked" in user);
      return (isUnsaid ? fromJsonWithoutBans : fromJson)(user, told);
    },
  },
  table: {
    recognize([columns = {}], { text }) {
      const column = ID_COLUMNS.find((name) => name in columns);
      return column !== undefined && holdsUserId(text)
        ? { reason: `a table whose ${column} names a provider, as in auth0|…` }
        : null;
    },
    bans: ["blocked"],
    columns: [],
    fields: AUTH0_FIELDS,
    hears: true,
    clean: withoutMark,
    reader: () => (user, told) => fromJson(ofTable(user), told),
  },
});

const fromJsonWithoutBans = withoutBans(fromJson);

/** @throws RunError `input_unrecognized` for a password export */
function recognizeUser(first: object, path: string): { readonly reason: string } | null {
  if (isPasswordLine(first)) throw passwordsAsUsers(path);
  const id = "user_id" in first ? first.user_id : "Id" in first ? first.Id : undefined;
  if (typeof id === "string" && isUserId(id)) {
    return { reason: "users whose id names a provider, as in auth0|…" };
  }
  return "custom_password_hash" in first ? { reason: "users with a custom_password_hash" } : null;
}

function withoutMark(cell: string, row: readonly string[]): string {
  return cell.startsWith("'") && row.some(isMarkedId) ? cell.slice(1) : cell;
}

/**
 * A user_id as the export job writes it into a table: with a `'` before it, as before every text, so
 * that no spreadsheet takes it for a formula (auth0.com/docs/manage-users/user-migration/bulk-user-exports,
 * "Supported file formats"). It never begins so by itself.
 */
function isMarkedId(cell: string): boolean {
  return cell.startsWith("'") && isUserId(cell.slice(1));
}

/** A row as the API's user, with the identities whose provider has a column. */
function ofTable(row: object): object {
  const given: unknown = Reflect.get(row, "identities");
  const listed = Array.isArray(given) ? given.filter(isObject) : [];
  const identities = listed.filter(({ provider }) => provider !== undefined);
  const { connection = Reflect.get(row, "Connection") } = listed[0] ?? {};
  return { ...row, identities, Connection: connection };
}
