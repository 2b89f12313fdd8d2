/** Supabase: the table `auth.users` as CSV or JSON, however its columns were chosen, and what `admin.listUsers` answers. The tables of identities and second factors are refused, since their emails and phones are no users'. */

import { z } from "zod";
import { RunError } from "../../../errors/run-error.js";
import type { UserDraft } from "../../../account/user-draft.js";
import { withoutNull } from "../../csv/table.js";
import { defineVendor, type UserFile } from "../../define-vendor.js";
import type { Told } from "../../fields/field-watch.js";
import { parseObject } from "../../json/json-object.js";
import { isObject } from "../../json/json-value.js";
import { RowDamage } from "../../row-damage.js";
import { userChecker } from "../../check-user.js";
import { SUPABASE_FIELDS } from "./supabase-fields.js";
import { type SupabaseUser, TEXT_COLUMNS, type TextColumn, toDraft } from "./supabase-user.js";

const APP_METADATA = "raw_app_meta_data";
const USER_METADATA = "raw_user_meta_data";

/** Columns that no other product's table has beside an `encrypted_password`. */
const OWN_COLUMNS = [APP_METADATA, USER_METADATA, "instance_id", "aud", "is_sso_user"];

/** Tables beside `auth.users` that people export with it, each by columns of its own. */
const OTHER_TABLES = [
  { name: "identities", columns: ["user_id", "identity_data"] },
  { name: "mfa_factors", columns: ["user_id", "factor_type"] },
] as const;

const METADATA_UNREADABLE = new RowDamage(
  "row_malformed",
  "The user's metadata is not the JSON that Supabase writes, so it isn't known how the user signs in; export the table again without changing its quotes.",
);

const scalar = z.union([z.string(), z.boolean(), z.number()]).nullish();
const metadata = z.union([z.string(), z.record(z.string(), z.unknown())]).nullish();
const identity = z.object({
  provider: z.string(),
  identity_data: z.object({ email: scalar }).nullish(),
});
const userSchema = z.object({
  ...Object.fromEntries(TEXT_COLUMNS.map((column) => [column, scalar] as const)),
  id: z.string(),
  [APP_METADATA]: metadata,
  [USER_METADATA]: metadata,
  // The API's names (the JSON tags of internal/models/user.go).
  app_metadata: metadata,
  user_metadata: metadata,
  new_email: scalar,
  new_phone: scalar,
  identities: z.array(identity).nullish(),
  factors: z.array(z.object({ status: scalar })).nullish(),
});

export const supabase = defineVendor({
  name: "supabase",
  label:
    "Supabase's `auth.users` as CSV (dashboard or `COPY`, with any NULL) or JSON, and the answers of `admin.listUsers`",
  users: () => "users",
  recognizeTable: recognize,
  recognizeUser: (first) => recognize(Object.keys(first)),
  fields: SUPABASE_FIELDS,
  readUser,
});

/** @param fields the names of a table's columns, or of the first user's properties */
function recognize(fields: readonly string[]): string | null {
  const has = (name: string): boolean => fields.includes(name);
  const other = otherTable(has);
  if (other !== undefined) return `the fields of Supabase's table ${other}`;
  if (!has("id") || !(has("email") || has("phone"))) return null;
  if (has("app_metadata") && has("aud")) return "users with app_metadata and an aud";
  if (has(APP_METADATA)) return `users with ${APP_METADATA}`;
  const own = OWN_COLUMNS.find(has);
  return has("encrypted_password") && own !== undefined
    ? `users with an encrypted_password and ${own}`
    : null;
}

function otherTable(has: (name: string) => boolean): string | undefined {
  return OTHER_TABLES.find(({ columns }) => columns.every(has))?.name;
}

const checkUser = userChecker(userSchema, "Supabase");

/** Of a table no lists are read. All of it is texts, which need no check. */
const OF_TABLE: z.infer<typeof userSchema> = { id: "" };

function readUser(value: object, told: Told, file: UserFile): UserDraft | RowDamage {
  const { path, columns, now } = file;
  const has = (name: string): boolean => columns?.has(name) ?? name in value;
  const other = otherTable(has);
  if (other !== undefined) {
    throw new RunError("input_unrecognized", `${path} is Supabase's table ${other}`, {
      hint: "Its emails and phones are no users'; export the table auth.users instead.",
    });
  }
  const user = columns === null ? checkUser(value) : OF_TABLE;
  if (user instanceof RowDamage) return user;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  const appMetadata = readMetadata(fields[APP_METADATA] ?? fields.app_metadata);
  const userMetadata = readMetadata(fields[USER_METADATA] ?? fields.user_metadata);
  if (appMetadata instanceof RowDamage || userMetadata instanceof RowDamage) {
    return METADATA_UNREADABLE;
  }
  const changes = new Map([
    ["email_change", user.new_email],
    ["phone_change", user.new_phone],
  ]);
  const leavesOutNull = columns === null && !has("confirmed_at");
  return toDraft(now, {
    text: (column) => textOf(fields[column] ?? changes.get(column)),
    has: (column) => has(column) || (leavesOutNull && isConfirmation(column)),
    appMetadata,
    told,
    identities: (user.identities ?? []).map(({ provider, identity_data }) => ({
      provider,
      email: textOf(identity_data?.email),
    })),
    showsProviders: [APP_METADATA, "app_metadata", "identities"].some(has),
    // A factor that was never verified isn't asked for.
    hasFactor: (user.factors ?? []).some(({ status }) => status === "verified"),
  });
}

/** The API leaves out what is NULL: a contact without its time of confirmation isn't confirmed. */
function isConfirmation(column: TextColumn): boolean {
  return column === "email_confirmed_at" || column === "phone_confirmed_at";
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? "" : withoutNull(String(value).trim());
}

function readMetadata(value: unknown): SupabaseUser["appMetadata"] | RowDamage {
  if (isObject(value)) return value;
  const text = textOf(value);
  if (text === "" || text === "null") return {};
  const object = parseObject(text);
  return object instanceof RowDamage ? object : { ...object };
}
