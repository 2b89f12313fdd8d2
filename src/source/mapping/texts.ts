/** Readers of texts by a mapping's expressions. */

import { compileExpression } from "../expression.js";
import { textOf, unwrap } from "../json/json-value.js";

/** Gives what a user has somewhere; empty text, or null, for nothing. */
export type Reader<Value> = (user: object) => Value;

/** Of several places the first filled one. */
export function texter(from: string | readonly string[] | undefined): Reader<string> {
  const all = [from ?? []].flat().map((path) => compileExpression(path).read);
  const [only] = all;
  if (only === undefined) return () => "";
  if (all.length === 1) return (user) => plainText(only(user));
  return (user) => {
    for (const read of all) {
      const found = plainText(read(user));
      if (found.trim() !== "") return found;
    }
    return "";
  };
}

/** A list of one text is that text. */
export function plainText(value: unknown): string {
  if (typeof value === "string") return value;
  return textOf(unwrap(Array.isArray(value) ? value[0] : value)) ?? "";
}

/** All texts of a list. */
export function lister(path: string): Reader<readonly string[]> {
  const { read } = compileExpression(path);
  return (user) => {
    const value = read(user) ?? [];
    return (Array.isArray(value) ? value : [value]).map((one) => textOf(unwrap(one)) ?? "");
  };
}

/** Whether nothing is there; an empty object or list is nothing. */
export function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
