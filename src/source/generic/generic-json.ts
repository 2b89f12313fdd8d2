/** Any JSON file of users: an array, an object with an array of them, or an object a line. Properties are known by their common names or by `--map`; hashes are handed on as they are. */

import { RunError } from "../../errors/run-error.js";
import type { UserDraft } from "../../account/user-draft.js";
import { defineSource, toDrafts } from "../define-source.js";
import { compileExpression, type Expression, isExpression, readOrNull } from "../expression.js";
import { isJson } from "../format.js";
import { readJson } from "../json/json.js";
import { textOf, valueAt } from "../json/json-value.js";
import { readNdjson } from "../json/ndjson.js";
import { areOurLines, jsonForm, learnedFrom } from "../raw/json-form.js";
import type { RawForm, RowBatch } from "../raw/raw-row.js";
import { showName, showNames } from "../show-name.js";
import { guardKinds, refuseMixed, takesBeside } from "../kinds.js";
import { findMisfit } from "../misfits.js";
import type { FileHead, ReadOptions } from "../source.js";
import { ColumnWatch, countedColumn, isFlag } from "./column-watch.js";
import { type FieldMap, type MapField, mappedFields } from "./field-map.js";
import { meaningOf } from "./field-names.js";
import {
  arrayNamed,
  findUsers,
  isEmptyList,
  ourLines,
  pathsOf,
  placesOfObjects,
  sampledProperties,
  type UsersPlace,
} from "./json-head.js";
import { metUnder, userProperties } from "./json-property.js";
import { accountTree, type RowParts, socialColumns, withParts } from "./account-fields.js";
import { UserReader } from "./user-reader.js";
import { refuseContactsBeside } from "./users-further-in.js";

/** Without `--map`: the common names alone. */
const BY_NAME = userProperties(new Map(), new Set());

export const genericJson = defineSource({
  name: "json",
  label: "any other [JSON of users](vendors/json.md): an array, or an object a line",
  generic: true,
  recognize(head) {
    if (!isJson(head)) return null;
    const [place] = findUsers(head, BY_NAME);
    if (place === undefined && isEmptyList(head, BY_NAME)) return "a JSON list without users";
    return place === undefined ? null : `${describePlace(place)} with an email or a phone`;
  },
  open(head, bytes, options) {
    const given = mappedFields(options.map);
    if (isEmptyList(head, BY_NAME)) return emptyList();
    refuseContactsBeside(head);
    const { place, view, learned, ...reading } = readingOf(head, given);
    const { array } = place;
    const { map, now } = options;
    const beside = new Map<string, number>();
    const onList = (list: string): void => void beside.set(list, (beside.get(list) ?? 0) + 1);
    const takes = takesBeside(head, array ?? "", { onList, now });
    const objects =
      array === null
        ? readNdjson(bytes)
        : readJson(head.path, bytes, array, { takesBeside: takes });
    const users = areOurLines(head.text)
      ? objects
      : guardKinds(head, objects, { samples: place.samples, map, now });
    const form = jsonForm(learned);
    return readObjects(head.path, users, { ...reading, view, beside }, options, form);
  },
});

/** How {@link readObjects} reads users. */
interface ObjectReading extends Pick<JsonReading, "properties" | "expected"> {
  readonly view?: JsonReading["view"];
  /** How many objects lists beside the users hold, by the lists' paths. */
  readonly beside?: ReadonlyMap<string, number>;
}

/**
 * The users of objects, whatever container they come from.
 *
 * @param form how rejects are written
 */
export function readObjects(
  path: string,
  objects: AsyncIterable<RowBatch<object>>,
  { properties, expected, view = (user) => user, beside = new Map() }: ObjectReading,
  options: ReadOptions,
  form: RawForm,
): AsyncIterable<RowBatch<UserDraft>> {
  const watch = new ColumnWatch(path, null, options.onUnread);
  const reader = new UserReader(watch, options.now);
  const tree = options.keepsAccount ? accountTree(options.map) : null;
  const social = socialColumns(options.map);
  const parts: RowParts<object> = {
    tree,
    user: (user) => user,
    hasSocial: (user) => social.some((one) => (textOf(valueAt(user, one)) ?? "").trim() !== ""),
  };
  const drafts = toDrafts(
    objects,
    (user) => withParts(reader.read(view(user), properties, expected), user, parts, options),
    form,
  );
  return watch.guard(
    drafts,
    () => [...metUnder(properties)].some(isFlag),
    () => [
      ...[...metUnder(properties)].map((property) => countedColumn(property, tree)),
      ...[...beside].map(([list, filled]) => ({ name: `${list}[]`, as: null, filled })),
    ],
    options.onColumns,
  );
}

/** How a file's users are read, as far as its start shows it. */
interface JsonReading extends ReturnType<typeof sampledProperties> {
  readonly place: UsersPlace;
  /** The users with the values of expressions, each under the expression's own text. */
  readonly view: (user: object) => object;
  readonly expressions: readonly Expression[];
  /** What `--map` says, with the lists that the hash's expression looks into among what is ignored. */
  readonly map: FieldMap;
}

