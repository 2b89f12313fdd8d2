/** The machine output as JSON Schema (2020-12), a file a line and one for any line. The package's schemas/ are made of it. */

import { z } from "zod";
import { LINES } from "../../../src/events/lines/lines.js";

/** A JSON Schema, as parsed from JSON. */
type JsonSchema = Readonly<Record<string, unknown>>;

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/**
 * The files by their names. Every field that is always there is required; others may be added, so
 * that no schema forbids more.
 */
export function schemaFiles(): Readonly<Record<string, JsonSchema>> {
  const bodies = Object.entries(LINES).map(([name, line]) => [name, bodyOf(line)] as const);
  const files = bodies.map(([name, body]) => [`${name}.json`, { $schema: DIALECT, ...body }]);
  const any = {
    $schema: DIALECT,
    description: "Any line that auth-migrate prints under --json.",
    oneOf: bodies.map(([name]) => ({ $ref: `#/$defs/${name}` })),
    $defs: Object.fromEntries(bodies),
  };
  return Object.fromEntries([...files, ["line.json", any]]);
}

function bodyOf(line: z.ZodType): JsonSchema {
  const { $schema: _, ...body } = z.toJSONSchema(line, {
    // As read by others: what they don't know must not trouble them.
    io: "input",
    override({ jsonSchema }) {
      // Our types are readonly. To a reader of the output that says nothing.
      delete jsonSchema.readOnly;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return body;
}
