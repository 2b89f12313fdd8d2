/** Auth0: users as its export job, its Management API and its import/export extension write them, and files made for its bulk import. Hashes come in a password export of their own: auth0-passwords. */

import { headerOf, openTable } from "../../csv/table.js";
import { defineSource, toDrafts } from "../../define-source.js";
import { formatOf } from "../../format.js";
import { firstJsonUser, readJsonUsers } from "../../json/json-users.js";
import type { FileHead } from "../../source.js";
import { columnsOf, fromRow } from "./auth0-csv.js";
import { holdsUserId, isUserId } from "./auth0-identities.js";
import { fromJson } from "./auth0-json.js";
import { isPasswordLine, passwordsAsUsers } from "./auth0-passwords.js";

/** Where the Management API's pages have their users, with `include_totals=true`. */
const USERS = "users";

/** The column of the user_id: the job's own name, and the extension's. */
const ID_COLUMNS = ["user_id", "Id"];

export const auth0 = defineSource({
  name: "auth0",
  label: "Auth0 users: NDJSON, CSV or pages of the Management API",
  recognize,
  open(head, bytes) {
    if (formatOf(head, USERS) !== "csv") {
      // Pages of the API, one behind the other.
      return toDrafts(readJsonUsers(head, bytes, USERS, { documents: "many" }), fromJson);
    }
    const columns = columnsOf(headerOf(head) ?? []);
    const { rows, cell } = openTable(head, bytes, columns.names);
    return toDrafts(rows, (row) => fromRow((column) => cell(row, column), columns));
  },
});

function recognize(head: FileHead): string | null {
  if (formatOf(head, USERS) === "csv") {
    const column = headerOf(head)?.find((name) => ID_COLUMNS.includes(name));
    return column !== undefined && holdsUserId(head.text)
      ? `a table whose ${column} names a provider, as in auth0|…`
      : null;
  }
  const first = firstJsonUser(head, USERS);
  if (first === null) return null;
  if (isPasswordLine(first)) throw passwordsAsUsers(head.path);
  return reasonFor(first);
}

function reasonFor(user: object): string | null {
  const id = "user_id" in user ? user.user_id : "Id" in user ? user.Id : undefined;
  if (typeof id === "string" && isUserId(id))
    return "users whose id names a provider, as in auth0|…";
  return "custom_password_hash" in user ? "users with a custom_password_hash" : null;
}
