/** Auth0: users as its export job, its Management API and its import/export extension write them, and files made for its bulk import. Nested fields of the job's tables are columns named by their path. Hashes come in a password export of their own: auth0-passwords. */

import { parseFlag } from "../../../account/parse-flag.js";
import type { UserDraft } from "../../../account/user-draft.js";
import { defineVendor } from "../../define-vendor.js";
import { RowDamage } from "../../row-damage.js";
import { BLOCKED_UNCLEAR, hashOf, PROFILE, toDraft } from "./auth0-user.js";
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
  joined: ["created_at", "Created At"],
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

const METADATA = /^(?:app|user)_metadata\b/;
const FACTORS = /^(?:multifactor|guardian_authenticators)\b/;

/** The columns that are read; a field without one has the name `""`, which no column has. */
interface Auth0Columns {
  readonly names: readonly string[];
  readonly fields: Readonly<Record<Field, string>>;
  /** Of each identity whose provider has a column. */
  readonly identities: readonly Readonly<Record<IdentityField, string>>[];
  readonly profile: readonly string[];
  readonly metadata: readonly string[];
  readonly factors: readonly string[];
}

/** @param header the columns' names */
function columnsOf(header: readonly string[]): Auth0Columns {
  const columnOf = (names: readonly string[]): string =>
    names.find((name) => header.includes(name)) ?? "";
  const fields = mapValues(FIELDS, columnOf);
  const identities = Array.from({ length: MOST_IDENTITIES }, (_, index) =>
    mapValues(IDENTITY_FIELDS, (name) => columnOf([`identities[${index}].${name}`])),
  ).filter(({ provider }) => provider !== "");
  const others = {
    profile: header.filter((name) => PROFILE.some((known) => known === name)),
    metadata: header.filter((name) => METADATA.test(name)),
    factors: header.filter((name) => FACTORS.test(name)),
  };
  const names = [
    ...Object.values(fields),
    ...identities.flatMap((identity) => Object.values(identity)),
    ...Object.values(others).flat(),
  ];
  return { names: names.filter((name) => name !== ""), fields, identities, ...others };
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
function fromRow(text: (column: string) => string, columns: Auth0Columns): UserDraft | RowDamage {
  const { fields } = columns;
  const cell = text(fields.id).startsWith("'")
    ? (column: string): string => text(column).replace(/^'/, "")
    : text;
  const blocked = cell(fields.blocked).trim();
  const isBlocked = blocked === "" ? false : parseFlag(blocked);
  if (isBlocked === null) return BLOCKED_UNCLEAR;
  const hash = hashOf([cell(fields.passwordHash)], null);
  if (hash instanceof RowDamage) return hash;
  const isFilled = (column: string): boolean => cell(column) !== "";
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
    hasProfile: columns.profile.some(isFilled),
    hasMetadata: columns.metadata.some(isFilled),
    hasJoined: isFilled(fields.joined),
    hasFactor: columns.factors.some(isFilled),
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
