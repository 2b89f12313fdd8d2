/** The configuration file: JSON in the working directory, or named by --config. It gives options their values where neither flag nor environment does; it never holds a secret and nothing in it is run. */

import { existsSync } from "node:fs";
import { z } from "zod";
import { RunError } from "../errors/run-error.js";
import { parseHashParameters } from "../hash/hash-config.js";
import type { ProofTrace } from "../prove/trace.js";
import { DEFAULT_CORE_CONFIG, SIGNER_KEY_FIELD } from "./core-config.js";
import { type OptionSpec, parsedText } from "./options/option.js";
import { readSmallFile, requireTrusted } from "./small-file.js";

/** Read from the working directory where `--config` names no other. */
export const DEFAULT_CONFIG = "auth-migrate.config.json";

const Value = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.array(z.union([z.string(), z.number()])).readonly(),
]);

const ConfigSchema = z
  .object({
    hashConfig: z.union([Value, z.record(z.string(), z.unknown())]).optional(),
    /** What `setup` proved; no option. */
    proof: z
      .object({ file: z.string(), row: z.number(), salt: z.string(), digest: z.string() })
      .optional(),
  })
  .catchall(Value);

/** Options and their values, by their long names in camelCase. */
export type Config = z.infer<typeof ConfigSchema>;

/**
 * @param named by `--config`
 * @returns the file that is to be read; null where none is named and none lies here
 * @throws RunError `config_invalid` for a file of another user's that isn't named
 */
export function configPathOf(named: string | undefined): string | null {
  if (named !== undefined) return named;
  if (!existsSync(DEFAULT_CONFIG)) return null;
  requireTrusted(DEFAULT_CONFIG, "--config");
  return DEFAULT_CONFIG;
}

/** @throws RunError `config_invalid` for an option of no command: it would be ignored in silence */
export function requireKnown(path: string, config: object, known: ReadonlySet<string>): void {
  const unknown = Object.keys(config).find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw invalid(path, `it has an option ${JSON.stringify(unknown)} that no command knows`);
}

/**
 * The value of an option as the configuration file has it.
 *
 * @throws RunError `config_invalid`
 */
export function configuredValue(
  path: string,
  name: string,
  { type, repeated }: OptionSpec,
  value: unknown,
): unknown {
  if (type === undefined) {
    if (typeof value !== "boolean") throw invalid(path, `${name} must be true or false`);
    return value;
  }
  if (typeof value === "boolean") throw invalid(path, `${name} must not be true or false`);
  if (Array.isArray(value) && !repeated) throw invalid(path, `${name} takes one value, not a list`);
  if (!Array.isArray(value) && typeof value === "object" && value !== null) {
    return checkedParameters(path, value);
  }
  try {
    const parsed = [value].flat().map((one) => parsedText(type, String(one)));
    return repeated ? parsed : parsed[0];
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\.$/, "") : "wrong value";
    throw invalid(path, `${name}: ${reason}`);
  }
}

/** The scrypt parameters in place of the file that holds them. */
function checkedParameters(path: string, fields: object): object {
  if ("base64_signer_key" in fields) {
    throw new RunError(
      "config_invalid",
      `The configuration file ${path} is wrong: it holds base64_signer_key, and secrets don't belong there.`,
      {
        hint: `Move it into the core's configuration, as ${SIGNER_KEY_FIELD} in ${DEFAULT_CORE_CONFIG}, or into the variable ${SIGNER_KEY_FIELD.toUpperCase()}.`,
      },
    );
  }
  try {
    parseHashParameters(fields);
    return fields;
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    throw invalid(path, `hashConfig: ${error.message.replace(/\.$/, "")}`);
  }
}

/**
 * The trace of what `setup` has proved; null without one.
 *
 * @param named by `--config`
 * @throws RunError `config_invalid`
 */
export function readProofTrace(named: string | undefined): ProofTrace | null {
  const path = named ?? DEFAULT_CONFIG;
  return existsSync(path) ? (readConfig(path).proof ?? null) : null;
}

/**
 * Reads a configuration file.
 *
 * @throws RunError `config_invalid`
 */
export function readConfig(path: string): Config {
  const text = readSmallFile(path, "--config");
  let parsed: unknown;
  try {
    // Windows' own editors begin a file with a byte order mark.
    parsed = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    if (!isYamlName(path)) throw invalid(path, "it isn't JSON");
    throw new RunError("config_invalid", `The configuration file ${path} isn't JSON.`, {
      hint: `A YAML file is the core's configuration: give it by --core-config ${path} instead.`,
    });
  }
  const checked = ConfigSchema.safeParse(parsed);
  if (checked.success) return checked.data;
  const name = checked.error.issues[0]?.path[0];
  throw invalid(
    path,
    name === undefined
      ? "it must be an object of option names and values"
      : `${String(name)} must be a text, a number, true or false, or a list of texts`,
  );
}

/** Whether a file's name says that it is YAML, which the core's configuration is. */
export function isYamlName(path: string): boolean {
  return /\.ya?ml$/i.test(path);
}

function invalid(path: string, reason: string): RunError {
  return new RunError("config_invalid", `The configuration file ${path} is wrong: ${reason}.`, {
    hint: 'Write options as {"hashConfig": "hash-config.txt", "concurrency": 32}, by their long names in camelCase.',
  });
}
