/** Django's users: the table auth_user, or an application's own model, as CSV, and what `manage.py dumpdata` writes. Addresses of django-allauth are in a table of their own, which isn't read. */

import { z } from "zod";
import { chooseContact } from "../../account/choose-contact.js";
import { parseFlag } from "../../account/parse-flag.js";
import type { UserDraft } from "../../account/user-draft.js";
import { defineVendor, type UserFile } from "../define-vendor.js";
import { emailOr, exclusionsWhere, isExtra, noticed } from "../user-parts.js";
import { isObject, textOf } from "../json/json-value.js";
import type { Told } from "../fields/field-watch.js";
import { RowDamage } from "../row-damage.js";
import { userChecker } from "../check-user.js";
import { DJANGO_COLUMNS, DJANGO_FIELDS } from "./django-fields.js";

const PHONES = ["phone_number", "phone", "mobile", "mobile_number"];

/** Columns by which a table is Django's: those of AbstractBaseUser and the mark of the admin. */
const MARKS = ["password", "last_login", "is_active"];
const ADMIN_MARKS = ["is_superuser", "is_staff"];

/** What a user model is called: auth.User, or one of the application's own that AUTH_USER_MODEL names. */
const USER_MODEL = /\.(?:custom_?)?user$/i;
const OTHER_MODEL = new RowDamage(
  "other_model",
  "This object of the fixture is no user: it is of another model. Nothing is lost by it; manage.py dumpdata auth.user writes users alone.",
);
const ACTIVE_UNCLEAR = new RowDamage(
  "flag_invalid",
  "The field is_active doesn't say clearly whether Django lets this user in; write true or false and import the row again.",
);

const rowSchema = z.looseObject({
  model: z.string().nullish(),
  pk: z.union([z.string(), z.number()]).nullish(),
  // Fields that are no object stay where they are.
  fields: z.undefined().optional(),
});

export const django = defineVendor({
  name: "django",
  label: "Django's user table as CSV, and `dumpdata` JSON",
  noUsersHint: "Dump the user model: manage.py dumpdata auth.user, or what AUTH_USER_MODEL names.",
  // Fixtures are arrays; a document that is an object is none.
  users: () => "",
  recognizeTable(header) {
    const isDjango =
      MARKS.every((name) => header.includes(name)) &&
      ADMIN_MARKS.some((name) => header.includes(name));
    return isDjango ? `the columns ${MARKS.join(", ")} and Django's roles` : null;
  },
  recognizeUser: (first) =>
    "model" in first && "fields" in first ? "a fixture of dumpdata, with a model and fields" : null,
  fields: DJANGO_FIELDS,
  columns: DJANGO_COLUMNS,
  readUser,
  view: withFields,
});

const checkRow = userChecker(rowSchema, "Django");

/**
 * The row of a fixture with its fields beside its key. Another model's has none that count; one of
 * another shape stays as it is.
 */
function withFields(value: object): object {
  const { fields, ...row }: Readonly<Record<string, unknown>> = { ...value };
  if (!isObject(fields)) return value;
  return isUser(row.model, fields) ? { ...fields, ...row } : { model: row.model };
}

/** Whatever its name, a user model has the fields of AbstractBaseUser. */
function isUser(model: unknown, fields: Readonly<Record<string, unknown>>): boolean {
  const isNamed = typeof model === "string" && USER_MODEL.test(model);
  return isNamed || (typeof fields.password === "string" && "last_login" in fields);
}

/** All of a table is texts, which need no check. */
const OF_TABLE: z.infer<typeof rowSchema> = {};

function readUser(value: object, told: Told, { columns }: UserFile): UserDraft | RowDamage {
  const row = columns === null ? checkRow(value) : OF_TABLE;
  if (row instanceof RowDamage) return row;
  if (columns === null && !isUser(row.model, row)) return OTHER_MODEL;
  const field = (name: string): string => textOf(Reflect.get(value, name)) ?? "";
  // A model without the field lets every user in: AbstractBaseUser.is_active is True.
  const hasFlag = columns?.has("is_active") ?? "is_active" in value;
  const isActive = hasFlag ? parseFlag(field("is_active")) : true;
  if (isActive === null) return ACTIVE_UNCLEAR;
  const id = String(row.pk ?? field("id"));
  const username = field("username");
  const hash = field("password");
  const email = emailOr(field("email"), username);
  // Django has no mark that an email or a phone was verified.
  const phone = chooseContact(PHONES.map((name) => ({ value: field(name), verified: null })));
  return {
    sourceId: id,
    email,
    emailVerified: null,
    phone: phone.value,
    phoneVerified: null,
    hash: hash === "" ? null : { kind: "text", text: hash },
    exclusions: exclusionsWhere({ disabled: !isActive }),
    notices: noticed(
      {
        username_not_migrated: isExtra(username, email, phone.value, id),
        other_phones_not_migrated: phone.others > 0,
      },
      told,
    ),
  };
}
