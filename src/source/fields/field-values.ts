/** The values of fields, whatever form the export has: what counts as filled, objects in texts, and a table's row as an object. */

import { parseFlag } from "../../account/parse-flag.js";
import { parseObject } from "../json/json-object.js";
import { parseJson } from "../json/json-value.js";
import { RowDamage } from "../row-damage.js";
import type { FieldNode } from "./field-tree.js";

/** Longer text is a value. */
const LONGEST_EMPTY = 6;
const NULL = /^\s*(?:null|NULL|\\N)?\s*$/;
const EMPTY = /^\s*(?:\{\s*\}|\[\s*\]|null|NULL|\\N)?\s*$/;

/** Whether anything is there; `{}`, and what databases write for NULL, are nothing. */
export function isFilled(value: unknown): boolean {
  if (value === undefined || value === "") return false;
  if (typeof value === "string") return value.length > LONGEST_EMPTY || !EMPTY.test(value);
  if (typeof value !== "object") return true;
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

/** What lists begin with; the last is PHP's `serialize` of an array. */
const LISTED = /^(?:\[|\{|a:\d+:\{)/;
/** PostgreSQL's text of an array (PostgreSQL, Arrays, "Array Input and Output Syntax"), and its elements. */
const ARRAY = /^\{(?:(?:"(?:[^"\\]|\\.)*"|[^",{}\\]+)(?:,|(?=\}$)))*\}$/s;
const ELEMENTS = /"((?:[^"\\]|\\.)*)"|([^",{}\\]+)/gs;

/**
 * What a text lists: a list of JSON, a database's array (`{admin,"back office"}`), or texts with
 * signs between them.
 *
 * @param apart those signs; null where the text is one
 * @returns null within it, or alone, for what can't be read
 */
export function listIn(text: string, apart: RegExp | string | null): readonly unknown[] {
  const list = text.trim();
  if (!LISTED.test(list)) return apart === null ? [text] : text.split(apart);
  const parsed = parseJson(list);
  if (Array.isArray(parsed)) return parsed;
  if (parsed !== undefined || !ARRAY.test(list)) return [null];
  const elements = [...list.slice(1, -1).matchAll(ELEMENTS)];
  return elements.map(([, quoted, plain]) => plain ?? quoted?.replace(/\\(.)/g, "$1"));
}

/** Digits that a number beyond 2^53 may have and still be what was written: 10^18, of whatever is counted so finely. */
const MOST_DIGITS = 15;

/** The value without numbers whose digits JSON has lost, and without lists that hold such; the same one where it has none. */
export function withoutLost(value: unknown): unknown {
  if (typeof value === "number") return isLost(value) ? undefined : value;
  if (typeof value !== "object" || value === null) return value;
  const held = Object.entries(value);
  const kept = held.map(([name, one]) => [name, withoutLost(one)] as const);
  if (kept.every(([, one], index) => one === held[index]?.[1])) return value;
  if (Array.isArray(value)) return undefined;
  return Object.fromEntries(kept.filter(([, one]) => one !== undefined));
}

function isLost(number: number): boolean {
  if (Number.isSafeInteger(number) || !Number.isInteger(number)) return false;
  return String(number).replace(/0+$/, "").length > MOST_DIGITS;
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

/** Gives the text of a row's cell by the index of its column. */
type Cells = (index: number) => string;

/** Of an object, or of a list by its places. */
type Fields = Record<string, unknown>;

/** A column as the names that lead to its value in a user. */
export interface ColumnPath {
  readonly index: number;
  readonly steps: readonly string[];
}

/** A column that leads through another stands beside it under its whole name: `email`, `email.verified`. */
export function columnPaths(columns: readonly Column[]): readonly ColumnPath[] {
  const names = new Set(columns.map(({ name }) => name));
  return columns.map(({ index, name }) => {
    const steps = name.replace(/\[(\d{1,3})\]/g, ".$1").split(".");
    const leads = steps.some((_step, at) => at > 0 && names.has(steps.slice(0, at).join(".")));
    return { index, steps: leads ? [name] : steps };
  });
}

/**
 * Reads rows as the objects that their columns' paths say, all of one shape, which the engine knows
 * at once. An empty cell is undefined there; `{}` and `[]` stand for the vendor to judge.
 */
export function objectReader(columns: readonly ColumnPath[]): (cell: Cells) => object {
  // Copies of an object that was filled name by name cost four times as much.
  const empty: Fields = Object.fromEntries(
    columns.map(({ steps: [name = ""] }) => [name, undefined]),
  );
  return (cell) => {
    const user = { ...empty };
    for (const { index, steps } of columns) {
      const text = cell(index);
      if (text === "" || (text.length <= LONGEST_EMPTY && NULL.test(text))) continue;
      if (steps.length > 1) putAt(user, steps, text);
      else user[steps[0] ?? ""] = text;
    }
    return user;
  };
}

/** A name of digits is an element's place in a list; no list of a user's has a thousand. */
function putAt(user: Fields, steps: readonly string[], text: string): void {
  let into = user;
  for (const [index, name] of steps.slice(0, -1).entries()) {
    const known = Object.hasOwn(into, name) ? into[name] : null;
    const isHolder = typeof known === "object" && known !== null;
    const inner = isHolder ? known : /^\d{1,3}$/.test(steps[index + 1] ?? "") ? [] : {};
    if (!isHolder) setOwn(into, name, inner);
    into = inner as Fields;
  }
  setOwn(into, steps.at(-1) ?? "", text);
}

/** A property like any other, also of a name that means something to JavaScript. */
export function setOwn(into: Fields, name: string, value: unknown): void {
  if (name !== "__proto__") into[name] = value;
  else Object.defineProperty(into, name, { value, enumerable: true, configurable: true });
}
