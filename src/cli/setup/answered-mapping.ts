/** Makes a mapping of what `--map` says of a table or document of no known system, and of what its names say by themselves. It is text for people to read and share, and holds names of fields alone. */

import { layoutOf } from "../../source/csv/table.js";
import { isExpression } from "../../source/expression.js";
import { placeOfColumn } from "../../source/fields/field-tree.js";
import { isJson } from "../../source/format.js";
import { accountTree } from "../../source/generic/account-fields.js";
import { type GivenMap, mappedFields } from "../../source/generic/field-map.js";
import type { Meaning, TextField } from "../../source/generic/field-names.js";
import type { FlagKind, KeepsOut as Meant } from "../../source/generic/flag-names.js";
import { readingOf } from "../../source/generic/generic-json.js";
import { type JsonProperty, metUnder } from "../../source/generic/json-property.js";
import { mapOfTable, tableColumns } from "../../source/generic/table-columns.js";
import { valueAt } from "../../source/json/json-value.js";
import type { FileHead } from "../../source/source.js";
import { type MappingLines, mappingText } from "./mapping-text.js";

/** A column or property that decides about a user, and how it is read. */
interface Flag {
  readonly path: string;
  readonly flag: FlagKind;
  /** The only values that say yes, where `--map` names them. */
  readonly only?: readonly string[] | undefined;
  /** Its name says how all others are read, which no mapping can say. */
  readonly isKnown?: boolean;
}

type KeepsOut = Meant & Pick<Flag, "path">;

/** What the fields of a file are, be it a table or a document. */
interface Fields {
  readonly users: string | null;
  readonly texts: Readonly<Record<TextField, readonly string[]>>;
  readonly beside: Readonly<Record<string, string>>;
  readonly emailVerified: readonly Flag[];
  readonly phoneVerified: readonly Flag[];
  readonly exclusions: readonly KeepsOut[];
  /** All others. */
  readonly left: readonly string[];
  /** Fields that each user at the file's start has. */
  readonly present: readonly string[];
}

/** How the mapping is called, and whose hashes it reads. */
interface Naming {
  readonly name: string;
  readonly hashes: string;
}

/**
 * @param map as the operator gives it
 * @returns the YAML of a mapping; null where no mapping says what these fields say. Whether it reads
 *   the same users is for the caller to try
 * @throws RunError as reading the file does
 */
export async function answeredMapping(
  head: FileHead,
  map: GivenMap,
  naming: Naming,
): Promise<string | null> {
  const fields = isJson(head) ? fieldsOfDocument(head, map) : await fieldsOfTable(head, map);
  const lines = fields === null ? null : linesOf(fields, map, naming);
  return lines === null ? null : mappingText(lines);
}

async function fieldsOfTable(head: FileHead, map: GivenMap): Promise<Fields | null> {
  const layout = layoutOf(head);
  const named = mapOfTable(head.path, layout.header, map);
  const { columns } = await tableColumns(head, layout, named);
  const met = columns.map(({ property }) => ({ ...property, path: pathOf(property.path) }));
  return fieldsOf(met, null, () => true);
}

/** Meanings of properties that hold more than a text. */
const UNSAYABLE: ReadonlySet<Meaning["kind"]> = new Set([
  "list",
  "credentials",
  "addresses",
  "part",
]);

function fieldsOfDocument(head: FileHead, map: GivenMap): Fields | null {
  const { properties, place, expressions } = readingOf(head, mappedFields(map));
  const { samples, array } = place;
  const isGiven = new Set(expressions.map(({ text }) => text));
  const met = [...metUnder(properties)];
  const written = (path: string): string => (isGiven.has(path) ? path : pathOf(path));
  return fieldsOf(
    met.map((property) => ({ ...property, path: written(property.path) })),
    array || null,
    (path) => samples.every((user) => valueAt(user, plain(path)) !== undefined),
  );
}

