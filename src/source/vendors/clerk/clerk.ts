/** Clerk: the dashboard's CSV, users of the Backend API and its SDK, and the JSON files of Clerk's support and its migration tool. Only the dashboard and the support hand out password digests. */

import type { UserDraft } from "../../../account/user-draft.js";
import { defineVendor, type UserFile } from "../../define-vendor.js";
import { formatOf } from "../../format.js";
import { RowDamage } from "../../row-damage.js";
import { userChecker } from "../../check-user.js";
import type { Told } from "../../fields/field-watch.js";
import { CLERK_FIELDS } from "./clerk-fields.js";
import { toDraft, userSchema } from "./clerk-user.js";

/**
 * The arrays that hold the users in answers of the SDK's `getUserList`, or where a script wrapped
 * them.
 */
const LISTS = ["data", "users"] as const;

/** The dashboard's columns, and fields of the API that people add to them. */
const CONTACT_COLUMNS = [
  "primary_email_address",
  "verified_email_addresses",
  "unverified_email_addresses",
  "primary_phone_number",
  "verified_phone_numbers",
  "unverified_phone_numbers",
] as const;

const NO_ID = new RowDamage(
  "row_malformed",
  'The user\'s "id" is not what Clerk exports; mend it and import the user again.',
);

/** Stands before values that a spreadsheet would run; the tab isn't the user's. */
const GUARD = /^\t(?=[=+\-@])/;

/** Clerk's command line and migration tool name fields so (migration-tool, src/export/clerk.ts). */
const TOOL_NAMES: ReadonlyMap<string, string> = new Map([
  ["email", "primary_email_address"],
  ["phone", "primary_phone_number"],
  ["password", "password_digest"],
  ["backup_codes_enabled", "backup_code_enabled"],
]);

export const clerk = defineVendor({
  name: "clerk",
  label: "Clerk's dashboard CSV, and users of its Backend API or its migration tool as JSON",
  users: (head) => LISTS.find((property) => formatOf(head, property) === "json") ?? LISTS[0],
  recognizeTable(header) {
    const own = CONTACT_COLUMNS.find((column) => header.includes(column));
    const isClerk = own !== undefined && header.includes("password_hasher");
    return isClerk ? `a header row with ${own} and password_hasher` : null;
  },
  recognizeUser(first) {
    const user = renamed(first);
    const own = ["primary_email_address_id", "password_hasher"].find((name) => name in user);
    const listed = ["email_addresses", "primary_email_address"].find((name) => name in user);
    if (own !== undefined && listed !== undefined) return `users with ${listed} and ${own}`;
    const isTool = "userId" in first && /^user_/.test(String(first.userId));
    return isTool ? "users whose userId begins with user_" : null;
  },
  fields: CLERK_FIELDS,
  clean: (text) => text.replace(GUARD, ""),
  readUser,
  view: renamed,
});

/** A row's user; what has a list of its own in JSON isn't read of a table. */
function fromTable(
  row: Readonly<Record<string, unknown>>,
  columns: ReadonlySet<string>,
  told: Told,
): UserDraft | RowDamage {
  const cell = (column: string): string | undefined =>
    columns.has(column) ? String(row[column] ?? "") : undefined;
  return toDraft({
    listsVerified: false,
    showsAccounts: false,
    id: cell("id") ?? "",
    username: cell("username"),
    primary_email_address: cell("primary_email_address"),
    primary_phone_number: cell("primary_phone_number"),
    verified_email_addresses: cell("verified_email_addresses"),
    unverified_email_addresses: cell("unverified_email_addresses"),
    verified_phone_numbers: cell("verified_phone_numbers"),
    unverified_phone_numbers: cell("unverified_phone_numbers"),
    password_digest: cell("password_digest"),
    password_hasher: cell("password_hasher"),
    banned: cell("banned"),
    locked: cell("locked"),
    told,
  });
}

const checkUser = userChecker(userSchema, "Clerk");

function readUser(value: object, told: Told, { columns }: UserFile): UserDraft | RowDamage {
  if (columns !== null) return fromTable({ ...value }, columns, told);
  const user = checkUser(value);
  if (user instanceof RowDamage) return user;
  const { id, user_id } = user;
  const sourceId = id ?? user_id;
  if (sourceId === undefined) return NO_ID;
  const listsVerified = user_id !== undefined;
  return toDraft({ ...user, id: sourceId, listsVerified, showsAccounts: true, told });
}

/**
 * The user with the Backend API's names, which the SDK and the tool write in camel case. A picture
 * that isn't the user's own is a drawing of Clerk's.
 */
function renamed(value: object): Readonly<Record<string, unknown>> {
  const user = "primary_email_address_id" in value ? { ...value } : plainUser(value);
  return user.has_image === false ? { ...user, image_url: null } : user;
}

function plainUser(user: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(user).map(([name, value]: [string, unknown]) => {
      const plain = snakeCase(name);
      const inner: unknown = Array.isArray(value) ? value.map(withSnakeCase) : value;
      return [TOOL_NAMES.get(plain) ?? plain, inner];
    }),
  );
}

function withSnakeCase(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [snakeCase(name), inner]),
  );
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
