/** What a user of Supabase Auth (GoTrue) becomes: a row of `auth.users`, by the fields of supabase/auth's internal/models/user.go. */

import { parseFlag } from "../../../account/parse-flag.js";
import type { UserDraft } from "../../../account/user-draft.js";
import type { Exclusion } from "../../../account/user-record.js";
import { exclusionsWhere, noticed } from "../../user-parts.js";
import type { Told } from "../../fields/field-watch.js";
import { RowDamage } from "../../row-damage.js";
import { identityKind } from "../../identity-providers.js";
import { readTime } from "./postgres-time.js";

/** Columns of one text each. */
export const TEXT_COLUMNS = [
  "id",
  "aud",
  "role",
  "email",
  "phone",
  "encrypted_password",
  "email_confirmed_at",
  "phone_confirmed_at",
  "confirmed_at",
  "email_change",
  "phone_change",
  "is_super_admin",
  "is_sso_user",
  "is_anonymous",
  "banned_until",
  "deleted_at",
] as const;

export type TextColumn = (typeof TEXT_COLUMNS)[number];

/** One user as all forms have it. */
export interface SupabaseUser {
  /** A column's text: empty for NULL, and where the export has no such column. */
  readonly text: (column: TextColumn) => string;
  readonly has: (column: TextColumn) => boolean;
  readonly appMetadata: Readonly<Record<string, unknown>>;
  /** Of `auth.identities`, where the form has them. */
  readonly identities: readonly { readonly provider: string; readonly email: string }[];
  readonly hasFactor: boolean;
  /**
   * Whether the export has the columns that name the providers; the operator chooses the columns.
   */
  readonly showsProviders: boolean;
  /** The codes of its filled fields. */
  readonly told: Told;
}

/** GoTrue keeps E.164 without its plus (internal/api/phone.go, `formatPhoneNumber`). */
const E164_DIGITS = /^[1-9]\d{1,14}$/;

const USUAL_ROLES = new Set(["", "authenticated"]);

const BANNED: Pick<UserDraft, "because"> = {
  because: { disabled: "banned_until says that the ban isn't over." },
};
const BAN_UNREADABLE = new RowDamage(
  "flag_invalid",
  "The column banned_until holds no point in time that can be read; write it as PostgreSQL does and import the user again.",
);
const FLAG_UNREADABLE = new RowDamage(
  "flag_invalid",
  "The column is_sso_user or is_anonymous says neither true nor false; mend it and import the user again.",
);

/** @param now epoch milliseconds: a ban that was over by then is none */
export function toDraft(now: number, user: SupabaseUser): UserDraft | RowDamage {
  const providers = providersOf(user);
  const exclusions = exclusionsOf(user, providers, now);
  if (exclusions instanceof RowDamage) return exclusions;
  const hash = user.text("encrypted_password");
  const email = user.text("email");
  const phone = user.text("phone");
  return {
    sourceId: user.text("id"),
    email,
    emailVerified: verifiedOf(user, email, "email_confirmed_at"),
    phone: E164_DIGITS.test(phone) ? `+${phone}` : phone,
    phoneVerified: verifiedOf(user, phone, "phone_confirmed_at"),
    hash: hash === "" ? null : { kind: "text", text: hash },
    exclusions,
    ...(exclusions.includes("disabled") ? BANNED : {}),
    notices: noticesOf(user, providers),
  };
}

function providersOf(user: SupabaseUser): readonly string[] {
  const { provider, providers } = user.appMetadata;
  const listed: readonly unknown[] = Array.isArray(providers) ? providers : [provider];
  const named = listed.filter((name) => typeof name === "string");
  return [...new Set([...named, ...user.identities.map((identity) => identity.provider)])];
}

/** A contact without its own time of confirmation may have the user's, which is of either contact. */
function verifiedOf(
  user: SupabaseUser,
  contact: string,
  column: "email_confirmed_at" | "phone_confirmed_at",
): boolean | null {
  if (contact === "") return null;
  if (user.has(column)) return isTime(user.text(column));
  if (!user.has("confirmed_at")) return null;
  const isOnly = user.text("email") === "" || user.text("phone") === "";
  return isOnly && isTime(user.text("confirmed_at"));
}

function isTime(text: string): boolean {
  return !Number.isNaN(readTime(text));
}

function exclusionsOf(
  user: SupabaseUser,
  providers: readonly string[],
  now: number,
): readonly Exclusion[] | RowDamage {
  const bannedUntil = user.text("banned_until");
  const banEnd = bannedUntil === "" ? -Infinity : readTime(bannedUntil);
  if (Number.isNaN(banEnd)) return BAN_UNREADABLE;
  const anonymous = flagOf(user, "is_anonymous");
  const sso = flagOf(user, "is_sso_user");
  if (anonymous === null || sso === null) return FLAG_UNREADABLE;
  const hasPassword = user.text("encrypted_password") !== "";
  const enterprise = providers.length > 0 && providers.every(isEnterprise);
  return exclusionsWhere({
    deleted: user.text("deleted_at") !== "",
    disabled: banEnd > now,
    anonymous,
    sso_only: sso || (enterprise && !hasPassword),
  });
}

/**
 * Whether a provider is an organization's: SAML's is `sso:` and an id. Keycloak, WorkOS and custom
 * ones count as well.
 */
function isEnterprise(provider: string): boolean {
  return identityKind(provider) === "enterprise";
}

/** @returns null for neither yes nor no */
function flagOf(user: SupabaseUser, column: "is_anonymous" | "is_sso_user"): boolean | null {
  const text = user.text(column);
  return text === "" ? false : parseFlag(text);
}

function noticesOf(user: SupabaseUser, providers: readonly string[]): readonly string[] {
  const email = user.text("email").toLowerCase();
  const others = user.identities.filter((one) => one.email !== "");
  // Users who sign in by email or phone may have a password, or use codes alone.
  const mayHavePassword = providers.length === 0 || providers.some(isOwn);
  return noticed(
    {
      social_identity_dropped: providers.some((provider) => !isOwn(provider)),
      mfa_not_migrated: user.hasFactor,
      roles_not_migrated: hasRoles(user),
      other_emails_not_migrated:
        user.text("email_change") !== "" || others.some((one) => one.email.toLowerCase() !== email),
      other_phones_not_migrated: user.text("phone_change") !== "",
      identities_not_exported: !user.showsProviders && user.text("encrypted_password") === "",
      password_not_exported: !user.has("encrypted_password") && mayHavePassword,
    },
    user.told,
  );
}

function isOwn(provider: string): boolean {
  return identityKind(provider) === "own";
}

function hasRoles(user: SupabaseUser): boolean {
  const isUsual = USUAL_ROLES.has(user.text("role")) && USUAL_ROLES.has(user.text("aud"));
  const superAdmin = user.text("is_super_admin");
  return !isUsual || (superAdmin !== "" && parseFlag(superAdmin) !== false);
}
