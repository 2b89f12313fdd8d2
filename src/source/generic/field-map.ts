/** The fields that `--map field=name` takes, for tables and documents alike. What a name stands for is looked up by whoever has the names. */

import { RunError } from "../../errors/run-error.js";
import { showName } from "../show-name.js";

/** `users` is the array of a JSON document that holds them; the others are a user's. */
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
] as const;

export type MapField = (typeof MAP_FIELDS)[number];

/**
 * `--map`'s names by field.
 *
 * @throws RunError `input_unrecognized` for a field that there isn't
 */
export function mappedFields(map: ReadonlyMap<string, string>): ReadonlyMap<MapField, string> {
  const fields = new Map<MapField, string>();
  for (const [name, column] of map) {
    const field = MAP_FIELDS.find((known) => known === name);
    if (field === undefined) {
      throw new RunError("input_unrecognized", `--map has no field ${showName(name)}`, {
        hint: `The fields are ${MAP_FIELDS.join(", ")}.`,
      });
    }
    fields.set(field, column);
  }
  return fields;
}
