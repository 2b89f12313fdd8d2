/** What the engines have published of the form of their files, as functions that say what is wrong with one. test/deploy/fixtures/README.md has where they come from. */

import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import { z } from "zod";

function fixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../fixtures/${name}`, import.meta.url), "utf8"));
}

function errorsOf(validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });

const Definitions = z.object({ $defs: z.record(z.string(), z.unknown()) });
const kubernetes = Definitions.parse(fixture("kubernetes.json"));
ajv.addSchema({ $id: "kubernetes", ...kubernetes });

const Kind = z.object({ kind: z.string() });

/** What Kubernetes would refuse of an object's form; nothing where all is well. */
export function kubernetesErrors(object: unknown): string[] {
  const { kind } = Kind.parse(object);
  if (!(kind in kubernetes.$defs)) return [`unknown kind ${kind}`];
  const validate = ajv.getSchema(`kubernetes#/$defs/${kind}`);
  return validate === undefined ? [`no schema of ${kind}`] : errorsOf(validate, object);
}

const Shape = z.object({
  type: z.enum(["structure", "list", "map", "string", "integer", "long", "boolean"]),
  members: z.record(z.string(), z.string()).default({}),
  required: z.array(z.string()).default([]),
  member: z.string().default(""),
  value: z.string().default(""),
  enum: z.array(z.string()).optional(),
});
const { shapes } = z
  .object({ shapes: z.record(z.string(), Shape) })
  .parse(fixture("aws-batch.json"));

/** A shape of AWS's API model as JSON Schema; a field that it doesn't know is refused, as by the command line. */
function schemaOf(shape: z.infer<typeof Shape>): object {
  const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
  switch (shape.type) {
    case "structure": {
      const properties = Object.fromEntries(
        Object.entries(shape.members).map(([name, member]) => [name, ref(member)]),
      );
      return { type: "object", properties, required: shape.required, additionalProperties: false };
    }
    case "list":
      return { type: "array", items: ref(shape.member) };
    case "map":
      return { type: "object", additionalProperties: ref(shape.value) };
    case "long":
      return { type: "integer" };
    default:
      return { type: shape.type, ...(shape.enum === undefined ? {} : { enum: shape.enum }) };
  }
}

ajv.addSchema({
  $id: "aws-batch",
  $defs: Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, schemaOf(shape)])),
});

/** What AWS Batch would refuse of a request's form; nothing where all is well. */
export function batchErrors(
  request: "RegisterJobDefinitionRequest" | "SubmitJobRequest",
  value: unknown,
): string[] {
  const validate = ajv.getSchema(`aws-batch#/$defs/${request}`);
  return validate === undefined ? [`no schema of ${request}`] : errorsOf(validate, value);
}
