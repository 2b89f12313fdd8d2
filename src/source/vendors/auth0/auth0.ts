/** Auth0: users as its export job, its Management API and its import/export extension write them, and files made for its bulk import. Nested fields of the job's tables are columns named by their path. Hashes come in a password export of their own: auth0-passwords. */

import { defineVendor } from "../../define-vendor.js";
import { isObject } from "../../json/json-value.js";
import { AUTH0_FIELDS } from "./auth0-fields.js";
import { holdsUserId, isUserId } from "./auth0-identities.js";
import { fromJson } from "./auth0-json.js";
import { isPasswordLine, passwordsAsUsers } from "./auth0-passwords.js";

/** The column of the user_id: the job's own name, and the extension's. */
const ID_COLUMNS = ["user_id", "Id"];

export const auth0 = defineVendor({
  name: "auth0",
  label:
    "Auth0's users: the export job's NDJSON and CSV, pages of `GET /users` (also one behind the other), the import/export extension's columns, and files made for a bulk import, hashes in them included",
  // Where the Management API's pages have their users, with `include_totals=true`.
  users: () => "users",
  recognizeTable(header, head) {
    const column = header.find((name) => ID_COLUMNS.includes(name));
    return column !== undefined && holdsUserId(head.text)
      ? `a table whose ${column} names a provider, as in auth0|…`
      : null;
  },
  recognizeUser(first, head) {
    if (isPasswordLine(first)) throw passwordsAsUsers(head.path);
    const id = "user_id" in first ? first.user_id : "Id" in first ? first.Id : undefined;
    const isOwn = typeof id === "string" && isUserId(id);
    if (isOwn) return "users whose id names a provider, as in auth0|…";
    return "custom_password_hash" in first ? "users with a custom_password_hash" : null;
  },
  fields: AUTH0_FIELDS,
  clean: (text, row) => (text.startsWith("'") && row.some(isMarkedId) ? text.slice(1) : text),
  readUser: (user, told, { columns }) => fromJson(columns === null ? user : ofTable(user), told),
});

/**
 * A user_id as the export job writes it into a table: with a `'` before it, as before every text, so
 * that no spreadsheet takes it for a formula (auth0.com/docs/manage-users/user-migration/bulk-user-exports,
 * "Supported file formats"). It never begins so by itself.
 */
function isMarkedId(cell: string): boolean {
  return cell.startsWith("'") && isUserId(cell.slice(1));
}

/** A row as the API's user, with the identities whose provider has a column and those alone. */
function ofTable(row: object): object {
  const { identities, ...user }: Readonly<Record<string, unknown>> = { ...row };
  const listed: readonly unknown[] = Array.isArray(identities) ? identities : [];
  const [first] = listed;
  const connection = isObject(first) ? first.connection : undefined;
  return {
    ...user,
    Connection: connection ?? user.Connection,
    identities: listed.filter((one) => isObject(one) && "provider" in one),
  };
}
