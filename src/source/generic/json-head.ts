/** Finds the users of an application's own JSON file by its start: in which array they are, or on lines, and what the first of them look like. Users are recognized by properties of common names, or of `--map`. */

import { firstObjects } from "../json/json.js";
import { objectsOf } from "../json/json-object.js";
import { isObject, parseJson, textOf, unwrap, valueAt } from "../json/json-value.js";
import { namesUser } from "../other-facts.js";
import { areOurLines, type Learned } from "../raw/json-form.js";
import type { FileHead } from "../source.js";
import type { FieldMap } from "./field-map.js";
import { isContact, type Meaning, meaningOf } from "./field-names.js";
import { isJson } from "../format.js";
import { arraysOfObjects, fieldsAround } from "../json/json-scan.js";
import {
  HELD,
  type JsonProperty,
  noteHeld,
  noteObject,
  propertyIn,
  timesAmong,
  userProperties,
} from "./json-property.js";
import { remembering } from "../remembering.js";

/** Users enough to see which properties they have. */
const MAX_SAMPLES = 200;

/** Where users are. */
export interface UsersPlace {
  /** The array's property in a document; empty for a top-level array; null for an object a line. */
  readonly array: string | null;
  /** The users at the file's start. */
  readonly samples: readonly object[];
}

/**
 * All places that may hold users. Where there are several, the operator has to say which.
 *
 * @param properties of users; an object without a contact is no user
 * @param view gives an object with what `--map`'s expressions say of it
 * @returns an empty list for what isn't JSON
 */
export function findUsers(
  head: FileHead,
  properties: JsonProperty,
  view: (user: object) => object = (user) => user,
): readonly UsersPlace[] {
  const places = placesOfObjects(head).filter(({ samples }) =>
    haveContact(samples.map(view), properties),
  );
  const lines = places.filter(({ array }) => array === null);
  // A user's own lists are no place of users.
  return lines.length > 0 ? lines : places;
}

/** All places of objects, whatever they are. */
export function placesOfObjects(head: FileHead): readonly UsersPlace[] {
  const text = head.text.trimStart();
  if (areOurLines(text)) return [ourLines(head)];
  if (text.startsWith("[")) return [arrayNamed(head, "")];
  if (!text.startsWith("{")) return [];
  const names = listsIn(head.text).filter((path) => !path.includes("."));
  return [
    { array: null, samples: sampleLines(head) },
    ...names.map((one) => arrayNamed(head, one)),
  ];
}

/** The lists of objects in documents; none in users, whose own lists are no users. Each of several documents may have one. */
const listsIn = remembering<readonly string[]>(
  (text) =>
    [...fieldsAround(text)].some((name) => isContact(meaningOf(name)))
      ? []
      : [...new Set(arraysOfObjects(text).map((path) => path.join(".")))],
  10,
);

/** The list of a file that has but one: a script may have put a vendor's users under any name. */
export function onlyList(head: FileHead): readonly string[] {
  return isJson(head) ? listsIn(head.text).filter((_list, _at, { length }) => length === 1) : [];
}

/** The lines of a file of rejects. Each of them is a row, whatever it holds. */
export function ourLines({ text }: FileHead): UsersPlace {
  return { array: null, samples: objectsOf(text.split("\n", MAX_SAMPLES)) };
}

/** The array that `--map users=NAME` names, whatever is in it; the one at the top for an empty name. */
export function arrayNamed(head: FileHead, array: string): UsersPlace {
  return { array, samples: firstObjects(head, array, MAX_SAMPLES) };
}

/** `[]`, or the page of an API behind the last one: its only array is empty. */
export function isEmptyList({ text, complete }: FileHead, properties: JsonProperty): boolean {
  if (!complete || !/\[\s*\]/.test(text)) return false;
  const document = parseJson(text);
  if (Array.isArray(document)) return document.length === 0;
  if (!isObject(document) || haveContact([document], properties)) return false;
  const arrays = Object.values(document).filter(Array.isArray);
  return arrays.length > 0 && arrays.every((array) => array.length === 0);
}

/**
 * The properties of a file's users. A property named like a flag may hold points in time
 * (`emailVerified` of NextAuth's users): then an empty one says "not yet".
 *
 * @param known what the whole export has shown, of which these are the rejects; null for an export
 * @returns beside them flags that users have, where a user who lacks one counts as having an empty
 *   one; and what was learned, for a reading of a part of the same users
 */
export function sampledProperties(
  samples: readonly object[],
  map: FieldMap,
  known: Learned | null,
) {
  const met = propertiesOf(samples, userProperties(map, new Set()));
  const times = timesAmong(met, known?.times ?? null);
  const names = [...new Set(samples.flatMap((sample) => Object.keys(sample)))];
  const properties = userProperties(map, times, names);
  const all = [...propertiesOf(samples, properties)].map(([property]) => property);
  // An element of a list isn't found by its path, and isn't every user's.
  const isFound = (path: string): boolean =>
    samples.some((user) => valueAt(user, path) !== undefined);
  const expected = new Set(
    all.filter(({ path, meanings }) => meanings.some(saysByItsAbsence) && isFound(path)),
  );
  for (const path of known?.expected ?? [])
    expected.add(path.split(".").reduce(propertyIn, properties));
  const paths = [...expected].map(({ path }) => path);
  return {
    properties,
    expected: [...expected],
    learned: { times: [...times], expected: paths },
  };
}

/** The paths of all properties of the first users, for messages. */
export function pathsOf(samples: readonly object[]): readonly string[] {
  const met = [...propertiesOf(samples, userProperties(new Map(), new Set()))];
  return [...new Set(met.map(([{ path }]) => path))];
}

/** Whether any of them has an email or a phone. A list of emails of several users is a document's, and no user's. */
export function haveContact(samples: readonly object[], properties: JsonProperty): boolean {
  return [...propertiesOf(samples, properties)].some(
    ([{ meanings }, value]) => meanings.some(isContact) && !nameSeveral(value),
  );
}

function nameSeveral(value: unknown): boolean {
  const all: readonly unknown[] = Array.isArray(value) ? value : [];
  const owners = all.filter(isObject).flatMap((one) => {
    const user = Object.keys(one).find(namesUser);
    return user === undefined ? [] : [textOf(one[user])];
  });
  return new Set(owners).size > 1;
}

function saysByItsAbsence(meaning: Meaning): boolean {
  if (meaning.kind === "exclusion") return meaning.flag === "no" || meaning.flag === "since";
  return meaning.kind === "verified" && meaning.flag === "time";
}

/** Each property of each user with its value, except those of objects that aren't searched. */
function* propertiesOf(
  samples: readonly object[],
  parent: JsonProperty,
): Generator<readonly [JsonProperty, unknown]> {
  for (const sample of samples) {
    for (const [name, held] of Object.entries(sample)) {
      const value = unwrap(held);
      const property = propertyIn(parent, name);
      const isList = Array.isArray(value) && property.leads;
      const isSearched = isObject(value) && (property.descends || property.leads);
      const text = textOf(value);
      if (text === null) noteObject(property, value);
      else noteHeld(property, HELD.text, text === "");
      if (isList || isSearched) yield* propertiesOf([value], property);
      else yield [property, value];
    }
  }
}

/** Empty where most lines are no objects: then they are a document's. */
function sampleLines({ text }: FileHead): readonly object[] {
  const filled = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, MAX_SAMPLES);
  const objects = objectsOf(filled);
  return objects.length * 2 >= filled.length ? objects : [];
}
