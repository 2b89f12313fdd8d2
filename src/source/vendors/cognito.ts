/** Amazon Cognito user pools: what list-users and admin-get-user answer, as JSON, and tables with the columns of the import tool. Cognito hands out no password hashes. */

import { z } from "zod";
import type { RawHash } from "../../hash/hash.js";
import { parseFlag } from "../../account/parse-flag.js";
import type { UserDraft } from "../../account/user-draft.js";
import { defineVendor, type VendorTable } from "../define-vendor.js";
import { exclusionsWhere, isExtra, noticed } from "../user-parts.js";
import { RowDamage } from "../row-damage.js";
import { userChecker } from "./check-user.js";
import { type IdentityKind, identityKind } from "../identity-providers.js";

const USERNAME = "cognito:username";
const MFA_ENABLED = "cognito:mfa_enabled";
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

/** Standard attributes that the core has no place for (developer guide, "User pool attributes"). */
const PROFILE = [
  "name",
  "given_name",
  "family_name",
  "middle_name",
  "nickname",
  "profile",
  "picture",
  "website",
  "gender",
  "birthdate",
  "zoneinfo",
  "locale",
  "address",
];
/** `dev:` marks attributes that only the application's developers may write. */
const CUSTOM = /^(?:dev:)?custom:/;

const STATUS_UNKNOWN = new RowDamage(
  "flag_invalid",
  'The user\'s "UserStatus" and "Enabled" don\'t say clearly whether Cognito lets this user in; export whole answers of list-users, or mend it and import the user again.',
);

const attributes = z.array(z.object({ Name: z.string(), Value: z.string().nullish() })).nullish();
const list = z.array(z.unknown()).nullish();
const userSchema = z.object({
  Username: z.string(),
  Attributes: attributes,
  // admin-get-user's name for them.
  UserAttributes: attributes,
  Enabled: z.boolean().nullish(),
  UserStatus: z.string().nullish(),
  UserCreateDate: z.union([z.string(), z.number()]).nullish(),
  // The last two only in answers of admin-get-user; MFAOptions shows phones alone (API UserType).
  MFAOptions: list,
  UserMFASettingList: list,
  PreferredMfaSetting: z.string().nullish(),
});
const identitiesSchema = z.array(z.object({ providerType: z.string() }));

/** One user as either form has it. */
interface CognitoUser {
  readonly username: string;
  /** An attribute's value; empty where the user has none. */
  readonly attribute: (name: string) => string;
  readonly hasCustom: boolean;
  /** False for a user whom an administrator shut out, whatever else is true. */
  readonly isEnabled: boolean;
  readonly standing: Standing;
  readonly hasJoined: boolean;
  readonly hasFactor: boolean;
  readonly hash: RawHash | null;
}

export const cognito = defineVendor({
  name: "cognito",
  label:
    "Amazon Cognito `list-users` JSON, pages one after the other among them, and CSV with the import tool's columns",
  // The array that holds the users in an answer of list-users.
  users: () => "Users",
  documents: "many",
  recognizeTable: (header) => (header.includes(USERNAME) ? `a column ${USERNAME}` : null),
  recognizeUser(first) {
    if (!("Username" in first)) return null;
    return "Attributes" in first || "UserAttributes" in first || "UserStatus" in first
      ? "users with a Username and attributes by name and value"
      : null;
  },
  readTable,
  readUser,
});

const checkUser = userChecker(userSchema, "Cognito");

function readUser(value: object): UserDraft | RowDamage {
  const user = checkUser(value);
  if (user instanceof RowDamage) return user;
  const known = STANDINGS.get(user.UserStatus ?? "");
  // The flag keeps the user out, and an unknown state proves no contact.
  const standing = known ?? (user.Enabled === false ? "unconfirmed" : undefined);
  if (standing === undefined || typeof user.Enabled !== "boolean") return STATUS_UNKNOWN;
  const values = new Map<string, string>();
  let hasCustom = false;
  for (const { Name, Value } of user.Attributes ?? user.UserAttributes ?? []) {
    values.set(Name, Value ?? "");
    hasCustom ||= CUSTOM.test(Name);
  }
  return toDraft({
    username: user.Username,
    attribute: (name) => values.get(name) ?? "",
    hasCustom,
    isEnabled: user.Enabled,
    standing,
    hasJoined: (user.UserCreateDate ?? "") !== "",
    hasFactor:
      [user.MFAOptions, user.UserMFASettingList].some((each) => (each ?? []).length > 0) ||
      (user.PreferredMfaSetting ?? "") !== "",
    hash: null,
  });
}

/** A table says nothing of a user's status: its writer chose the users in it. */
function readTable({ names, cell }: VendorTable): (row: readonly string[]) => UserDraft {
  const custom = names.filter((name) => CUSTOM.test(name));
  return (row) => {
    const hash = cell(row, PASSWORD_HASH);
    return toDraft({
      username: cell(row, USERNAME),
      attribute: (name) => cell(row, name),
      hasCustom: custom.some((name) => cell(row, name) !== ""),
      isEnabled: true,
      standing: "active",
      // The import tool has no column for it.
      hasJoined: false,
      hasFactor: parseFlag(cell(row, MFA_ENABLED)) ?? false,
      hash: hash === "" ? null : { kind: "text", text: hash },
    });
  };
}

function toDraft(user: CognitoUser): UserDraft {
  const { attribute, standing, username, hash } = user;
  const email = attribute("email");
  const phone = attribute("phone_number");
  const sub = attribute("sub");
  const identities = identitiesOf(attribute("identities"), standing);
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
    hash,
    exclusions: exclusionsWhere({
      disabled: !user.isEnabled || standing === "disabled",
      sso_only: !isNative && identities.every((kind) => kind === "enterprise"),
    }),
    notices: noticed({
      social_identity_dropped: identities.length > 0,
      profile_not_migrated: PROFILE.some((name) => attribute(name) !== ""),
      metadata_not_migrated: user.hasCustom,
      joined_not_migrated: user.hasJoined,
      mfa_not_migrated: user.hasFactor,
      username_not_migrated: names.some((name) => isExtra(name, email, phone, sub)),
      password_not_exported: isNative && hash === null,
      password_reset_required: standing === "reset",
    }),
  };
}

/**
 * Cognito takes an absent flag for false. A user who never confirmed the sign-up proved no contact.
 */
function isVerified(flag: string, standing: Standing): boolean {
  return standing !== "unconfirmed" && parseFlag(flag) === true;
}

/**
 * Kinds of the identities that the attribute of that name lists as JSON. A federated user whose
 * list can't be read counts as an organization's.
 */
function identitiesOf(text: string, standing: Standing): readonly IdentityKind[] {
  const parsed = text === "" ? null : identitiesSchema.safeParse(parseJson(text));
  if (parsed?.success === true && parsed.data.length > 0) {
    return parsed.data.map(({ providerType }) =>
      identityKind(providerType) === "social" ? "social" : "enterprise",
    );
  }
  return standing === "external" ? ["enterprise"] : [];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
