/** Okta: users as its API lists them (`GET /api/v1/users`), as it takes them for an import with hashes, and as the extension rockstar writes them as CSV. Okta itself hands out no password hashes. */

import { z } from "zod";
import type { UserDraft } from "../../../account/user-draft.js";
import { RunError } from "../../../errors/run-error.js";
import { defineVendor, type UserFile } from "../../define-vendor.js";
import type { Told } from "../../fields/field-watch.js";
import { isObject, textOf } from "../../json/json-value.js";
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
  readUser,
});

const checkUser = userChecker(userSchema, "Okta");

/**
 * The operator chooses the CSV's columns. Two of them are needed: they say whether a user is let in,
 * and by which provider.
 */
function requireColumns(columns: ReadonlySet<string>, path: string): void {
  const { status, provider } = COLUMNS;
  if (columns.has(status) && columns.has(provider)) return;
  throw new RunError("input_unrecognized", `${path} lacks a column that is needed`, {
    hint: `Export the users again with the columns ${status} and ${provider}, which say who may sign in and where.`,
  });
}

/** A row as the API's user. It never shows a hash, and the user may have one. All of it is texts, which need no check. */
function ofTable(row: Readonly<Record<string, unknown>>): z.infer<typeof userSchema> {
  const text = (name: keyof typeof COLUMNS): string => textOf(row[COLUMNS[name]]) ?? "";
  return {
    id: text("id"),
    status: text("status"),
    profile: {
      login: text("login"),
      email: text("email"),
      secondEmail: text("secondEmail"),
      mobilePhone: text("mobilePhone"),
      primaryPhone: text("primaryPhone"),
    },
    credentials: { password: {}, provider: { type: text("provider") } },
  };
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

function readUser(value: object, told: Told, { columns, path }: UserFile): UserDraft | RowDamage {
  if (columns !== null) requireColumns(columns, path);
  const user = columns === null ? checkUser(value) : ofTable({ ...value });
  if (user instanceof RowDamage) return user;
  const { password, provider, emails }: Partial<Credentials> = user.credentials ?? {};
  const hash = password?.hash ?? null;
  // Objects of an import with hashes have neither a status nor, mostly, a provider.
  const isImport = hash !== null;
  const standing = STANDINGS.get(user.status || (isImport ? "ACTIVE" : ""));
  if (standing === undefined) return STATUS_UNCLEAR;
  const checkedBy = PROVIDERS.get(provider?.type || (isImport ? "OKTA" : ""));
  const { login, email, secondEmail, mobilePhone, primaryPhone } = user.profile;
  return {
    sourceId: user.id ?? "",
    email: email ?? "",
    emailVerified: email ? emailVerified(emails ?? [], standing) : null,
    phone: mobilePhone ?? "",
    // Text of the profile: Okta sends codes to phones enrolled as factors, never to this one.
    phoneVerified: mobilePhone ? false : null,
    hash: hash === null ? null : { kind: "credential", credential: hash },
    exclusions: exclusionsWhere({ disabled: !standing.isIn, sso_only: checkedBy === undefined }),
    notices: noticed(
      {
        social_identity_dropped: checkedBy === "social",
        username_not_migrated: isExtra(login ?? "", email ?? "", user.id ?? ""),
        other_emails_not_migrated: isExtra(secondEmail ?? "", email ?? ""),
        other_phones_not_migrated: isExtra(primaryPhone ?? "", mobilePhone ?? ""),
        password_not_exported: checkedBy === "okta" && Boolean(password) && hash === null,
        password_reset_required: standing.mustReset,
      },
      told,
    ),
  };
}

/** What Okta says about the primary address, where it lists the addresses at all. */
function emailVerified(
  emails: NonNullable<Credentials["emails"]>,
  { isNew }: Standing,
): boolean | null {
  const primary = emails.find(({ type }) => type === "PRIMARY");
  if (primary !== undefined) return primary.status === "VERIFIED";
  return isNew ? false : null;
}
