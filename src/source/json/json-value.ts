/** Values of JSON, and what they are as the text of a field, without MongoDB's wrapper. */

import { isNestedDeeper } from "../../hash/json-text.js";

/** No vendor's user nests ten deep. Code that follows a value level by level needs the bound. */
export const MOST_LEVELS = 64;

/** Names under which MongoDB's tools write types that JSON lacks (MongoDB Extended JSON, version 2). */
const WRAPPERS: ReadonlySet<string> = new Set([
  "$oid",
  "$date",
  "$numberLong",
  "$numberInt",
  "$numberDouble",
  "$uuid",
]);

/** The value of a JSON text; undefined for a text that is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value without MongoDB's wrapper around it. */
export function unwrap(value: unknown): unknown {
  let inner = value;
  // A date may hold a wrapped number.
  for (let depth = 0; depth < 2 && isObject(inner); depth++) {
    const [name = "", ...others] = Object.keys(inner);
    if (others.length > 0 || !WRAPPERS.has(name)) return inner;
    inner = inner[name];
  }
  return inner;
}

/** A string, number or boolean as text; empty for null and undefined; null for any other value. */
export function textOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

/** True for an object that is no array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The value at a dotted path, without MongoDB's wrapper. A property whose own name has these dots wins.
 *
 * @param steps the path's names, for one who asks of many users
 */
export function valueAt(user: object, path: string, steps = path.split(".")): unknown {
  if (Object.hasOwn(user, path)) return unwrap(Reflect.get(user, path));
  if (!path.includes(".")) return undefined;
  let value: unknown = user;
  for (const name of steps) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return unwrap(value);
}

/** True for a text that isn't empty. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

const OPENING = /^\s*[[{]/;

/** Whether a text is JSON of more levels than any value of a user has. */
export function isTooDeep(text: string): boolean {
  return isDeepText(text) && parseJson(text) !== undefined;
}

function isDeepText(text: string): boolean {
  // Each level takes two signs.
  if (text.length <= 2 * MOST_LEVELS || !OPENING.test(text)) return false;
  return isNestedDeeper(text, MOST_LEVELS);
}

/** A cell that holds JSON. */
export function objectInText(text: string): object | null {
  if (!/^[[{]/.test(text) || isDeepText(text)) return null;
  const value = parseJson(text);
  return typeof value === "object" ? value : null;
}
