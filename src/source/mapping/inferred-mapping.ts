/** Makes a mapping of what `--map` says of a table or document of no known system, and of what its names say by themselves: YAML with a comment for each field, for people to read and share. It holds names of fields alone. */

import { stringify } from "yaml";
import { layoutOf } from "../csv/table.js";
import { isExpression } from "../expression.js";
import { placeOfColumn } from "../fields/field-tree.js";
import { isJson } from "../format.js";
import { accountTree } from "../generic/account-fields.js";
import { type GivenMap, mappedFields } from "../generic/field-map.js";
import type { Meaning, TextField } from "../generic/field-names.js";
import { readingOf } from "../generic/generic-json.js";
import { metUnder } from "../generic/json-property.js";
import { mapOfTable, tableColumns } from "../generic/table-columns.js";
import { valueAt } from "../json/json-value.js";
import type { FileHead } from "../source.js";

/** A file's fields, be it a table or a document. */
interface Fields {
  /** Where the users are; null for a table, and for a list at the top. */
  readonly users: string | null;
  readonly properties: readonly { readonly path: string; readonly meanings: readonly Meaning[] }[];
  /** Whether each user at the file's start has the field. */
  isPresent(path: string): boolean;
}

/** A meaning of a field of this kind. */
type Met<Kind extends Meaning["kind"]> = Extract<Meaning, { readonly kind: Kind }> & {
  readonly path: string;
};

/** How the mapping is called, and whose hashes it reads. */
interface Naming {
  readonly name: string;
  readonly hashes: string;
}

/** A field of the mapping with what is said of it; empty fields are left out. */
type Line = readonly [comment: string, field: string, value: unknown];

/**
 * @param map as the operator gives it
 * @returns the YAML of a mapping; null where no mapping says what these fields say. Whether it reads
 *   the same users is for the caller to try
 * @throws RunError as reading the file does
 */
export async function inferredMapping(
  head: FileHead,
  map: GivenMap,
  naming: Naming,
): Promise<string | null> {
  const fields = isJson(head) ? fieldsOfDocument(head, map) : await fieldsOfTable(head, map);
  const lines = linesOf(fields, map, naming);
  if (lines === null) return null;
  const written = lines.filter(([, , value]) => !isEmpty(value));
  return [
    "# Written by auth-migrate setup; docs/mappings.md says what a mapping holds.",
    ...written.map(([comment, field, value]) => `\n# ${comment}\n${field}:${held(value)}`),
    "",
  ].join("\n");
}

async function fieldsOfTable(head: FileHead, map: GivenMap): Promise<Fields> {
  const layout = layoutOf(head);
  const named = mapOfTable(head.path, layout.header, map);
  const { columns } = await tableColumns(head, layout, named);
  const properties = columns.map(({ property: { path, meanings } }) => ({
    path: pathOf(path),
    meanings,
  }));
  return { users: null, properties, isPresent: () => true };
}

function fieldsOfDocument(head: FileHead, map: GivenMap): Fields {
  const { properties, place, expressions } = readingOf(head, mappedFields(map));
  const { samples, array } = place;
  const isGiven = new Set(expressions.map(({ text }) => text));
  return {
    users: array || null,
    properties: Array.from(metUnder(properties), ({ path, meanings }) => ({
      path: isGiven.has(path) ? path : pathOf(path),
      meanings,
    })),
    isPresent: (path) => samples.every((user) => valueAt(user, plain(path)) !== undefined),
  };
}

/** A name as an expression of a mapping writes it. */
function pathOf(name = ""): string {
  return isExpression(name) ? JSON.stringify(name) : name;
}

function plain(path: string): string {
  return path.startsWith('"') ? String(JSON.parse(path)) : path;
}

/** Meanings of properties that hold more than a text. */
const UNSAYABLE: ReadonlySet<Meaning["kind"]> = new Set([
  "list",
  "credentials",
  "addresses",
  "part",
]);

/** Signs that a table of fields takes for its own. */
const OF_TABLE = /[,\n>~*]/;

