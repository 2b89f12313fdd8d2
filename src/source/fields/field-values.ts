/** The values of fields, whatever form the export has: what counts as filled, objects in texts, and a table's row as an object. */

import { parseFlag } from "../../account/parse-flag.js";
import { parseObject } from "../json/json-object.js";
import { RowDamage } from "../row-damage.js";
import type { FieldNode } from "./field-tree.js";

/** Longer text is a value. */
const LONGEST_EMPTY = 6;
const EMPTY = /^\s*(?:\{\s*\}|\[\s*\]|null|NULL|\\N)?\s*$/;

/** Whether anything is there; `{}`, and what databases write for NULL, are nothing. */
export function isFilled(value: unknown): boolean {
  if (typeof value === "string") return value.length > LONGEST_EMPTY || !EMPTY.test(value);
  if (typeof value !== "object") return value !== undefined;
  if (!Array.isArray(value)) return value !== null && Object.values(value).some(isFilled);
  // Of a passkey that says nothing of itself it is still known that there is one.
  return value.some((one) => isFilled(one) || (typeof one === "object" && one !== null));
}

/** The object or list in a value, also in a text that holds one. */
export function objectOf(value: unknown, { isJson }: FieldNode): object | null {
  if (typeof value === "object") return value;
  if (!isJson || typeof value !== "string") return null;
  const parsed = parseObject(value);
  return parsed instanceof RowDamage ? null : parsed;
}

/** A mark that says no marks nothing. */
export function isNo(value: unknown): boolean {
  return (
    value === false || value === 0 || (typeof value === "string" && parseFlag(value) === false)
  );
}

/** A column of a table. */
interface Column {
  readonly index: number;
  readonly name: string;
}

/** A row as the object that its columns' paths say: `identities[0].provider`, `user_metadata.color`. */
export function objectOfCells(columns: readonly Column[], cell: (index: number) => string): object {
  const user: Record<string, unknown> = Object.create(null);
  for (const { index, name } of columns) {
    const text = cell(index);
    if (isFilled(text)) putAt(user, name.replace(/\[(\d+)\]/g, ".$1").split("."), text);
  }
  return user;
}

/** A name of digits is an element's place in a list. */
function putAt(into: object, [name = "", ...rest]: readonly string[], text: string): void {
  if (rest.length === 0) {
    Reflect.set(into, name, text);
    return;
  }
  const known: unknown = Reflect.get(into, name);
  const inner =
    typeof known === "object" && known !== null ? known : /^\d+$/.test(rest[0] ?? "") ? [] : {};
  Reflect.set(into, name, inner);
  putAt(inner, rest, text);
}
