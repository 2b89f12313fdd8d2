/** Reads the vendor account's scrypt parameters, as its console shows them or as JSON (interface.md 4.5). No message repeats a value, because one of them is the signer key. */

import { z } from "zod";
import { RunError } from "../errors/run-error.js";
import { decodedLength } from "./base64.js";
import type { HashConfig } from "./hash.js";
import { MAX_MEM_COST, MAX_ROUNDS, SIGNER_KEY_BYTES } from "./vendor-scrypt.js";

const MAX_LENGTH = 65_536;
const BLOCK = /^(?:hash_config\s*)?\{([^{}]*)\}$/;
const FIELD = /^["']?(\w+)["']?\s*:\s*(.*)$/;
const QUOTED = /^"([^"]*)"$|^'([^']*)'$/;

const CONSOLE_HINT =
  "Copy the whole block hash_config { … } from the vendor's console (Firebase: Authentication, Users, the menu, Password hash parameters) into the file.";

const schema = z.object({
  algorithm: z.literal("SCRYPT", "must be SCRYPT").default("SCRYPT"),
  base64_signer_key: z
    .string("is missing")
    .refine(
      (text) => decodedLength(text) === SIGNER_KEY_BYTES,
      `must be base64 of ${SIGNER_KEY_BYTES} bytes, as every signer key is; it may have been cut off`,
    ),
  // Empty is possible; each hash of such an account is refused with a code of its own.
  base64_salt_separator: z
    .string("is missing")
    .refine((text) => decodedLength(text) !== null, "must be base64"),
  rounds: wholeNumber(MAX_ROUNDS),
  mem_cost: wholeNumber(MAX_MEM_COST),
});

const parametersSchema = z.strictObject(schema.omit({ base64_signer_key: true }).shape);

/** The four values that the vendor's console shows, by their names there. */
export type HashParameterName = Exclude<keyof typeof schema.shape, "algorithm">;

/** A clause that says what is wrong with one of the four values ("must be base64"), or null. It never repeats the value. */
export function hashParameterFlaw(name: HashParameterName, text: string): string | null {
  const result = schema.shape[name].safeParse(text);
  return result.success ? null : (result.error.issues[0]?.message ?? "can't be used");
}

/**
 * Reads the three parameters that are no secret, by their names in the vendor's console.
 * @throws RunError `hash_config_invalid` naming the field and what is expected of it
 */
export function parseHashParameters(fields: unknown): HashConfig {
  const { base64_salt_separator, rounds, mem_cost } = parse(parametersSchema, fields);
  return { signerKey: null, saltSeparator: base64_salt_separator, rounds, memCost: mem_cost };
}

/**
 * Reads the block of the vendor's console, a JSON object with the same names (also inside a
 * `hash_config` object), or what the REST API answers. A missing `algorithm` is taken as SCRYPT, other fields are ignored.
 * @throws RunError `hash_config_invalid` naming the field and what is expected of it
 */
export function parseHashConfig(text: string): HashConfig {
  const fields = parse(schema, readFields(text));
  return {
    signerKey: fields.base64_signer_key,
    saltSeparator: fields.base64_salt_separator,
    rounds: fields.rounds,
    memCost: fields.mem_cost,
  };
}

function parse<T>(expected: z.ZodType<T>, fields: unknown): T {
  const result = expected.safeParse(fields);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw invalid(`${String(issue?.path[0] ?? "the block")} ${issue?.message ?? "can't be read"}`);
}

function readFields(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "") throw invalid("they are empty");
  if (trimmed.length > MAX_LENGTH) throw invalid("they are longer than such a block can be");
  return readJson(trimmed) ?? readBlock(trimmed);
}

const NESTED = z.looseObject({
  hash_config: z.looseObject({}).optional(),
  hashConfig: z.looseObject({}).optional(),
  signIn: z.looseObject({ hashConfig: z.looseObject({}).optional() }).optional(),
});

/** As the REST API answers (cloud.google.com/identity-platform/docs/reference/rest/v2, HashConfig). */
const API_NAMES = new Map([
  ["signerKey", "base64_signer_key"],
  ["saltSeparator", "base64_salt_separator"],
  ["memoryCost", "mem_cost"],
]);

/** The object of a JSON text, or null where it isn't JSON. */
function readJson(text: string): object | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const { data } = NESTED.safeParse(value);
  if (data === undefined) return Array.isArray(value) ? value : null;
  const fields = data.hash_config ?? data.hashConfig ?? data.signIn?.hashConfig ?? data;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [API_NAMES.get(name) ?? name, value]),
  );
}

function readBlock(text: string): object {
  const body = BLOCK.exec(text)?.[1];
  if (body === undefined) throw invalid("they are neither a block hash_config { … } nor JSON");
  const fields = new Map<string, string>();
  for (const line of body.split(/[,\r\n]/)) {
    const field = line.trim();
    if (field === "") continue;
    const [, name, value] = FIELD.exec(field) ?? [];
    if (name === undefined || value === undefined) {
      throw invalid("a line in the block isn't of the form name: value");
    }
    if (fields.has(name)) throw invalid(`${name} is given twice`);
    const quoted = QUOTED.exec(value);
    fields.set(name, quoted?.[1] ?? quoted?.[2] ?? value);
  }
  return Object.fromEntries(fields);
}

/** A whole number from 1 to `max`; the block has it as text. */
function wholeNumber(max: number) {
  const message = `must be a whole number from 1 to ${max}`;
  return z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^\d{1,3}$/)
          .transform(Number),
      ],
      message,
    )
    .refine((value) => Number.isInteger(value) && value >= 1 && value <= max, message);
}

function invalid(what: string): RunError {
  return new RunError("hash_config_invalid", `The hash parameters can't be used: ${what}.`, {
    hint: CONSOLE_HINT,
  });
}
