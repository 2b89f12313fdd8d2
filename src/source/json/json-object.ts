/** Parses the JSON of one user. Anything but an object of sane depth is damage. */

import { withoutReason } from "../raw/json-form.js";
import { RowDamage } from "../row-damage.js";
import { isObject, isTooDeep, MOST_LEVELS, parseJson } from "./json-value.js";

const OBJECT = /^\s*\{/;

const NOT_JSON = new RowDamage(
  "row_malformed",
  "The user is not valid JSON; mend it in the export and import it again.",
);
const NOT_AN_OBJECT = new RowDamage(
  "row_malformed",
  "Something other than an object stands where a user should be; remove it from the export.",
);
const TOO_DEEP = new RowDamage(
  "row_too_large",
  `The user is nested more than ${MOST_LEVELS} levels deep; no vendor's export is.`,
);

/** The object of a JSON text, or what is wrong with it. */
export function parseObject(text: string): object | RowDamage {
  // Most of what is no object shows it at once; the parser's exceptions are dear.
  if (!OBJECT.test(text)) return NOT_AN_OBJECT;
  const value = parseJson(text);
  return value === undefined ? NOT_JSON : checkObject(value);
}

/** The objects of texts that hold one each. */
export function objectsOf(texts: readonly string[]): readonly object[] {
  return texts.map((text) => parseObject(text)).filter((one) => !(one instanceof RowDamage));
}

/**
 * The value where it can be a user, without what a file of rejects added to it; else what is wrong
 * with it.
 */
export function checkObject(value: unknown): object | RowDamage {
  if (!isObject(value)) return NOT_AN_OBJECT;
  return isDeeper(value) ? TOO_DEEP : withoutReason(value);
}

/** Whether more levels lie within a value, or within a text of it that is JSON. */
function isDeeper(value: unknown, levels = MOST_LEVELS): boolean {
  if (typeof value === "string") return isTooDeep(value);
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((held) => isDeeper(held, levels - 1));
}

/** A table's row as a user, with its columns of JSON as what they hold. */
export function withJson(user: object, json: readonly string[]): object {
  for (const name of json) {
    const held: unknown = Reflect.get(user, name);
    if (typeof held !== "string") continue;
    // `mysql --batch` writes each backslash twice.
    const parsed = parseJson(held) ?? parseJson(held.replaceAll("\\\\", "\\"));
    if (parsed !== undefined && !isDeeper(parsed)) Reflect.set(user, name, parsed);
  }
  return user;
}

const LIST_CUT_OFF = new RowDamage(
  "row_malformed",
  "A list in one of its columns isn't whole JSON, so second factors or roles may be missing. Export it again; where MySQL cut the list off, with a greater group_concat_max_len.",
);

/** What is wrong with a row that has a list in a column of JSON which can't be read; null where none has. */
export function cutOffList(user: object, json: readonly string[]): RowDamage | null {
  const isCutOff = json.some((name) => {
    const held: unknown = Reflect.get(user, name);
    return typeof held === "string" && held.startsWith("[");
  });
  return isCutOff ? LIST_CUT_OFF : null;
}
