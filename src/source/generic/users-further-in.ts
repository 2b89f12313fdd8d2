/** Users who aren't where a JSON file's users are: in lists of lists or under their ids, told with a command that reads them; or with their contacts in a list beside them, which a mapping reads. */

import { RunError } from "../../errors/run-error.js";
import { isJson } from "../format.js";
import { firstObjects } from "../json/json.js";
import { arraysOfObjects, arraysWithin } from "../json/json-scan.js";
import { isObject, parseJson, textOf, valueAt } from "../json/json-value.js";
import { namesUser } from "../other-facts.js";
import { fileWord, showNames } from "../show-name.js";
import type { FileHead } from "../source.js";
import { isContact, meaningOf } from "./field-names.js";

const IDS = ["id", "_id", "pk", "uid", "uuid", "key"];
/** What jq and `--map` take without quotation marks. */
const PLAIN = /^[A-Za-z_]\w*$/;
const SAMPLES = 50;
const MAX_DEPTH = 4;

/**
 * Where users stand in lists of lists.
 *
 * @returns a hint; null where none are seen at the file's start
 */
export function innerUsers(head: FileHead): string | null {
  if (!isJson(head)) return null;
  const file = fileWord(head.path);
  const list = arraysWithin(head.text).find((path) => objectsAt(head, path).some(hasContact));
  if (list === undefined) return null;
  return list.startsWith("[]")
    ? `Where ${list} are the users, write them one a line: jq -c '.${list}[]' ${file} | auth-migrate validate - (or write that into a file).`
    : `Where ${list} are the users, say so: auth-migrate validate ${file} --from json --map 'users=${list}'`;
}

/**
 * Where users stand under their ids.
 *
 * @returns a hint; null where none are seen, or the file is longer than its start
 */
export function keyedUsers(head: FileHead): string | null {
  const path = head.complete && isJson(head) ? pathOfKeyed(parseJson(head.text), "") : null;
  return path === null
    ? null
    : `The users stand under their ids; write them one a line: jq -c '.${path} | to_entries[] | {id: .key} + .value' ${fileWord(head.path)} | auth-migrate validate - (or write that into a file).`;
}

/** The path of an object whose values are users; null without one. */
function pathOfKeyed(value: unknown, path: string, depth = 0): string | null {
  if (!isObject(value) || depth > MAX_DEPTH) return null;
  const held = Object.values(value);
  const isUser = (one: unknown): boolean => isObject(one) && hasContact(one);
  if (held.length > 1 && held.every(isUser)) return path;
  for (const [name, inner] of Object.entries(value)) {
    if (!PLAIN.test(name)) continue;
    const found = pathOfKeyed(inner, path === "" ? name : `${path}.${name}`, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

/** The first objects of a list in other lists. */
function objectsAt(head: FileHead, path: string): readonly object[] {
  if (!path.startsWith("[].")) return firstObjects(head, path, SAMPLES);
  const [name = "", ...more] = path.slice(3).split("[].");
  if (more.length > 0) return [];
  return firstObjects(head, "", SAMPLES).flatMap((outer) => listAt(outer, name));
}

function listAt(outer: object, name: string): readonly object[] {
  const list: unknown = valueAt(outer, name);
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function hasContact(object: object): boolean {
  return Object.keys(object).some((name) => {
    const meaning = meaningOf(name);
    return meaning.kind === "text" && isContact(meaning);
  });
}

/**
 * Refuses a document that has the users' contacts in a list beside them: read as they stand, either
 * list would be users without the other's half.
 *
 * @throws RunError `input_unrecognized`
 */
export function refuseContactsBeside(head: FileHead): void {
  const lists = arraysOfObjects(head.text)
    .filter((names) => names.length > 0 && names.every((name) => PLAIN.test(name)))
    .map((names) => ({
      path: names.join("."),
      objects: firstObjects(head, names.join("."), SAMPLES),
    }));
  for (const { path, objects } of lists) {
    const [first = {}] = objects;
    const user = Object.keys(first).find(namesUser);
    if (!hasContact(first) || user === undefined) continue;
    const named = new Set(objects.map((one) => textOf(valueAt(one, user))));
    const isOwners = (other: (typeof lists)[number]): boolean =>
      other.path !== path && other.objects.some((one) => isNamed(one, named));
    if (!lists.some(isOwners)) continue;
    const what = `holds the contacts of its users in a list of their own (${showNames([path])})`;
    throw new RunError("input_unrecognized", `${head.path} ${what}`, {
      hint: "Say under related in a mapping what that list holds (docs/mappings.md).",
    });
  }
}

/** Whether it is a user without a contact whose id is among these. */
function isNamed(one: object, ids: ReadonlySet<string | null>): boolean {
  const id = IDS.find((name) => name in one);
  return !hasContact(one) && id !== undefined && ids.has(textOf(valueAt(one, id)));
}
