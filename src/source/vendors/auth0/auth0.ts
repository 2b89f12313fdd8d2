/** Auth0: users as its export job, its Management API and its import/export extension write them, and files made for its bulk import. Hashes come in a password export of their own: auth0-passwords. */

import { defineVendor } from "../../define-vendor.js";
import { columnsOf, fromRow } from "./auth0-csv.js";
import { holdsUserId, isUserId } from "./auth0-identities.js";
import { fromJson } from "./auth0-json.js";
import { isPasswordLine, passwordsAsUsers } from "./auth0-passwords.js";

/** The column of the user_id: the job's own name, and the extension's. */
const ID_COLUMNS = ["user_id", "Id"];

export const auth0 = defineVendor({
  name: "auth0",
  label: "Auth0 users: NDJSON, CSV or pages of the Management API",
  // Where the Management API's pages have their users, with `include_totals=true`.
  users: () => "users",
  // Pages of the API, one behind the other.
  documents: "many",
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
  columnsOf: (header) => columnsOf(header).names,
  readTable({ names, cell }) {
    const columns = columnsOf(names);
    return (row) => fromRow((column) => cell(row, column), columns);
  },
  readUser: fromJson,
});
