/** Users of Keycloak's realm exports and of its admin API, which have one shape (UserRepresentation), and what any form's fields say about a user: whether and by which provider they are let in, and their contacts. The API's users have neither credentials nor identities. */

import { z } from "zod";
import { chooseContact, type ChosenContact } from "../../../account/choose-contact.js";
import { parseFlag } from "../../../account/parse-flag.js";
import type { UserDraft } from "../../../account/user-draft.js";
import type { RawHash } from "../../../hash/hash.js";
import type { Told } from "../../fields/field-watch.js";
import { RowDamage } from "../../row-damage.js";
import { emailOr, exclusionsWhere, isExtra, noticed } from "../../user-parts.js";
import { userChecker } from "../../check-user.js";
import { PHONES } from "./keycloak-fields.js";

/** org.keycloak.models.credential and org.keycloak.models.credential.WebAuthnCredentialModel. */
const PASSWORD = "password";
const PASSKEY = "webauthn-passwordless";
const SECOND_FACTORS: ReadonlySet<string> = new Set([
  "otp",
  "totp",
  "hotp",
  "webauthn",
  "recovery-authn-codes",
]);

/** Tells a second factor. */
const LOST_FACTOR = "mfa_not_migrated";

/** org.keycloak.models.UserModel.RequiredAction. */
const UPDATE_PASSWORD = "UPDATE_PASSWORD";
const VERIFY_EMAIL = "VERIFY_EMAIL";

const NOT_A_LETTER = /[^a-z]/g;

const text = z.string().nullish();
const flag = z.boolean().nullish();
const userSchema = z.object({
  id: text,
  username: z.string(),
  email: text,
  emailVerified: flag,
  enabled: flag,
  // Lists of texts; a text alone in old exports.
  attributes: z.record(z.string(), z.union([z.array(z.string().nullable()), text])).nullish(),
  credentials: z.array(z.looseObject({ type: text })).nullish(),
  federatedIdentities: z.array(z.object({ identityProvider: z.string() })).nullish(),
  federationLink: text,
  serviceAccountClientId: text,
  requiredActions: z.array(z.string()).nullish(),
});
type JsonUser = z.infer<typeof userSchema>;

const checkUser = userChecker(userSchema, "Keycloak");

/** Reads one user of a realm's `users`, or of the admin API's list. */
export function fromJson(value: object, told: Told): UserDraft | RowDamage {
  const user = checkUser(value);
  if (user instanceof RowDamage) return user;
  const credentials = user.credentials ?? [];
  const actions = user.requiredActions ?? [];
  return toDraft({
    id: user.id ?? "",
    username: user.username,
    email: user.email ?? "",
    emailVerified: user.emailVerified === true && !actions.includes(VERIFY_EMAIL),
    enabled: user.enabled ?? null,
    isServiceAccount: isFilled(user.serviceAccountClientId),
    isFederated: isFilled(user.federationLink),
    identities: identitiesOf(user),
    hasPasskey: credentials.some(({ type }) => type === PASSKEY),
    phone: phoneOf(attributesOf(user)),
    hash: toHash(credentials.filter(({ type }) => type === PASSWORD)),
    // An export lists credentials even where there are none; the admin API never does.
    passwordUnknown: user.credentials === undefined,
    mustResetPassword: actions.includes(UPDATE_PASSWORD),
    hasSecondFactor:
      told.has(LOST_FACTOR) || credentials.some(({ type }) => SECOND_FACTORS.has(type ?? "")),
    told,
  });
}

/** Keycloak keeps one password a user; of several it isn't known which is in force. */
function toHash(passwords: readonly object[]): RawHash | null {
  const [first] = passwords;
  if (first === undefined) return null;
  return { kind: "credential", credential: passwords.length === 1 ? first : passwords };
}

/** An export without identities is of a user who has none; the admin API never lists them. */
function identitiesOf(user: JsonUser): readonly string[] | null {
  const { federatedIdentities, credentials } = user;
  if (credentials === undefined && federatedIdentities === undefined) return null;
  return (federatedIdentities ?? []).map(({ identityProvider }) => identityProvider);
}

/** Filled attributes by their plain name. */
function attributesOf({ attributes }: JsonUser): ReadonlyMap<string, readonly string[]> {
  const plain = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(attributes ?? {})) {
    const values = (Array.isArray(value) ? value : [value]).filter(isFilled);
    const key = name.toLowerCase().replace(NOT_A_LETTER, "");
    if (values.length > 0) plain.set(key, [...(plain.get(key) ?? []), ...values]);
  }
  return plain;
}

/** A phone without a mark of verification was typed into a form; no user signs in with it. */
function phoneOf(attributes: ReadonlyMap<string, readonly string[]>): ChosenContact {
  if (attributes.size === 0) return chooseContact([]);
  return chooseContact(
    PHONES.flatMap((name) => {
      const flags = attributes.get(`${name}verified`) ?? [];
      const verified = flags.length > 0 && flags.every((one) => parseFlag(one) === true);
      return (attributes.get(name) ?? []).map((value) => ({ value, verified }));
    }),
  );
}

function isFilled(value: string | null | undefined): value is string {
  return value !== undefined && value !== null && value !== "";
}

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
  /** The codes of its filled fields. */
  readonly told: Told;
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
    notices: noticed(
      {
        social_identity_dropped: (user.identities ?? []).length > 0,
        [LOST_FACTOR]: user.hasSecondFactor,
        passkey_not_migrated: user.hasPasskey,
        username_not_migrated: isExtra(username, email, phone.value, id),
        other_phones_not_migrated: phone.others > 0,
        password_not_exported: user.passwordUnknown,
        identities_not_exported: user.identities === null && user.hash === null,
        password_reset_required: user.mustResetPassword,
      },
      user.told,
    ),
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