/** Null where one of the fields can't be said. */
function linesOf(fields: Fields, map: GivenMap, { name, hashes }: Naming): Line[] | null {
  const met = fields.properties.flatMap(({ path, meanings }) =>
    meanings.map((meaning) => ({ ...meaning, path })),
  );
  const all = <Kind extends Meaning["kind"]>(kind: Kind): Met<Kind>[] =>
    met.filter((one): one is Met<Kind> => one.kind === kind);
  const text = (field: TextField): string[] =>
    all("text")
      .filter((one) => one.field === field)
      .sort((one, other) => one.rank - other.rank)
      .map(({ path }) => path);
  const [email, phone, hash] = [text("email"), text("phone"), text("hash")];
  const [salt, plainText] = [text("salt"), text("plain")];
  const anyIs = email.length > 0 ? "email" : "phone";
  const verified = (of: "email" | "phone"): Met<"verified">[] =>
    all("verified").filter((one) => (one.of === "any" ? anyIs : one.of) === of);
  const [emailVerified, phoneVerified] = [verified("email"), verified("phone")];
  const beside = all("beside").map((one) => [one.field, one.path] as const);
  // Of two names for a contact or a hash a mapping takes the first filled one, whatever the other says.
  const once = [emailVerified, phoneVerified, email, phone, hash, salt, plainText];
  const left = [...all("notice"), ...all("unclear")];
  const flags = all("exclusion").map((flag) => ruleOf(flag, all("exclusion")));
  const rest = restOf(inOrder(left, fields), map);
  const isSayable =
    !met.some(({ kind }) => UNSAYABLE.has(kind)) &&
    new Set(beside.map(([field]) => field)).size === beside.length &&
    // Its name says how all others are read, which no mapping can say.
    !all("verified").some(({ isKnown }) => isKnown) &&
    once.every((one) => one.length <= 1) &&
    !left.some(({ path }) => OF_TABLE.test(path)) &&
    !flags.includes(null);
  if (!isSayable || rest === null) return null;
  const read = [text("id"), email, phone, hash, salt, plainText].flat();
  const parts = filled({ ...Object.fromEntries(beside), salt: salt[0], plain: plainText[0] });
  return [
    ["What the summary calls files that it reads.", "name", name],
    ["What messages call the system.", "title", name],
    ["What these files are.", "label", `${name}, as setup read them`],
    ["Whose hashes these are, as docs/hashes.md names them.", "hashes", hashes],
    ["Where the list of users is.", "users", fields.users],
    [
      "Fields by which a file is known as one of these.",
      "recognize",
      [signsOf([...read, ...all("exclusion").map(({ path }) => path)], fields)],
    ],
    ["The user's id.", "id", text("id")],
    ["The email.", "email", email],
    ["Whether the email was verified.", "email_verified", sayVerified(emailVerified)],
    ["The phone.", "phone", phone],
    ["Whether the phone was verified.", "phone_verified", sayVerified(phoneVerified)],
    ["The password's hash.", "hash", isEmpty(parts) ? hash : filled({ value: hash, ...parts })],
    [
      "Who is kept out, and by which value.",
      "flags",
      Object.fromEntries(flags.flatMap((flag) => (flag === null ? [] : [flag]))),
    ],
    ...rest,
  ];
}

/** Fields in the file's order. */
function inOrder(
  met: readonly { readonly path: string }[],
  { properties }: Fields,
): readonly string[] {
  const paths = new Set(met.map(({ path }) => path));
  return properties.flatMap(({ path }) => (paths.has(path) ? [path] : []));
}

