/** Okta: users as its API lists them (`GET /api/v1/users`), as it takes them for an import with hashes, and as the extension rockstar writes them as CSV. Okta itself hands out no password hashes. */

import { z } from "zod";
import type { UserDraft } from "../../../account/user-draft.js";
import { RunError } from "../../../errors/run-error.js";
import type { RawHash } from "../../../hash/hash.js";
import { defineVendor, type VendorTable } from "../../define-vendor.js";
import type { Told } from "../../fields/field-watch.js";
import { isObject } from "../../json/json-value.js";
import { RowDamage } from "../../row-damage.js";
import { exclusionsWhere, isExtra, noticed } from "../../user-parts.js";
import { userChecker } from "../check-user.js";
import { OKTA_COLUMNS, OKTA_FIELDS } from "./okta-fields.js";

const text = z.string().nullish();
const userSchema = z.object({
  id: text,
  status: text,
  profile: z.object({
    login: text,
    email: text,
    secondEmail: text,
    mobilePhone: text,
    primaryPhone: text,
  }),
  credentials: z
    .object({
      password: z.object({ hash: z.looseObject({}).nullish() }).nullish(),
      provider: z.object({ type: z.string() }).nullish(),
      emails: z
        .array(z.object({ value: z.string(), status: z.string(), type: z.string() }))
        .nullish(),
    })
    .nullish(),
});
type Credentials = NonNullable<z.infer<typeof userSchema>["credentials"]>;

/** Columns of the browser extension's export (gabrielsroka.github.io, rockstar/rockstar.js, `exportUsers`). */
const COLUMNS = {
  id: "User Id",
  status: "Status",
  login: "Username",
  email: "Primary email",
  secondEmail: "Secondary email",
  mobilePhone: "Mobile phone",
  primaryPhone: "Primary phone",
  provider: "Credential Provider Type",
} as const;

export const okta = defineVendor({
  name: "okta",
  label: "Okta users: JSON of its API, and CSV of the extension rockstar",
  // The API answers with bare arrays; people who wrap them name them so.
  users: () => "users",
  recognizeTable(header) {
    const { id, status, login, email } = COLUMNS;
    return [id, status, login, email].every((name) => header.includes(name))
      ? "the columns of the extension rockstar"
      : null;
  },
  recognizeUser(first) {
    const isOkta = "profile" in first && "credentials" in first;
    return isOkta && isObject(first.profile) && "login" in first.profile
      ? "users with a profile, its login and credentials"
      : null;
  },
  fields: OKTA_FIELDS,
  columns: OKTA_COLUMNS,
  readTable,
  readUser,
});

const checkUser = userChecker(userSchema, "Okta");

function readUser(value: object, told: Told): UserDraft | RowDamage {
  const user = checkUser(value);
  if (user instanceof RowDamage) return user;
  const { profile } = user;
  const credentials: Partial<Credentials> = user.credentials ?? {};
  const hash = credentials.password?.hash ?? null;
  return toDraft({
    id: user.id ?? "",
    status: user.status ?? "",
    provider: credentials.provider?.type ?? "",
    login: profile.login ?? "",
    email: profile.email ?? "",
    emailVerified: emailVerified(credentials.emails ?? []),
    secondEmail: profile.secondEmail ?? "",
    mobilePhone: profile.mobilePhone ?? "",
    primaryPhone: profile.primaryPhone ?? "",
    hasPassword: (credentials.password ?? null) !== null,
    hash: hash === null ? null : { kind: "credential", credential: hash },
    told,
  });
}

/** What Okta says about the primary address, where it lists the addresses at all. */
function emailVerified(emails: NonNullable<Credentials["emails"]>): boolean | null {
  const primary = emails.find(({ type }) => type === "PRIMARY");
  return primary === undefined ? null : primary.status === "VERIFIED";
}

/**
 * The operator chooses the CSV's columns. Two of them are needed: they say whether a user is let in,
 * and by which provider.
 */
function readTable({ cell, has }: VendorTable, path: string) {
  const { status, provider } = COLUMNS;
  if (!has(status) || !has(provider)) {
    throw new RunError("input_unrecognized", `${path} lacks a column that is needed`, {
      hint: `Export the users again with the columns ${status} and ${provider}, which say who may sign in and where.`,
    });
  }
  return (row: readonly string[], told: Told): UserDraft | RowDamage =>
    toDraft({
      id: cell(row, COLUMNS.id),
      status: cell(row, status),
      provider: cell(row, provider),
      login: cell(row, COLUMNS.login),
      email: cell(row, COLUMNS.email),
      emailVerified: null,
      secondEmail: cell(row, COLUMNS.secondEmail),
      mobilePhone: cell(row, COLUMNS.mobilePhone),
      primaryPhone: cell(row, COLUMNS.primaryPhone),
      hasPassword: true,
      hash: null,
      told,
    });
}

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
  /** The codes of its filled fields. */
  readonly told: Told;
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
function toDraft(user: OktaUser): UserDraft | RowDamage {
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
  return noticed(
    {
      social_identity_dropped: provider === "social",
      username_not_migrated: isExtra(user.login, email, user.id),
      other_emails_not_migrated: isExtra(secondEmail, email),
      other_phones_not_migrated: isExtra(primaryPhone, mobilePhone),
      password_not_exported: provider === "okta" && user.hasPassword && user.hash === null,
      password_reset_required: standing.mustReset,
    },
    user.told,
  );
}
