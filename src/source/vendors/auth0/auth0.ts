/** Auth0: users as its export job, its Management API and its import/export extension write them, and files made for its bulk import. Nested fields of the job's tables are columns named by their path. Hashes come in a password export of their own: auth0-passwords. */

import { parseFlag } from "../../../account/parse-flag.js";
import type { UserDraft } from "../../../account/user-draft.js";
import { defineVendor } from "../../define-vendor.js";
import { RowDamage } from "../../row-damage.js";
import type { Told } from "../../fields/field-watch.js";
import { AUTH0_FIELDS } from "./auth0-fields.js";
import { BLOCKED_UNCLEAR, hashOf, toDraft } from "./auth0-user.js";
import { type Auth0Identity, holdsUserId, isUserId } from "./auth0-identities.js";
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
  readTable({ names, cell }) {
    const columns = columnsOf(names);
    return (row, told) => fromRow((column) => cell(row, column), columns, told);
  },
  clean: (text, row) => (text.startsWith("'") && row.some(isMarkedId) ? text.slice(1) : text),
  readUser: fromJson,
});

/** A user_id as the export job writes it into a table; see {@link fromRow}. */
function isMarkedId(cell: string): boolean {
  return cell.startsWith("'") && isUserId(cell.slice(1));
}

/**
 * The names of each field's column: the job's own, and the extension's
 * (client/reducers/export.js of auth0-extensions/auth0-user-import-export-extension). `provider`
 * is what Auth0's own example of an export makes of the connection.
 */
const FIELDS = {
  id: ["user_id", "Id"],
  email: ["email", "Email"],
  emailVerified: ["email_verified", "Email Verified"],
  phone: ["phone_number"],
  phoneVerified: ["phone_verified"],
  username: ["username"],
  blocked: ["blocked"],
  connection: ["identities[0].connection", "Connection", "connection", "provider"],
  passwordHash: ["password_hash", "passwordHash"],
} as const;

type Field = keyof typeof FIELDS;

/** What a column of an identity's field is called behind `identities[0].`. */
const IDENTITY_FIELDS = {
  provider: "provider",
  id: "user_id",
  connection: "connection",
  isSocial: "isSocial",
  email: "profileData.email",
  emailVerified: "profileData.email_verified",
  phone: "profileData.phone_number",
  phoneVerified: "profileData.phone_verified",
} as const;

type IdentityField = keyof typeof IDENTITY_FIELDS;

/** A job exports thirty columns at most. */
const MOST_IDENTITIES = 10;

/** The columns that are read; a field without one has the name `""`, which no column has. */
interface Auth0Columns {
  readonly fields: Readonly<Record<Field, string>>;
  /** Of each identity whose provider has a column. */
  readonly identities: readonly Readonly<Record<IdentityField, string>>[];
}

/** @param header the columns' names */
function columnsOf(header: readonly string[]): Auth0Columns {
  const columnOf = (names: readonly string[]): string =>
    names.find((name) => header.includes(name)) ?? "";
  const fields = mapValues(FIELDS, columnOf);
  const identities = Array.from({ length: MOST_IDENTITIES }, (_, index) =>
    mapValues(IDENTITY_FIELDS, (name) => columnOf([`identities[${index}].${name}`])),
  ).filter(({ provider }) => provider !== "");
  return { fields, identities };
}

function mapValues<Name extends string, From, To>(
  values: Readonly<Record<Name, From>>,
  change: (value: From) => To,
): Record<Name, To>;
function mapValues<From, To>(
  values: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

/**
 * Makes the draft of one row. The export job puts a `'` before every text, so that no spreadsheet
 * takes it for a formula (auth0.com/docs/manage-users/user-migration/bulk-user-exports, "Supported
 * file formats"); a row's user_id shows whether it has them, since it never begins so by itself.
 *
 * @param text the row's cell in a column
 */
function fromRow(
  text: (column: string) => string,
  columns: Auth0Columns,
  told: Told,
): UserDraft | RowDamage {
  const { fields } = columns;
  const cell = text(fields.id).startsWith("'")
    ? (column: string): string => text(column).replace(/^'/, "")
    : text;
  const blocked = cell(fields.blocked).trim();
  const isBlocked = blocked === "" ? false : parseFlag(blocked);
  if (isBlocked === null) return BLOCKED_UNCLEAR;
  const hash = hashOf([cell(fields.passwordHash)], null);
  if (hash instanceof RowDamage) return hash;
  return toDraft({
    id: cell(fields.id).trim(),
    email: cell(fields.email),
    emailVerified: verifiedOf(cell(fields.emailVerified)),
    phone: cell(fields.phone),
    phoneVerified: verifiedOf(cell(fields.phoneVerified)),
    username: cell(fields.username),
    blocked: isBlocked,
    connection: cell(fields.connection).trim(),
    identities: identitiesOf(cell, columns),
    hash,
    told,
  });
}

function identitiesOf(
  cell: (column: string) => string,
  { identities }: Auth0Columns,
): Auth0Identity[] {
  return identities.flatMap((names) => {
    const provider = cell(names.provider).trim();
    return provider === ""
      ? []
      : {
          provider,
          id: cell(names.id).trim(),
          connection: cell(names.connection).trim(),
          isSocial: parseFlag(cell(names.isSocial)),
          email: cell(names.email),
          emailVerified: verifiedOf(cell(names.emailVerified)),
          phone: cell(names.phone),
          phoneVerified: verifiedOf(cell(names.phoneVerified)),
        };
  });
}

/** Text that can't be read is no yes. */
function verifiedOf(text: string): boolean | null {
  return text.trim() === "" ? null : (parseFlag(text) ?? false);
}
