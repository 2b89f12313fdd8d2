/** What Okta's fields say of a user: who is let in, by which provider, with which contacts. Both forms of an export come here. */

import type { RawHash } from "../../../hash/hash.js";
import type { UserDraft } from "../../../account/user-draft.js";
import { exclusionsWhere, isExtra, noticed } from "../../user-parts.js";
import { RowDamage } from "../../row-damage.js";

/** One user as either form has it; empty texts where there is nothing. */
interface OktaUser {
  readonly id: string;
  readonly status: string;
  /** `credentials.provider.type`. */
  readonly provider: string;
  readonly login: string;
  readonly email: string;
  /** Null where the export doesn't say. */
  readonly emailVerified: boolean | null;
  readonly secondEmail: string;
  readonly mobilePhone: string;
  readonly primaryPhone: string;
  /** False where the export says that there is none. */
  readonly hasPassword: boolean;
  readonly hash: RawHash | null;
  readonly hasProfile: boolean;
  readonly hasMetadata: boolean;
  readonly hasJoined: boolean;
  /** A question and answer by which to recover the account. */
  readonly hasRecoveryQuestion: boolean;
}

/** What a status says. */
interface Standing {
  /** Okta lets the user sign in. */
  readonly isIn: boolean;
  /** The user didn't sign up and never signed in: no mailbox was proven. */
  readonly isNew: boolean;
  /** Okta asks for a new password. */
  readonly mustReset: boolean;
}

/**
 * developer.okta.com/docs/reference/api/users, "User status". The last four can't sign in: not yet
 * activated, too many wrong passwords, suspended, deactivated.
 */
const STANDINGS: ReadonlyMap<string, Standing> = new Map([
  ["ACTIVE", { isIn: true, isNew: false, mustReset: false }],
  ["PROVISIONED", { isIn: true, isNew: true, mustReset: false }],
  ["RECOVERY", { isIn: true, isNew: false, mustReset: true }],
  ["PASSWORD_EXPIRED", { isIn: true, isNew: false, mustReset: true }],
  ["STAGED", { isIn: false, isNew: true, mustReset: false }],
  ["LOCKED_OUT", { isIn: false, isNew: false, mustReset: false }],
  ["SUSPENDED", { isIn: false, isNew: false, mustReset: false }],
  ["DEPROVISIONED", { isIn: false, isNew: false, mustReset: false }],
]);

/**
 * Which provider checks the password (the same page, "Provider object"). FEDERATION,
 * ACTIVE_DIRECTORY, LDAP and unknown ones aren't here: with them an organization does.
 */
const PROVIDERS: ReadonlyMap<string, "okta" | "social"> = new Map([
  ["OKTA", "okta"],
  ["IMPORT", "okta"],
  ["SOCIAL", "social"],
]);

const STATUS_UNCLEAR = new RowDamage(
  "flag_invalid",
  "The user's \"status\" doesn't say clearly whether Okta lets this user in; mend it and import the user again.",
);

/** Makes a user's draft; damage where it isn't clear whether Okta lets them in. */
export function toDraft(user: OktaUser): UserDraft | RowDamage {
  const { hash, email, mobilePhone } = user;
  // Objects of an import with hashes have neither a status nor, mostly, a provider.
  const isImport = hash !== null;
  const standing = STANDINGS.get(user.status === "" && isImport ? "ACTIVE" : user.status);
  if (standing === undefined) return STATUS_UNCLEAR;
  const provider = user.provider === "" && isImport ? "okta" : PROVIDERS.get(user.provider);
  return {
    sourceId: user.id,
    email,
    emailVerified: email === "" ? null : isVerified(user, standing),
    phone: mobilePhone,
    // Text of the profile: Okta sends codes to phones enrolled as factors, never to this one.
    phoneVerified: mobilePhone === "" ? null : false,
    hash,
    exclusions: exclusionsWhere({ disabled: !standing.isIn, sso_only: provider === undefined }),
    notices: noticesOf(user, standing, provider),
  };
}

function isVerified({ emailVerified }: OktaUser, { isNew }: Standing): boolean | null {
  return emailVerified ?? (isNew ? false : null);
}

function noticesOf(
  user: OktaUser,
  standing: Standing,
  provider: "okta" | "social" | undefined,
): readonly string[] {
  const { email, secondEmail, mobilePhone, primaryPhone } = user;
  return noticed({
    social_identity_dropped: provider === "social",
    profile_not_migrated: user.hasProfile,
    metadata_not_migrated: user.hasMetadata,
    joined_not_migrated: user.hasJoined,
    recovery_question_not_migrated: user.hasRecoveryQuestion,
    username_not_migrated: isExtra(user.login, email, user.id),
    other_emails_not_migrated: isExtra(secondEmail, email),
    other_phones_not_migrated: isExtra(primaryPhone, mobilePhone),
    password_not_exported: provider === "okta" && user.hasPassword && user.hash === null,
    password_reset_required: standing.mustReset,
  });
}
