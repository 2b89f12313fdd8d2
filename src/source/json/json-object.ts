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
export function isDeeper(value: unknown, levels = MOST_LEVELS): boolean {
  if (typeof value === "string") return isTooDeep(value);
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((held) => isDeeper(held, levels - 1));
}
