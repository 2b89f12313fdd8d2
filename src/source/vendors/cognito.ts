/** Amazon Cognito user pools: what list-users and admin-get-user answer, as JSON, and tables with the columns of the import tool. Cognito hands out no password hashes. */

import { z } from "zod";
import { parseFlag } from "../../account/parse-flag.js";
import type { UserDraft } from "../../account/user-draft.js";
import type { Told } from "../fields/field-watch.js";
import { textOf } from "../json/json-value.js";
import { COGNITO_COLUMNS, COGNITO_FIELDS } from "./cognito-fields.js";
import { defineVendor, type UserFile } from "../define-vendor.js";
import { exclusionsWhere, isExtra, noticed } from "../user-parts.js";
import { RowDamage } from "../row-damage.js";
import { userChecker } from "../check-user.js";
import { type IdentityKind, identityKind } from "../identity-providers.js";

const USERNAME = "cognito:username";
/** Only in tables for imports with hashes (API CreateUserImportJob, PasswordHashingAlgorithm). */
const PASSWORD_HASH = "password_hash";

/** What a UserStatus says about a user (API UserType). */
type Standing = "active" | "unconfirmed" | "reset" | "external" | "disabled";

/** UNKNOWN isn't here: it says neither in nor out. */
const STANDINGS: ReadonlyMap<string, Standing> = new Map([
  ["CONFIRMED", "active"],
  ["UNCONFIRMED", "unconfirmed"],
  ["RESET_REQUIRED", "reset"],
  ["FORCE_CHANGE_PASSWORD", "reset"],
  ["EXTERNAL_PROVIDER", "external"],
  ["ARCHIVED", "disabled"],
  ["COMPROMISED", "disabled"],
]);

const STATUS_UNKNOWN = new RowDamage(
  "flag_invalid",
  'The user\'s "UserStatus" and "Enabled" don\'t say clearly whether Cognito lets this user in; export whole answers of list-users, or mend it and import the user again.',
);

const attributes = z.array(z.object({ Name: z.string(), Value: z.string().nullish() })).nullish();
const userSchema = z.looseObject({
  Username: z.string(),
  Attributes: attributes,
  // admin-get-user's name for them.
  UserAttributes: attributes,
  Enabled: z.boolean().nullish(),
  UserStatus: z.string().nullish(),
});
const identitiesSchema = z.array(z.object({ providerType: z.string() }));

export const cognito = defineVendor({
  name: "cognito",
  label:
    "Amazon Cognito `list-users` JSON, pages one after the other among them, and CSV with the import tool's columns",
  // The array that holds the users in an answer of list-users.
  users: () => "Users",
  recognizeTable: (header) => (header.includes(USERNAME) ? `a column ${USERNAME}` : null),
  recognizeUser(first) {
    if (!("Username" in first)) return null;
    return "Attributes" in first || "UserAttributes" in first || "UserStatus" in first
      ? "users with a Username and attributes by name and value"
      : null;
  },
  fields: COGNITO_FIELDS,
  columns: COGNITO_COLUMNS,
  readUser,
  view: withAttributes,
});

const checkUser = userChecker(userSchema, "Cognito");

/** The user with each attribute under its name. A list of another shape stays where it is. */
function withAttributes(value: object): object {
  const { Attributes, UserAttributes, ...user }: Readonly<Record<string, unknown>> = { ...value };
  const listed = attributes.safeParse(Attributes ?? UserAttributes);
  if (!listed.success) return value;
  const named = Object.fromEntries((listed.data ?? []).map(({ Name, Value }) => [Name, Value]));
  const identities = identitiesIn(named.identities ?? "");
  return { ...named, ...(identities === null ? {} : { identities }), ...user };
}

/** A table says nothing of a user's status: its writer chose the users in it. All of it is texts, which need no check. */
function ofTable(row: object): z.infer<typeof userSchema> {
  const [name, identities] = [USERNAME, "identities"].map(
    (column) => textOf(Reflect.get(row, column)) ?? "",
  );
  const chosen = { Enabled: true, UserStatus: "CONFIRMED" };
  return { ...chosen, Username: name ?? "", identities: identitiesIn(identities ?? "") };
}

function readUser(value: object, told: Told, { columns }: UserFile): UserDraft | RowDamage {
  const user = columns === null ? checkUser(value) : ofTable(value);
  if (user instanceof RowDamage) return user;
  const known = STANDINGS.get(user.UserStatus ?? "");
  // The flag keeps the user out, and an unknown state proves no contact.
  const standing = known ?? (user.Enabled === false ? "unconfirmed" : undefined);
  if (standing === undefined || typeof user.Enabled !== "boolean") return STATUS_UNKNOWN;
  const attribute = (name: string): string => textOf(Reflect.get(value, name)) ?? "";
  const { Username: username } = user;
  const email = attribute("email");
  const phone = attribute("phone_number");
  const sub = attribute("sub");
  const identities = kindsOf(user.identities, standing);
  const text = columns === null ? "" : attribute(PASSWORD_HASH);
  const isNative = standing !== "external";
  // A federated user's name is made by Cognito, as in Google_1234; no user types it.
  const names = [isNative ? username : "", attribute("preferred_username")];
  return {
    // Tokens name their user by sub, so that is the id that applications keep; a name can be reused.
    sourceId: sub === "" ? username : sub,
    email,
    emailVerified: email === "" ? null : isVerified(attribute("email_verified"), standing),
    phone,
    phoneVerified: phone === "" ? null : isVerified(attribute("phone_number_verified"), standing),
    hash: text === "" ? null : { kind: "text", text },
    exclusions: exclusionsWhere({
      disabled: !user.Enabled || standing === "disabled",
      sso_only: !isNative && identities.every((kind) => kind === "enterprise"),
    }),
    notices: noticed(
      {
        social_identity_dropped: identities.length > 0,
        username_not_migrated: names.some((name) => isExtra(name, email, phone, sub)),
        password_not_exported: isNative && text === "",
        password_reset_required: standing === "reset",
      },
      told,
    ),
  };
}

/**
 * Cognito takes an absent flag for false. A user who never confirmed the sign-up proved no contact.
 */
function isVerified(flag: string, standing: Standing): boolean {
  return standing !== "unconfirmed" && parseFlag(flag) === true;
}

/** Kinds of a user's identities. A federated user whose list can't be read counts as an organization's. */
function kindsOf(identities: unknown, standing: Standing): readonly IdentityKind[] {
  const listed = Array.isArray(identities) ? identitiesSchema.safeParse(identities).data : [];
  if (listed !== undefined && listed.length > 0) {
    return listed.map(({ providerType }) =>
      identityKind(providerType) === "social" ? "social" : "enterprise",
    );
  }
  return standing === "external" ? ["enterprise"] : [];
}

/** The list that the attribute of that name is as text; null where it is none. */
function identitiesIn(text: string): readonly unknown[] | null {
  if (!text.startsWith("[")) return null;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : null;
  } catch {
    return null;
  }
}
