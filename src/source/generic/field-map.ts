/** The fields that `--map field=name` takes, for tables and documents alike. What a name stands for is looked up by whoever has the names. */

import { RunError } from "../../errors/run-error.js";
import { showName } from "../show-name.js";

/**
 * `users` is the array of a JSON document that holds them; `ignore` is what isn't to be read, whatever
 * its name says; the others are a user's.
 */
const MAP_FIELDS = [
  "id",
  "email",
  "phone",
  "hash",
  "salt",
  "email_verified",
  "phone_verified",
  "active",
  "disabled",
  "users",
  "ignore",
] as const;

/** Fields that several columns may say something of. */
const SEVERAL: ReadonlySet<string> = new Set([
  ...["active", "disabled", "email_verified", "phone_verified", "ignore"],
]);

export type MapField = (typeof MAP_FIELDS)[number];

/** `--map`'s names by field; of most fields there is one. */
export type FieldMap = ReadonlyMap<MapField, readonly string[]>;

/** {@link FieldMap} as the operator gives it. */
export type GivenMap = ReadonlyMap<string, string | readonly string[]>;

/**
 * `--map`'s names by field. Of a field that one column alone can be, the last one counts.
 *
 * @throws RunError `input_unrecognized` for a field that there isn't
 */
export function mappedFields(map: GivenMap): FieldMap {
  const fields = new Map<MapField, readonly string[]>();
  for (const [name, given] of map) {
    const field = MAP_FIELDS.find((known) => known === name);
    if (field === undefined) {
      throw new RunError("input_unrecognized", `--map has no field ${showName(name)}`, {
        hint: `The fields are ${MAP_FIELDS.join(", ")}.`,
      });
    }
    const names = typeof given === "string" ? [given] : given;
    fields.set(field, SEVERAL.has(field) ? names : names.slice(-1));
  }
  return fields;
}
