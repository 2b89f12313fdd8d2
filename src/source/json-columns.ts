/** Columns of a table that hold JSON. */

import { isDeeper } from "./json/json-object.js";
import { parseJson } from "./json/json-value.js";
import { RowDamage } from "./row-damage.js";

/** A row's user with its columns of JSON as what they hold. */
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
