/** The configuration file: JSON in the working directory, or named by --config. It gives options their values where neither flag nor environment does; it never holds a secret and nothing in it is run. */

import { existsSync } from "node:fs";
import type { Command } from "commander";
import { z } from "zod";
import { RunError } from "../errors/run-error.js";
import { readSmallFile } from "./values.js";

const DEFAULT_FILE = "auth-migrate.config.json";

const ConfigSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
);

/**
 * Gives a command's options the values of the configuration file, where the operator gave none.
 *
 * @param known names of all commands' options; others are refused, as they would be ignored in silence
 * @throws RunError `config_invalid`
 */
export function applyConfigFile(command: Command, known: ReadonlySet<string>): void {
  const named = command.getOptionValue("config");
  const path = typeof named === "string" ? named : DEFAULT_FILE;
  if (typeof named !== "string" && !existsSync(path)) return;
  for (const [name, value] of Object.entries(readConfig(path))) {
    if (!known.has(name)) {
      throw invalid(path, `it has an option ${JSON.stringify(name)} that no command knows`);
    }
    applyValue(command, path, name, value);
  }
}

function applyValue(command: Command, path: string, name: string, value: unknown): void {
  const option = command.options.find((candidate) => candidate.attributeName() === name);
  const source = command.getOptionValueSource(name);
  if (option === undefined || source === "cli" || source === "env") return;
  if (option.isBoolean() || option.negate) {
    if (typeof value !== "boolean") throw invalid(path, `${name} must be true or false`);
    command.setOptionValueWithSource(name, value, "config");
    return;
  }
  if (typeof value === "boolean") throw invalid(path, `${name} must not be true or false`);
  if (Array.isArray(value) && !Array.isArray(option.defaultValue)) {
    throw invalid(path, `${name} takes one value, not a list`);
  }
  const texts = Array.isArray(value) ? value : [String(value)];
  let parsed: unknown = texts[0];
  try {
    let previous: unknown = [];
    for (const text of texts) previous = option.parseArg?.(text, previous) ?? text;
    parsed = option.parseArg === undefined ? texts[0] : previous;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\.$/, "") : "wrong value";
    throw invalid(path, `${name}: ${reason}`);
  }
  command.setOptionValueWithSource(name, parsed, "config");
}

function readConfig(path: string): z.infer<typeof ConfigSchema> {
  const text = readSmallFile(path, "--config");
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw invalid(path, "it isn't JSON");
  }
  const checked = ConfigSchema.safeParse(parsed);
  if (!checked.success) throw invalid(path, "it must be an object of option names and values");
  return checked.data;
}

function invalid(path: string, reason: string): RunError {
  return new RunError("config_invalid", `The configuration file ${path} is wrong: ${reason}.`, {
    hint: 'Write options as {"hashConfig": "hash-config.txt", "concurrency": 32}, by their long names in camelCase.',
  });
}
