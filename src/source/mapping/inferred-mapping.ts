/** Makes a mapping of what `--map` says of a table or document of no known system, and of what its names say by themselves: YAML with a comment for each field, for people to read and share. It holds names of fields alone. */

import { stringify } from "yaml";
import { RunError } from "../../errors/run-error.js";
import { placeOfColumn } from "../fields/field-tree.js";
import { accountTree } from "../generic/account-fields.js";
import type { GivenMap } from "../generic/field-map.js";
import { shownName } from "../show-name.js";
import type { FileHead } from "../source.js";
import { at, type Field, type Fields, fieldsIn } from "./inferred-fields.js";
import { formLines, isEmpty, type Line, metIn, readPaths } from "./inferred-form.js";

/** How the mapping is called, and whose hashes it reads. */
interface Naming {
  readonly name: string;
  readonly hashes: string;
}

/**
 * @param map as the operator gives it
 * @returns the YAML of a mapping. Whether it reads the same users is for the caller to try
 * @throws RunError as reading the file does
 */
export async function inferredMapping(
  head: FileHead,
  map: GivenMap,
  naming: Naming,
): Promise<string> {
  const lines = linesOf(await fieldsIn(head, map), map, naming);
  const written = lines.filter(([, , value]) => !isEmpty(value));
  return [
    "# Inferred by auth-migrate; docs/mappings.md says what a mapping holds.",
    ...written.map(([comment, field, value]) => `\n# ${comment}\n${field}:${held(value)}`),
    "",
  ].join("\n");
}

/**
 * The fields by which one table or document of no known system is told from another: of ids, emails
 * and hashes, as its mapping would have them.
 *
 * @throws RunError as reading the file does
 */
export async function tellingFields(head: FileHead, map: GivenMap): Promise<unknown> {
  const lines = linesOf(await fieldsIn(head, map), map, { name: "", hashes: "" });
  const fields = Object.fromEntries(lines.map(([, field, value]) => [field, value]));
  return [fields.id, fields.email, fields.hash];
}

/** The same, or something else for a file of which the reading will say what is wrong. */
export async function orStopped<T, E>(made: Promise<T>, otherwise: E): Promise<T | E> {
  return made.catch((error: unknown) => {
    if (error instanceof RunError) return otherwise;
    throw error;
  });
}

function linesOf(fields: Fields, map: GivenMap, { name, hashes }: Naming): Line[] {
  const { properties } = fields;
  const all = metIn(properties);
  // A table's lists of contacts are told as such.
  const [others, notices] = [true, false].map((is) =>
    all("notice").filter(({ code }) => OTHERS.test(code) === is),
  );
  const left = [...(notices ?? []), ...all("unclear"), ...all("credentials")];
  const isLeft = new Set(left.map((one) => one.name));
  const rest = restOf(
    properties.filter((one) => isLeft.has(one.name)),
    fields,
    map,
  );
  return [
    ["What the summary calls files that it reads.", "name", name],
    ["What messages call the system.", "title", name],
    ["Whose hashes these are, as docs/hashes.md names them.", "hashes", hashes],
    ["Where the list of users is.", "users", fields.users],
    [
      "Fields by which a file is known as one of these.",
      "recognize",
      [signsOf(readPaths(all), fields)],
    ],
    ...formLines(all),
    [
      "Other emails and phones, which stay behind.",
      "other_emails",
      others?.map(({ path }) => path),
    ],
    ...rest,
  ];
}

const OTHERS = /^other_(?:email|phone)s_/;

/** What is said of fields that decide nothing. */
function restOf(left: readonly Field[], fields: Fields, map: GivenMap): Line[] {
  const tree = accountTree(map);
  const parts = left.map(({ name, path }) => ({
    name,
    path,
    fate: placeOfColumn(name, tree)?.fate,
  }));
  const ofPart = (is: string): [name: string, path: string][] =>
    parts.flatMap(({ path, fate }) =>
      fate?.kind === "part" && fate.is === is ? [[fate.name, path]] : [],
    );
  const paths = (is: string): string[] => ofPart(is).map(([, path]) => path);
  const ignored = new Set(fields.map.get("ignore")?.map(({ name }) => name));
  const others = parts.filter(({ fate }) => fate?.kind !== "part");
  // What stays behind is heard by its name, but for what the operator said is to be ignored.
  const [told, unsaid] = [true, false].map((is) =>
    others.filter(({ name }) => ignored.has(name) === is),
  );
  const pathsOf = (fields: typeof others = []) => fields.map(({ path }) => path);
  // A name that may be a user's data isn't written: it is heard all the same.
  const heard = unsaid?.filter(({ name }) => isShown(name));
  return [
    ["When the user joined.", "joined", paths("joined")],
    [
      "Metadata by its name, and where it is.",
      "metadata",
      Object.fromEntries(ofPart("metadata").reverse()),
    ],
    ["Roles.", "roles", paths("roles")],
    ["Signs between roles.", "roles_apart", paths("roles").length === 0 ? [] : ",;|"],
    ["The user's ids at providers.", "social_ids", Object.fromEntries(ofPart("social"))],
    ["Secrets of second factors by time.", "totp", paths("totp")],
    [
      "What stays behind, and says nothing whatever its name.",
      "told",
      told?.length === 0 ? {} : { profile_not_migrated: pathsOf(told) },
    ],
    [
      "What stays behind: a flag, a factor or a hash in it is heard by its name.",
      "heard",
      pathsOf(heard),
    ],
  ];
}

function isShown(name: string): boolean {
  return shownName(name) === name;
}

/** Fields that a file of any system may have. */
const ANY: ReadonlySet<string> = new Set(["id", "email", "name", "created_at"]);
/** Enough to know a file by. */
const MOST_SHOWN = 8;

/** What a file is known by: what is read of it, and where that says little, what else is there. */
function signsOf(read: readonly string[], { properties, samples }: Fields): readonly string[] {
  const isThere = (name: string): boolean =>
    samples?.every((user) => at(user, name) !== undefined) ?? true;
  const present = properties.flatMap(({ name, path }) =>
    isShown(name) && isThere(name) ? [path] : [],
  );
  const known = [...new Set(read)].filter((path) => present.includes(path));
  const isSure = known.filter((path) => !ANY.has(path)).length >= 2;
  const more = isSure ? [] : present.filter((path) => !known.includes(path));
  const signs = [...known, ...more].slice(0, Math.max(known.length, MOST_SHOWN));
  // Users at the start may share no name.
  return signs.length > 0 ? signs : read.filter(isShown).slice(0, 1);
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
