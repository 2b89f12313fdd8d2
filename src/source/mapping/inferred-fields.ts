/** A file's fields as inference sees them: what each means, and how an expression of a mapping names it. */

import { layoutOf } from "../csv/table.js";
import { isExpression } from "../expression.js";
import { isJson } from "../format.js";
import { type FieldMap, type GivenMap, mappedFields } from "../generic/field-map.js";
import type { Meaning } from "../generic/field-names.js";
import { readingOf } from "../generic/generic-json.js";
import { type JsonProperty, metUnder } from "../generic/json-property.js";
import { isPathTable, mapOfPaths, sampledPaths } from "../generic/path-table.js";
import { mapOfTable, tableColumns } from "../generic/table-columns.js";
import { valueAt } from "../json/json-value.js";
import type { FileHead } from "../source.js";

/** A field of the file. */
export interface Field {
  /** As the file has it, with dots between nested names. */
  readonly name: string;
  /** As an expression of a mapping. */
  readonly path: string;
  readonly meanings: readonly Meaning[];
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
  Pick<Field, "name" | "path">;

/** @throws RunError as reading the file does */
export async function fieldsIn(head: FileHead, map: GivenMap): Promise<Fields> {
  return isJson(head) ? fieldsOfDocument(head, map) : fieldsOfTable(head, map);
}

async function fieldsOfTable(head: FileHead, given: GivenMap): Promise<Fields> {
  const layout = layoutOf(head);
  if (isPathTable(layout.header, given)) {
    const map = mapOfPaths(head.path, layout, given);
    const { properties, samples } = await sampledPaths(head, layout, map);
    return { users: null, properties: fieldsUnder(properties, samples), samples, map };
  }
  const map = mapOfTable(head.path, layout.header, given);
  const { columns } = await tableColumns(head, layout, map);
  const properties = columns.map(({ property: { path: name, meanings } }) => ({
    name,
    path: pathOf(name, name.includes(".") || /\[\d{1,3}\]/.test(name)),
    meanings,
  }));
  return { users: null, properties, samples: null, map };
}

function fieldsOfDocument(head: FileHead, given: GivenMap): Fields {
  const { properties, place, expressions, map } = readingOf(head, mappedFields(given));
  const isGiven = new Set(expressions.map(({ text }) => text));
  const { samples, array } = place;
  return {
    users: array || null,
    properties: fieldsUnder(properties, samples, isGiven),
    samples,
    map,
  };
}

/** @param expressions of `--map`, which stand for themselves */
function fieldsUnder(
  properties: JsonProperty,
  samples: readonly object[],
  expressions?: ReadonlySet<string>,
): Field[] {
  // A plain path leads through no list.
  const isInList = (name: string): boolean =>
    ELEMENT.test(name) && samples.every((user) => valueAt(user, name) === undefined);
  return Array.from(metUnder(properties), ({ path: name, depth, meanings }) => {
    if (expressions?.has(name) === true) return { name, path: name, meanings };
    return { name, path: isInList(name) ? quoted(name) : pathOf(name, depth > 1), meanings };
  });
}

const ELEMENT = /\.\d{1,3}(?:\.|$)/;

/** A name as an expression of a mapping writes it. @param isNested whether its dots part names */
function pathOf(name: string, isNested: boolean): string {
  if (!isExpression(name)) return name;
  return isNested ? quoted(name) : JSON.stringify(name);
}

/** A path in JMESPath, `[0]` or `0` for an element of a list. */
function quoted(name: string): string {
  const steps = name.replace(/\[(\d{1,3})\]/g, ".$1").split(".");
  const parts = steps.map((step, at) => {
    if (at > 0 && /^\d{1,3}$/.test(step)) return `[${step}]`;
    return `${at === 0 ? "" : "."}${/^[A-Za-z_]\w*$/.test(step) ? step : JSON.stringify(step)}`;
  });
  return parts.join("");
}

/** A path within an expression: a plain one may have other signs than JMESPath's names. */
export function expressionOf(path: string): string {
  return isExpression(path) ? path : quoted(path);
}

/** What a user has in a field, also in an element of a list: `emails.0.address`. */
export function at(user: object, name: string): unknown {
  const inside = (value: unknown, step: string): unknown => Reflect.get(Object(value), step);
  return valueAt(user, name) ?? name.split(".").reduce<unknown>(inside, user);
}
