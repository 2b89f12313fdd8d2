/** What Keycloak's fields say of a user: who is let in, by whom, with which contacts. Every form of an export comes here. */

import type { RawHash } from "../../../hash/hash.js";
import type { ChosenContact } from "../../../account/choose-contact.js";
import type { UserDraft } from "../../../account/user-draft.js";
import { emailOr, exclusionsWhere, isExtra, noticed } from "../../user-parts.js";
import { RowDamage } from "../../row-damage.js";

/** One user as every form has it; empty texts where there is nothing. */
interface KeycloakUser {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly emailVerified: boolean;
  /** Null where the field is there and says neither. */
  readonly enabled: boolean | null;
  /** The account of a client application. */
  readonly isServiceAccount: boolean;
  /** A directory (LDAP, Kerberos, …) keeps the user and checks the password. */
  readonly isFederated: boolean;
  /** Aliases of identity providers that the user is linked with; null where the form doesn't say. */
  readonly identities: readonly string[] | null;
  /** A passkey lets the user in by itself. */
  readonly hasPasskey: boolean;
  readonly phone: ChosenContact;
  readonly hash: RawHash | null;
  /** The form doesn't say whether there is a password. */
  readonly passwordUnknown: boolean;
  readonly mustResetPassword: boolean;
  readonly hasSecondFactor: boolean;
  readonly hasJoined: boolean;
  readonly hasProfile: boolean;
  readonly hasMetadata: boolean;
  readonly hasRoles: boolean;
}

/**
 * Aliases are free text; these are what Keycloak itself proposes for social networks (its
 * services/src/main/java/org/keycloak/social). OpenShift, which it has there, too, is an
 * organization's.
 */
const SOCIAL: ReadonlySet<string> = new Set([
  "bitbucket",
  "facebook",
  "github",
  "gitlab",
  "google",
  "instagram",
  "linkedin",
  "linkedin-openid-connect",
  "microsoft",
  "paypal",
  "stackoverflow",
  "twitter",
]);

const ENABLED_UNCLEAR = new RowDamage(
  "flag_invalid",
  "The user's enabled flag doesn't say clearly whether Keycloak lets this user in; write true or false and import the user again.",
);

/** Makes a user's draft; damage where it isn't clear whether Keycloak lets them in. */
export function toDraft(user: KeycloakUser): UserDraft | RowDamage {
  const { enabled, id, username, phone } = user;
  if (enabled === null) return ENABLED_UNCLEAR;
  const email = emailOr(user.email, username);
  return {
    sourceId: id,
    email,
    // The mark is of the email; the export says nothing of a username.
    emailVerified: email === "" ? null : email === user.email && user.emailVerified,
    phone: phone.value,
    phoneVerified: phone.verified,
    hash: user.hash,
    exclusions: exclusionsWhere({
      service_account: user.isServiceAccount,
      disabled: !enabled,
      sso_only: isSsoOnly(user),
    }),
    notices: noticed({
      social_identity_dropped: (user.identities ?? []).length > 0,
      profile_not_migrated: user.hasProfile,
      metadata_not_migrated: user.hasMetadata,
      joined_not_migrated: user.hasJoined,
      mfa_not_migrated: user.hasSecondFactor,
      passkey_not_migrated: user.hasPasskey,
      roles_not_migrated: user.hasRoles,
      username_not_migrated: isExtra(username, email, phone.value, id),
      other_phones_not_migrated: phone.others > 0,
      password_not_exported: user.passwordUnknown,
      identities_not_exported: user.identities === null && user.hash === null,
      password_reset_required: user.mustResetPassword,
    }),
  };
}

/**
 * A provider that isn't a known social network counts as an organization's, and so does a
 * directory.
 */
function isSsoOnly(user: KeycloakUser): boolean {
  if (user.hash !== null || user.hasPasskey) return false;
  const identities = user.identities ?? [];
  if (user.isFederated || identities.length === 0) return user.isFederated;
  return !identities.some((alias) => SOCIAL.has(alias));
}
