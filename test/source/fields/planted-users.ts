/** Users of each vendor with a value planted anywhere among their fields, and what reading them says. */

import type { UserRecord } from "../../../src/account/user-record.js";
import type { FieldsRead } from "../../../src/source/fields/field-watch.js";
import type { FieldTree } from "../../../src/source/fields/field-tree.js";
import type { ReadOptions, Source } from "../../../src/source/source.js";
import { findSource } from "../../../src/source/registry.js";
import { AUTH0_FIELDS } from "../../../src/source/vendors/auth0/auth0.js";
import { auth0 } from "../../../src/source/vendors/auth0/auth0.js";
import { FIREBASE_FIELDS } from "../../../src/source/vendors/firebase/firebase.js";
import { firebase } from "../../../src/source/vendors/firebase/firebase.js";
import { collect, PLAIN, pieces } from "../support.js";

/** A source beside one of its tables of fields and a user whom it lets in by their email. */
export interface Planted {
  /** Of the vendor's form. */
  readonly name: string;
  readonly source: Source;
  /** Users are rows of a table, else objects of JSON. */
  readonly isTable?: boolean;
  readonly tree: FieldTree;
  /** The user with fields by their paths. */
  readonly userWith: (fields: Readonly<Record<string, unknown>>) => object;
}

function planted(source: Source, tree: FieldTree, user: object): Planted {
  return { name: source.name, source, tree, userWith: (fields) => withFields(user, fields) };
}

function plantedTable(source: Source, tree: FieldTree, row: object): Planted {
  // A cell holds the whole of a list, as JSON.
  const userWith: Planted["userWith"] = (fields) => {
    const [listed, plain] = [true, false].map((is) =>
      Object.fromEntries(Object.entries(fields).filter(([path]) => path.includes("[]") === is)),
    );
    return withFields({ ...row, ...plain }, listed ?? {});
  };
  return { name: `${source.name}'s tables`, source, tree, isTable: true, userWith };
}

const clerk = findSource("clerk")!;
const cognito = findSource("cognito")!;
const keycloak = findSource("keycloak")!;
const okta = findSource("okta")!;
const supabase = findSource("supabase")!;
const django = findSource("django")!;

export const VENDORS: readonly Planted[] = [
  planted(firebase, FIREBASE_FIELDS, { localId: "u1", email: "ann@example.com" }),
  planted(auth0, AUTH0_FIELDS, { user_id: "auth0|u1", email: "ann@example.com" }),
  planted(supabase, supabase.fields[0]!, {
    id: "u1",
    email: "ann@example.com",
    aud: "authenticated",
    banned_until: "",
  }),
  planted(clerk, clerk.fields[0]!, {
    id: "user_1",
    primary_email_address: "ann@example.com",
    primary_email_address_id: null,
  }),
  planted(cognito, cognito.fields[0]!, {
    Username: "u1",
    Enabled: true,
    UserStatus: "CONFIRMED",
    email: "ann@example.com",
  }),
  planted(keycloak, keycloak.fields[0]!, {
    username: "ann@example.com",
    enabled: true,
    emailVerified: true,
    createdTimestamp: null,
    email: "ann@example.com",
  }),
  planted(okta, okta.fields[0]!, {
    status: "ACTIVE",
    profile: { login: "ann@example.com", email: "ann@example.com" },
    credentials: { provider: { type: "OKTA" } },
  }),
  plantedTable(clerk, clerk.fields[1]!, {
    id: "user_1",
    primary_email_address: "ann@example.com",
    password_hasher: "",
  }),
  plantedTable(cognito, cognito.fields[1]!, { "cognito:username": "u1", email: "ann@example.com" }),
  plantedTable(keycloak, keycloak.fields[1]!, {
    email: "ann@example.com",
    email_verified: "",
    enabled: "t",
    secret_data: "",
    credential_data: "",
  }),
  plantedTable(okta, okta.fields[1]!, {
    "User Id": "",
    Status: "ACTIVE",
    Username: "ann@example.com",
    "Primary email": "ann@example.com",
    "Credential Provider Type": "OKTA",
  }),
  plantedTable(django, django.fields[1]!, {
    email: "ann@example.com",
    password: "",
    last_login: "",
    is_superuser: "",
    is_active: "true",
  }),
  {
    name: django.name,
    source: django,
    tree: django.fields[0]!,
    userWith: ({ pk, model = "auth.user", ...fields }) => ({
      model,
      pk: pk ?? 1,
      fields: withFields({ email: "ann@example.com", is_active: true }, fields),
    }),
  },
];

/** A user with values at some paths, as `identities[].provider`; each list has one element. */
function withFields(user: object, fields: Readonly<Record<string, unknown>>): object {
  let whole: unknown = user;
  for (const [path, value] of Object.entries(fields)) {
    whole = withValue(whole, path.replaceAll("[]", ".[]").split("."), value);
  }
  if (typeof whole !== "object" || whole === null) throw new Error("no user");
  return whole;
}

function withValue(at: unknown, steps: readonly string[], value: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (step === "[]") return [withValue(Array.isArray(at) ? at[0] : undefined, rest, value)];
  const known = typeof at === "object" && at !== null ? at : {};
  return { ...known, [step]: withValue(Reflect.get(known, step), rest, value) };
}

/** Rows as a CSV with a column for each of their fields. */
export function tableOf(rows: readonly object[]): string {
  const header = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (value: unknown): string => {
    const text =
      typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
    return `"${text.replaceAll('"', '""')}"`;
  };
  const lines = rows.map((row) => header.map((name) => cell(Reflect.get(row, name))));
  return [header.map(cell), ...lines].map((cells) => `${cells.join(",")}\n`).join("");
}

/** What reading some users says. */
export interface Reading {
  readonly fields: FieldsRead;
  /** Of each user the record, or the code of a reject. */
  readonly users: readonly (UserRecord | string)[];
}

/** Reads users as the vendor's form has them. */
export async function readPlanted(
  { source, isTable = false }: Planted,
  users: readonly object[],
  options: Partial<ReadOptions> = {},
): Promise<Reading> {
  const told: FieldsRead[] = [];
  const onFields = (read: FieldsRead): void => void told.push(read);
  const text = Buffer.from(isTable ? tableOf(users) : JSON.stringify(users));
  const given = { ...PLAIN, ...options, onFields };
  const items = await collect(source.read("users.json", pieces(text, 65_536), given));
  const [fields] = told;
  if (fields === undefined) throw new Error("the source has no table of fields");
  const read = items.map((item) => {
    if (item.kind === "record") return item.record;
    return item.kind === "truncated" ? item.kind : item.code;
  });
  return { fields, users: read };
}
