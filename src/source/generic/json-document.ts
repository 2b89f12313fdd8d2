/** How a JSON file of no known system is read: where its users are, and what their properties are. */

import { optionName } from "../../errors/option-name.js";
import { RunError } from "../../errors/run-error.js";
import { compileExpression, type Expression, isExpression, readOrNull } from "../expression.js";
import { valueAt } from "../json/json-value.js";
import { areOurLines, learnedFrom } from "../raw/json-form.js";
import { showName, showNames } from "../show-name.js";
import { refuseMixed } from "../kinds.js";
import { findMisfit } from "../misfits.js";
import type { FileHead } from "../source.js";
import type { FieldMap, MapField } from "./field-map.js";
import { meaningOf } from "./field-names.js";
import {
  arrayNamed,
  findUsers,
  ourLines,
  pathsOf,
  placesOfObjects,
  sampledProperties,
  type UsersPlace,
} from "./json-head.js";
import { userProperties } from "./json-property.js";

/**
 * How a file's users are read, as far as its start shows it: where they are, with the values of
 * expressions under the expressions' own texts.
 *
 * @returns beside it what `--map` says, with the lists that the hash's expression looks into among
 *   what is ignored
 * @throws RunError `input_unrecognized`, `column_unclear`, `mapping_invalid`
 */
export function readingOf(head: FileHead, given: FieldMap) {
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

export function describePlace({ array }: UsersPlace): string {
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
    hint: `Say which array holds the users, as in ${optionName("--map")} users=NAME.`,
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
  if (given.length === 0) return [];
  const path = map.get("users")?.[0]?.name;
  const places = path === undefined ? placesOfObjects(head) : [arrayNamed(head, path)];
  const isName = (name: string): boolean =>
    places.some(({ samples }) => samples.some((user) => valueAt(user, name) !== undefined));
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
    const message = `No user at the start of ${path} has the property ${showName(property)}, which ${optionName("--map")} names`;
    throw new RunError("input_unrecognized", message, {
      hint: `The properties found are ${showNames(pathsOf(samples))}.`,
    });
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
  const message = `${head.path} holds no JSON objects with an email or a phone`;
  return new RunError("input_unrecognized", message, {
    hint: `${names}Name the array of users with ${optionName("--map")} users=NAME, and their properties as in ${optionName("--map")} email=profile.email.`,
  });
}
