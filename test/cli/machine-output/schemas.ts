/** The schemas as the tests use them: read from the package's files, strict where it must show that nothing is missing. */

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/** Where the package has them. */
export const FOLDER = fileURLToPath(new URL("../../../schemas/", import.meta.url));

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** The package's schema files, by their names. */
export function readSchemas(): Readonly<Record<string, JsonObject>> {
  const names = readdirSync(FOLDER).sort();
  return Object.fromEntries(
    names.map((name): [string, JsonObject] => [
      name,
      JSON.parse(readFileSync(`${FOLDER}${name}`, "utf8")),
    ]),
  );
}

/** A schema that takes no field that it doesn't name. */
export function strict(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(strict);
  if (!isObject(schema)) return schema;
  const inner = Object.entries(schema).map(([name, value]) => [name, strict(value)]);
  const closed = "properties" in schema ? { additionalProperties: false } : {};
  return { ...Object.fromEntries(inner), ...closed };
}

// Formats are for people; each has a pattern beside it.
const ajv = new Ajv2020({ allErrors: true, strict: true, validateFormats: false });

export function compile(schema: Json): ValidateFunction {
  if (!isObject(schema)) throw new TypeError("not a schema");
  return ajv.compile(schema);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
