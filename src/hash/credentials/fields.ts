/** Reads the own fields of foreign objects, so that `__proto__` is just a key. A missing field is undefined, and no JSON value makes it throw. */

import { MAX_CREDENTIAL_LENGTH } from "../flaw.js";
import { isNoValue } from "../no-password.js";

/** An object, or an array of objects, as JSON opens it; `{bcrypt}$2a$…` doesn't. */
const OPENING = /^(?:\{\s{0,64}["}]|\[\s{0,64}[{\]])/;

const OFF: ReadonlySet<unknown> = new Set([0, false, "0", "false"]);

/** An object of a vendor's. Nothing is known of its values. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object with fields, or undefined for arrays, null and all else. */
export function asFields(value: unknown): Fields | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Fields) : undefined;
}

export function fieldOf(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

export function textOf(fields: Fields, name: string): string | undefined {
  const value = fieldOf(fields, name);
  return typeof value === "string" ? value : undefined;
}

/** Keycloak's `hashIterations`, a number or its digits, as digits; empty without one. */
export function iterationsOf(fields: Fields): string {
  const value = fieldOf(fields, "hashIterations");
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** An object, or JSON text of one: Keycloak and SQL exports nest objects as texts. */
export function objectOf(fields: Fields, name: string): Fields | undefined {
  const value = fieldOf(fields, name);
  return asFields(typeof value === "string" ? parseJsonObject(value.trim()) : value);
}

/** The text of a field inside such an object. */
export function textIn(fields: Fields, object: string, name: string): string | undefined {
  return textOf(objectOf(fields, object) ?? {}, name);
}

/** What a field without a value holds, in any of the ways in which exports write it. */
export function isBlank(value: unknown): boolean {
  return (
    value === undefined || value === null || (typeof value === "string" && isNoValue(value.trim()))
  );
}

/** Whether a mark is set, in any of the ways in which exports write it. */
export function isOn(value: unknown): boolean {
  return !isBlank(value) && !OFF.has(value);
}

/** Whether a text opens as a JSON object, or an array of them; it may still be no whole JSON. */
export function opensAsJson(text: string): boolean {
  return OPENING.test(text);
}

/** The object or array of a JSON text without white space around it, or null. */
export function parseJsonObject(text: string): object | null {
  if (text.length > MAX_CREDENTIAL_LENGTH || !opensAsJson(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}
