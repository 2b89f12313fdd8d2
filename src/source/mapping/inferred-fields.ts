/** A file's fields as inference sees them: what each means, and how an expression of a mapping names it. */

import { layoutOf } from "../csv/table.js";
import { isExpression } from "../expression.js";
import { isJson } from "../format.js";
import { type FieldMap, type GivenMap, mappedFields } from "../generic/field-map.js";
import type { Meaning } from "../generic/field-names.js";
import { readingOf } from "../generic/json-document.js";
import { HELD, type JsonProperty, metUnder } from "../generic/json-property.js";
import { isPathTable, mapOfPaths, sampledPaths } from "../generic/path-table.js";
import { mapOfTable, tableColumns } from "../generic/table-columns.js";
import { valueAt } from "../json/json-value.js";
import type { FileHead } from "../source.js";

/** A field of the file. */
export interface Field {
  /** As the file has it, with dots between nested names. */
  readonly name: string;
  /** The same as people may see it. */
  readonly shown: string;
  /** As an expression of a mapping. */
  readonly path: string;
  readonly meanings: readonly Meaning[];
  /** What users hold there, of {@link HELD}. */
  readonly held: number;
  /** Users at the file's start don't have it. */
  readonly isLate: boolean;
}

/** A file's fields, be it a table or a document. */
export interface Fields {
  /** Where the users are; null for a table, and for a list at the top. */
  readonly users: string | null;
  readonly properties: readonly Field[];
  /** Users at the file's start; null for a table whose cells are single texts. */
  readonly samples: readonly object[] | null;
  /** What `--map` says, by the file's own names. */
  readonly map: FieldMap;
}

/** A meaning of a field of this kind. */
export type Met<Kind extends Meaning["kind"]> = Extract<Meaning, { readonly kind: Kind }> &
  Omit<Field, "meanings">;

/** @throws RunError as reading the file does */
export async function fieldsIn(head: FileHead, map: GivenMap): Promise<Fields> {
  return isJson(head) ? fieldsOfDocument(head, map) : fieldsOfTable(head, map);
}

async function fieldsOfTable(head: FileHead, given: GivenMap): Promise<Fields> {
  const layout = layoutOf(head);
  if (isPathTable(layout.header, given)) {
    const map = mapOfPaths(head.path, layout, given);
    const { properties, samples } = await sampledPaths(head, layout, map);
    return { users: null, properties: [...fieldsUnder(properties)], samples, map };
  }
  const map = mapOfTable(head.path, layout.header, given);
  const users = await tableColumns(head, layout, map);
  const properties = Array.from(metUnder(users.properties), ({ path: name, shown, meanings }) => ({
    name,
    shown,
    path: isExpression(name) ? quoted(stepsOf(name)) : name,
    meanings,
    held: HELD.text,
    isLate: false,
  }));
  return { users: null, properties, samples: null, map };
}

function fieldsOfDocument(head: FileHead, given: GivenMap): Fields {
  const { properties, place, expressions, map } = readingOf(head, mappedFields(given));
  const isGiven = new Set(expressions.map(({ text }) => text));
  const { samples, array } = place;
  return {
    users: array || null,
    properties: [...fieldsUnder(properties, { isGiven })],
    samples,
    map,
  };
}

/**
 * The fields of a document's users.
 *
 * @param isGiven expressions of `--map`, which stand for themselves
 * @param expected what users at the file's start have; all of it by default
 */
export function* fieldsUnder(
  parent: JsonProperty,
  {
    isGiven,
    expected,
  }: {
    readonly isGiven?: ReadonlySet<string> | undefined;
    readonly expected?: ReadonlySet<JsonProperty> | undefined;
  } = {},
  above: readonly Step[] = [],
): Generator<Field> {
  for (const [key, property] of parent.children) {
    const { path: name, shown, depth, meanings, held, children } = property;
    const isElement = (parent.held & HELD.list) !== 0 && /^\d{1,3}$/.test(key);
    const steps = [...above, depth === 1 ? name : isElement ? Number(key) : key];
    if (children.size === 0 || (property.isNamed && (held & HELD.text) !== 0)) {
      const path = isGiven?.has(name) === true ? name : pathOf(steps);
      yield { name, shown, path, meanings, held, isLate: expected?.has(property) === false };
    }
    yield* fieldsUnder(property, { isGiven, expected }, steps);
  }
}

/** A name, or an element's place in a list. */
type Step = string | number;

/** An expression of a mapping. A plain path leads through no list, and by no name with a dot. */
function pathOf(steps: readonly Step[]): string {
  const isPlain = (step: Step): boolean =>
    typeof step === "string" && !isExpression(step) && (steps.length === 1 || !step.includes("."));
  return steps.every(isPlain) ? steps.join(".") : quoted(steps);
}

function quoted(steps: readonly Step[]): string {
  const parts = steps.map((step, at) => {
    if (typeof step === "number") return `[${step}]`;
    return `${at === 0 ? "" : "."}${/^[A-Za-z_]\w*$/.test(step) ? step : JSON.stringify(step)}`;
  });
  return parts.join("");
}

/** The steps of a column's name, or of a plain path: `emails[0].address`, `emails.0.address`. */
function stepsOf(name: string): readonly Step[] {
  const names = name.replace(/\[(\d{1,3})\]/g, ".$1").split(".");
  return names.map((step, at) => (at > 0 && /^\d{1,3}$/.test(step) ? Number(step) : step));
}

/** A path within an expression: a plain one may have other signs than JMESPath's names. */
export function expressionOf(path: string): string {
  return isExpression(path) ? path : quoted(stepsOf(path));
}

/** What a user has in a field, also in an element of a list: `emails.0.address`. */
export function at(user: object, name: string): unknown {
  const inside = (value: unknown, step: string): unknown => Reflect.get(Object(value), step);
  return valueAt(user, name) ?? name.split(".").reduce<unknown>(inside, user);
}
