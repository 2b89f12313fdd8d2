/** Whether a value says that a user has a second factor. One that is switched off, or was never verified, is none. */

import { parseFlag } from "../../account/parse-flag.js";
import { isNoValue } from "../../hash/no-password.js";
import { isObject, isText, objectInText } from "../json/json-value.js";
import { readWords, setOf } from "../word-lists.js";

/** Values that mean that the user has no factor. `aal0` and `aal1` are those of Kratos' `available_aal`. */
const NO_FACTOR = setOf(readWords<{ readonly noFactor: string }>("values").noFactor);

/** Whether a value says that the user has a factor. */
export function isFactor(text: string): boolean {
  const value = text.trim();
  const held = objectInText(value);
  if (held !== null) return holdsFactor(held);
  if (isNoValue(value) || parseFlag(value) === false) return false;
  return !NO_FACTOR.has(value.toLowerCase().replace(/[-_ ]/g, ""));
}

/** Properties that say whether an object's factor is in use. */
const SWITCHES = ["enabled", "isEnabled", "is_enabled", "active", "status", "verified"];

/** Properties that prove no credential: Kratos writes them from its schema alone. */
const ABOUT = new Set("id type version user_handle created_at updated_at createdDate".split(" "));

/** Whether an object or a list holds a factor. */
export function holdsFactor(value: object): boolean {
  if (!Array.isArray(value)) return isInForce(value) ?? holdsSomething(value);
  return value.some((one) => (isObject(one) ? (isInForce(one) ?? true) : isFactor(String(one))));
}

/** Whether an object says that its factor is in use; null where it doesn't say. */
function isInForce(value: object): boolean | null {
  if (!isObject(value)) return null;
  const name = SWITCHES.find((one) => typeof value[one] === "boolean" || isText(value[one]));
  return name === undefined ? null : isFactor(String(value[name]));
}

/** Whether anything in a value says something of a factor. */
export function holdsSomething(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsSomething);
  if (!isObject(value)) return isFactor(String(value ?? ""));
  return Object.entries(value).some(([name, held]) => !ABOUT.has(name) && holdsSomething(held));
}
