/** Auth0: users as its export job, its Management API and its import/export extension write them, and files made for its bulk import. Nested fields of the job's tables are columns named by their path. Hashes come in a password export of their own: auth0-passwords. */

import { isObject, textOf } from "../../json/json-value.js";
import { objectSource, withoutBans } from "../../object-source.js";
import { AUTH0_FIELDS } from "./auth0-fields.js";
import { holdsUserId, isUserId } from "./auth0-identities.js";
import { fromJson, fromUser, type JsonUser } from "./auth0-json.js";
import { isPasswordLine, passwordsAsUsers } from "./auth0-passwords.js";

/** The column of the user_id: the job's own name, and the extension's. */
const ID_COLUMNS = ["user_id", "Id"];

/** Where the Management API's pages have their users, with `include_totals=true`. */
const USERS = "users";

export const auth0 = objectSource({
  name: "auth0",
  label:
    "Auth0's export job (NDJSON, CSV), pages of `GET /users`, the import/export extension's files, and files made for a bulk import",
  users: [USERS],
  json: {
    recognize: ([first], { path }) => (first === undefined ? null : recognizeUser(first, path)),
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
    reader: () => (user, told) => fromUser(ofTable(user), told),
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

function text(row: object, name: string): string | undefined {
  return textOf(Reflect.get(row, name)) || undefined;
}

/** A row as the API's user, with the identities whose provider has a column. All of it is texts: to check it as JSON would take longer than to read it. */
function ofTable(row: object): JsonUser {
  const given: unknown = Reflect.get(row, "identities");
  const listed: readonly unknown[] = Array.isArray(given) ? given : [];
  const [first] = listed;
  return {
    user_id: text(row, "user_id"),
    Id: text(row, "Id"),
    email: text(row, "email"),
    Email: text(row, "Email"),
    email_verified: text(row, "email_verified"),
    "Email Verified": text(row, "Email Verified"),
    phone_number: text(row, "phone_number"),
    phone_verified: text(row, "phone_verified"),
    blocked: text(row, "blocked"),
    Connection: (isObject(first) ? text(first, "connection") : null) ?? text(row, "Connection"),
    connection: text(row, "connection"),
    provider: text(row, "provider"),
    password_hash: text(row, "password_hash"),
    passwordHash: text(row, "passwordHash"),
    identities: listed.filter(isObject).flatMap(identityOf),
  };
}

function identityOf(
  identity: Readonly<Record<string, unknown>>,
): NonNullable<JsonUser["identities"]> {
  const provider = text(identity, "provider");
  if (provider === undefined) return [];
  const profile = isObject(identity.profileData) ? identity.profileData : {};
  return [
    {
      provider,
      user_id: text(identity, "user_id"),
      connection: text(identity, "connection"),
      isSocial: text(identity, "isSocial"),
      profileData: {
        email: text(profile, "email"),
        email_verified: text(profile, "email_verified"),
        phone_number: text(profile, "phone_number"),
        phone_verified: text(profile, "phone_verified"),
      },
    },
  ];
}