/** @param isPresent whether each user at the file's start has the field */
function fieldsOf(
  properties: readonly Pick<JsonProperty, "path" | "meanings">[],
  users: string | null,
  isPresent: (path: string) => boolean,
): Fields | null {
  const met = properties.flatMap(({ path, meanings }) =>
    meanings.map((meaning) => ({ path, meaning })),
  );
  if (met.some(({ meaning }) => UNSAYABLE.has(meaning.kind))) return null;
  const beside = met.flatMap(({ path, meaning }) =>
    meaning.kind === "beside" ? [[meaning.field, path] as const] : [],
  );
  if (new Set(beside.map(([field]) => field)).size < beside.length) return null;
  const text = (field: TextField): readonly string[] =>
    met
      .flatMap(({ path, meaning }) =>
        meaning.kind === "text" && meaning.field === field ? [{ path, rank: meaning.rank }] : [],
      )
      .sort((one, other) => one.rank - other.rank)
      .map(({ path }) => path);
  const email = text("email");
  const verified = (of: "email" | "phone"): readonly Flag[] =>
    met.flatMap(({ path, meaning }) => {
      if (meaning.kind !== "verified") return [];
      const isOf = meaning.of === "any" ? (email.length > 0 ? "email" : "phone") : meaning.of;
      return isOf === of ? [{ ...meaning, path }] : [];
    });
  return {
    users,
    texts: {
      id: text("id"),
      email,
      phone: text("phone"),
      hash: text("hash"),
      salt: text("salt"),
      plain: text("plain"),
    },
    beside: Object.fromEntries(beside),
    emailVerified: verified("email"),
    phoneVerified: verified("phone"),
    exclusions: met.flatMap(({ path, meaning }) =>
      meaning.kind === "exclusion" ? [{ ...meaning, path }] : [],
    ),
    left: met.flatMap(({ path, meaning }) =>
      meaning.kind === "notice" || meaning.kind === "unclear" ? [path] : [],
    ),
    present: properties.flatMap(({ path }) => (isPresent(path) ? [path] : [])),
  };
}

/** A name as an expression of a mapping writes it. */
function pathOf(name = ""): string {
  return isExpression(name) ? JSON.stringify(name) : name;
}

/** Fields that a file of any system may have. */
const ANY: ReadonlySet<string> = new Set(["id", "email", "name", "created_at"]);
/** Enough to know a file by. */
const MOST_SHOWN = 8;

/** Signs that a table of fields takes for its own. */
const OF_TABLE = /[,\n>~*]/;

/** Null where one of the fields can't be said. */
function linesOf(fields: Fields, map: GivenMap, naming: Naming): MappingLines | null {
  const { texts, beside, emailVerified, phoneVerified, exclusions, left, present } = fields;
  if ([...emailVerified, ...phoneVerified].some(({ isKnown }) => isKnown)) return null;
  // Of two names for a contact or a hash a mapping takes the first filled one, whatever the other says.
  const { id: _id, ...single } = texts;
  const once = [emailVerified, phoneVerified, ...Object.values(single)];
  if (once.some((one) => one.length > 1) || left.some((path) => OF_TABLE.test(path))) return null;
  const tree = accountTree(map);
  const parts = left.map((path) => ({ path, fate: placeOfColumn(plain(path), tree)?.fate }));
  const ofPart = (is: string) =>
    parts.flatMap(({ path, fate }) =>
      fate?.kind === "part" && fate.is === is ? [{ path, name: fate.name }] : [],
    );
  if (ofPart("social").length > 0) return null;
  const ignored = new Set(
    mappedFields(map)
      .get("ignore")
      ?.map(({ name }) => name),
  );
  const others = parts.filter(({ fate }) => fate?.kind !== "part").map(({ path }) => path);
  const flags = exclusions.map((flag) => sayFlag(flag, exclusions));
  if (flags.includes(null)) return null;
  const read = [...new Set([...Object.values(texts).flat(), ...exclusions.map((one) => one.path)])];
  const known = read.filter((path) => present.includes(path));
  const isSure = known.filter((path) => !ANY.has(path)).length >= 2;
  const more = isSure ? [] : present.filter((path) => !known.includes(path));
  return {
    ...naming,
    users: fields.users,
    recognize: [...known, ...more].slice(0, Math.max(known.length, MOST_SHOWN)),
    texts,
    beside,
    verified: {
      email: emailVerified.map(sayVerified)[0] ?? null,
      phone: phoneVerified.map(sayVerified)[0] ?? null,
    },
    flags: flags.filter((flag) => flag !== null),
    joined: ofPart("joined").map(({ path }) => path),
    metadata: ofPart("metadata"),
    roles: ofPart("roles").map(({ path }) => path),
    totp: ofPart("totp").map(({ path }) => path),
    ignored: others.filter((path) => ignored.has(plain(path))),
    heard: others.filter((path) => !ignored.has(plain(path))),
  };
}

function plain(path: string): string {
  return path.startsWith('"') ? String(JSON.parse(path)) : path;
}

function sayVerified({ path, flag, only }: Flag): Readonly<Record<string, unknown>> {
  const is = flag === "no" || flag === "time" ? flag : "yes";
  return only === undefined ? { from: path, is } : { from: path, is, only };
}

/** Null for a flag that several points in time may end. */
function sayFlag(
  { path, flag, values, rest, exclusion, group }: KeepsOut,
  all: readonly KeepsOut[],
): MappingLines["flags"][number] | null {
  const isOther = (one: KeepsOut): boolean => one.path !== path && one.group === group;
  const ends = all.filter((one) => isOther(one) && one.flag === "until");
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
  return { path, rule };
}
