/** Auth0's users as JSON; rows of its tables are read as the same objects. They are of the export job, the Management API, the import/export extension, and files made for a bulk import. */

import { z } from "zod";
import { parseFlag } from "../../../account/parse-flag.js";
import type { UserDraft } from "../../../account/user-draft.js";
import { RowDamage } from "../../row-damage.js";
import { userChecker } from "../../check-user.js";
import type { Told } from "../../fields/field-watch.js";
import { BLOCKED_UNCLEAR, hashOf, toDraft } from "./auth0-user.js";
import type { Auth0Identity } from "./auth0-identities.js";

const text = z.string().nullish();
/** Some identity providers' flags are texts, and so are those of tables. */
const flag = z.union([z.boolean(), z.string()]).nullish();

const identitySchema = z.object({
  provider: z.string(),
  // GitHub's and others' are numbers.
  user_id: z.union([z.string(), z.number()]).nullish(),
  connection: text,
  isSocial: flag,
  profileData: z
    .object({ email: text, email_verified: flag, phone_number: text, phone_verified: flag })
    .nullish(),
});

/**
 * Fields by auth0.com/docs/manage-users/user-accounts/user-profiles/user-profile-structure; the
 * capitalized ones are the extension's (client/reducers/export.js of
 * auth0-extensions/auth0-user-import-export-extension).
 */
const userSchema = z.object({
  user_id: text,
  Id: text,
  email: text,
  Email: text,
  email_verified: flag,
  "Email Verified": flag,
  phone_number: text,
  phone_verified: flag,
  // Read as the profile's, by the table of fields.
  username: text,
  blocked: flag,
  identities: z.array(identitySchema).nullish(),
  // The connection's name: what the extension makes of `identities[0].connection`, and what
  // Auth0's own example of an export makes of it.
  Connection: text,
  connection: text,
  provider: text,
  password_hash: text,
  passwordHash: text,
  custom_password_hash: z.looseObject({}).nullish(),
});

export type JsonUser = z.infer<typeof userSchema>;

const checkUser = userChecker(userSchema, "Auth0");

/** Makes the draft of one parsed object. */
export function fromJson(value: object, told: Told): UserDraft | RowDamage {
  const user = checkUser(value);
  return user instanceof RowDamage ? user : fromUser(user, told);
}

/** The same of an object that is known to have the shape. */
export function fromUser(user: JsonUser, told: Told): UserDraft | RowDamage {
  const blocked = readFlag(user.blocked ?? false);
  if (blocked === null) return BLOCKED_UNCLEAR;
  const hash = hashOf([user.password_hash, user.passwordHash], user.custom_password_hash);
  if (hash instanceof RowDamage) return hash;
  return toDraft({
    id: (user.user_id ?? user.Id ?? "").trim(),
    email: user.email ?? user.Email ?? "",
    emailVerified: verifiedOf(user.email_verified ?? user["Email Verified"]),
    phone: user.phone_number ?? "",
    phoneVerified: verifiedOf(user.phone_verified),
    blocked,
    connection: (user.Connection ?? user.connection ?? user.provider ?? "").trim(),
    identities: (user.identities ?? []).map(toIdentity),
    hash,
    told,
  });
}

function toIdentity(identity: z.infer<typeof identitySchema>): Auth0Identity {
  const profile = identity.profileData;
  return {
    provider: identity.provider.trim(),
    id: String(identity.user_id ?? "").trim(),
    connection: (identity.connection ?? "").trim(),
    isSocial: readFlag(identity.isSocial ?? ""),
    email: profile?.email ?? "",
    emailVerified: verifiedOf(profile?.email_verified),
    phone: profile?.phone_number ?? "",
    phoneVerified: verifiedOf(profile?.phone_verified),
  };
}

/** A value that can't be read is no yes. */
function verifiedOf(value: boolean | string | null | undefined): boolean | null {
  return value === undefined || value === null ? null : (readFlag(value) ?? false);
}

function readFlag(value: boolean | string): boolean | null {
  return typeof value === "string" ? parseFlag(value) : value;
}