/** What is said of fields that decide nothing; null where a mapping can't say it. */
function restOf(left: readonly string[], map: GivenMap): Line[] | null {
  const tree = accountTree(map);
  const parts = left.map((path) => ({ path, fate: placeOfColumn(plain(path), tree)?.fate }));
  const ofPart = (is: string): [name: string, path: string][] =>
    parts.flatMap(({ path, fate }) =>
      fate?.kind === "part" && fate.is === is ? [[fate.name, path]] : [],
    );
  if (ofPart("social").length > 0) return null;
  const paths = (is: string): string[] => ofPart(is).map(([, path]) => path);
  const ignored = new Set(
    mappedFields(map)
      .get("ignore")
      ?.map(({ name }) => name),
  );
  const others = parts.filter(({ fate }) => fate?.kind !== "part").map(({ path }) => path);
  // What stays behind is heard by its name, but for what the operator said is to be ignored.
  const told = others.filter((path) => ignored.has(plain(path)));
  const heard = others.filter((path) => !ignored.has(plain(path)));
  return [
    ["When the user joined.", "joined", paths("joined")],
    ["Metadata by its name, and where it is.", "metadata", Object.fromEntries(ofPart("metadata"))],
    ["Roles.", "roles", paths("roles")],
    ["Signs between roles.", "roles_apart", paths("roles").length === 0 ? [] : ",;|"],
    ["Secrets of second factors by time.", "totp", paths("totp")],
    [
      "What stays behind, and says nothing whatever its name.",
      "told",
      told.length === 0 ? {} : { profile_not_migrated: told },
    ],
    ["What stays behind: a flag, a factor or a hash in it is heard by its name.", "heard", heard],
  ];
}

/** Fields that a file of any system may have. */
const ANY: ReadonlySet<string> = new Set(["id", "email", "name", "created_at"]);
/** Enough to know a file by. */
const MOST_SHOWN = 8;

/** What a file is known by: what is read of it, and where that says little, what else is there. */
function signsOf(read: readonly string[], { properties, isPresent }: Fields): readonly string[] {
  const present = properties.flatMap(({ path }) => (isPresent(path) ? [path] : []));
  const known = [...new Set(read)].filter((path) => present.includes(path));
  const isSure = known.filter((path) => !ANY.has(path)).length >= 2;
  const more = isSure ? [] : present.filter((path) => !known.includes(path));
  return [...known, ...more].slice(0, Math.max(known.length, MOST_SHOWN));
}

function sayVerified([first]: readonly Met<"verified">[]): object | null {
  if (first === undefined) return null;
  const { path, flag, only } = first;
  const is = flag === "no" || flag === "time" ? flag : "yes";
  return only === undefined ? { from: path, is } : { from: path, is, only };
}

/** Null for a flag that several points in time may end. */
function ruleOf(
  { path, flag, values, rest, exclusion, group }: Met<"exclusion">,
  all: readonly Met<"exclusion">[],
): readonly [path: string, rule: object] | null {
  const ends = all.filter(
    (one) => one.path !== path && one.group === group && one.flag === "until",
  );
  const [end, second] = flag === "until" ? [] : ends;
  if (second !== undefined) return null;
  const isAsked = rest === "asked";
  const others = rest === undefined ? [] : [["else", isAsked ? "asked" : (rest[0] ?? "in")]];
  const listed = Array.from(values ?? [], ([value, [said = "in"]]) => [value, said]);
  const rule = {
    ...(rest === undefined ? { is: flag } : {}),
    ...(exclusion === "disabled" ? {} : { as: exclusion }),
    ...(end === undefined ? {} : { until: end.path }),
    ...(values === undefined ? {} : { values: Object.fromEntries([...listed, ...others]) }),
  };
  return [path, rule];
}

function filled(parts: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(parts).filter(([, one]) => one !== undefined && !isEmpty(one)),
  );
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}

/** What stands behind a field's name: an object with a line for each of its own. */
function held(value: unknown): string {
  if (Array.isArray(value)) {
    const [only] = value;
    return ` ${inline(value.length === 1 && typeof only === "string" ? only : value)}`;
  }
  if (typeof value !== "object" || value === null) return ` ${inline(value)}`;
  const lines = Object.entries(value).map(([name, one]) => `\n  ${inline(name)}: ${inline(one)}`);
  return lines.join("");
}

/** On one line, and a text in every version of YAML where it is one here. */
function inline(value: unknown): string {
  const style = { collectionStyle: "flow", compat: "yaml-1.1", lineWidth: 0 } as const;
  return stringify(value, style).trimEnd();
}