/** @throws RunError `input_unrecognized`, `column_unclear`, `mapping_invalid` */
export function readingOf(head: FileHead, given: FieldMap): JsonReading {
  const isOurs = areOurLines(head.text);
  const expressions = expressionsOf(given, head);
  const view = viewOf(expressions);
  const map = withoutHashLists(given, expressions);
  const found = isOurs ? ourLines(head) : placeOf(head, map, view);
  const place = { ...found, samples: found.samples.map(view) };
  if (!isOurs) refuseMissing(head.path, place, map);
  const sampled = sampledProperties(place.samples, map, learnedFrom(head.text));
  return { ...sampled, place, view, expressions, map };
}

async function* emptyList(): AsyncGenerator<RowBatch<UserDraft>> {}

function describePlace({ array }: UsersPlace): string {
  if (array === null) return "a JSON object a line";
  return array === ""
    ? "a JSON array of objects"
    : `a JSON document whose ${showName(array)} are objects`;
}

function placeOf(head: FileHead, map: FieldMap, view: (user: object) => object): UsersPlace {
  const named = map.get("users")?.[0]?.name;
  if (named !== undefined) return arrayNamed(head, named);
  const [place, ...others] = findUsers(head, userProperties(map, new Set()), view);
  if (place === undefined) throw noUsers(head);
  if (others.length === 0) return place;
  const places = [place, ...others].map(describePlace).join(", and ");
  throw new RunError("column_unclear", `${head.path} is ${places}`, {
    hint: "Say which array holds the users, as in --map users=NAME.",
  });
}

/** The users at the start of a file may all lack these. */
const MAY_COME_LATE: ReadonlySet<MapField> = new Set(["users", "ignore", "totp", "roles"]);

/**
 * The expressions that `--map` names.
 *
 * @param head a name that one of its objects has is no expression
 * @throws RunError `mapping_invalid` for an expression that can't be read
 */
function expressionsOf(map: FieldMap, head: FileHead): readonly Expression[] {
  const names = [...map].flatMap(([field, given]) =>
    field === "users" || field === "ignore" ? [] : given.map(({ name }) => name),
  );
  const given = names.filter(isExpression);
  const samples = given.length === 0 ? [] : objectsAtStart(head, map);
  const isName = (name: string): boolean =>
    samples.some((user) => valueAt(user, name) !== undefined);
  return given.filter((name) => !isName(name)).map(compileExpression);
}

function viewOf(expressions: readonly Expression[]): (user: object) => object {
  if (expressions.length === 0) return (user) => user;
  return (user) => {
    const values = expressions.flatMap((expression) => {
      const value = readOrNull(expression, user) ?? null;
      return value === null ? [] : [[expression.text, value] as const];
    });
    return { ...user, ...Object.fromEntries(values) };
  };
}

/** The list that the hash's expression looks into holds no other hash to ask about. */
function withoutHashLists(map: FieldMap, expressions: readonly Expression[]): FieldMap {
  const [hash] = map.get("hash") ?? [];
  const expression = expressions.find(({ text }) => text === hash?.name);
  if (expression === undefined) return map;
  const lists = expression.fields.map((path) => path.split("[]")[0] ?? "");
  const names = [...new Set(lists)].map((name) => ({ name }));
  return new Map([...map, ["ignore", [...(map.get("ignore") ?? []), ...names]]]);
}

function objectsAtStart(head: FileHead, map: FieldMap): readonly object[] {
  const path = map.get("users")?.[0]?.name;
  const places = path === undefined ? placesOfObjects(head) : [arrayNamed(head, path)];
  return places.flatMap(({ samples }) => samples);
}

/**
 * Refuses a mapped name that no user at the start has: it may be mistyped. Flags and ignored
 * properties may come with later users alone; there the true property of a mistyped name stops the
 * run.
 */
function refuseMissing(path: string, { samples }: UsersPlace, map: FieldMap): void {
  const properties = [...map].flatMap(([field, names]) =>
    MAY_COME_LATE.has(field) ? [] : names.map(({ name }) => name),
  );
  for (const property of properties) {
    const { kind } = meaningOf(property);
    if (kind === "exclusion" || kind === "unclear" || kind === "verified") continue;
    if (samples.some((user) => valueAt(user, property) !== undefined)) continue;
    throw new RunError(
      "input_unrecognized",
      `No user at the start of ${path} has the property ${showName(property)}, which --map names`,
      { hint: `The properties found are ${showNames(pathsOf(samples))}.` },
    );
  }
}

function noUsers(head: FileHead): RunError {
  const flaw = findMisfit(head);
  if (flaw !== null) {
    const { what, hint } = flaw;
    return new RunError("input_unrecognized", `${head.path} is ${what}`, { hint });
  }
  refuseMixed(head);
  const seen = pathsOf(placesOfObjects(head).flatMap(({ samples }) => samples));
  const names = seen.length === 0 ? "" : `The properties found are ${showNames(seen)}. `;
  return new RunError(
    "input_unrecognized",
    `${head.path} holds no JSON objects with an email or a phone`,
    {
      hint: `${names}Name the array of users with --map users=NAME, and their properties as in --map email=profile.email.`,
    },
  );
}
