/** The values of a command's options: of each the flag's, else the variable's, else the configuration file's, else the default. */

import type { Command } from "commander";
import { parseFlag } from "../../account/parse-flag.js";
import { RunError } from "../../errors/run-error.js";
import { configPathOf, configuredValue, readConfig, requireKnown } from "../config-file.js";
import { isUrl } from "../core-choice.js";
import { refusePassword } from "../database.js";
import type { OptionSpec, OptionSpecs, ValuesOf } from "./option.js";

/** How a command is configured, where it isn't as most are. */
export interface Configuring {
  /** It writes the configuration file, and so isn't told by it what to do. */
  readonly configures?: boolean;
  /** Called before the configuration file is read. */
  readonly settle?: (command: Command) => void;
}

/**
 * @param specs all options of the command
 * @param everyName the names of all commands' options, which the configuration file may have
 * @throws RunError `usage`, `config_invalid`
 */
export async function readValues<S extends OptionSpecs>(
  command: Command,
  specs: S,
  { configures = false, settle }: Configuring,
  everyName: () => Promise<ReadonlySet<string>>,
): Promise<ValuesOf<S>> {
  applyFlagVariables(command);
  settle?.(command);
  const path = configures ? null : configPathOf(command.getOptionValue("config"));
  if (path !== null) {
    const { proof: _proof, ...config } = readConfig(path);
    const isForeign = Object.keys(config).some((name) => !(name in specs));
    if (isForeign) requireKnown(path, config, await everyName());
    for (const [name, value] of Object.entries(config)) {
      const spec = specs[name];
      const source = command.getOptionValueSource(name);
      const isGiven = source === "cli" || source === "env";
      if (spec === undefined || isGiven || !isConfigured(spec)) continue;
      const parsed = configuredValue(path, name, spec, value);
      command.setOptionValueWithSource(name, parsed, "config");
    }
  }
  const data: unknown = command.getOptionValue("data");
  const isTypedUrl = command.getOptionValueSource("data") === "cli" && isUrl(String(data));
  if (isTypedUrl) refusePassword(String(data));
  for (const [name, { type, flags, code }] of Object.entries(specs)) {
    const value: unknown = command.getOptionValue(name);
    const isTyped = command.getOptionValueSource(name) === "cli";
    if (code?.(String(value)) === true && !isTyped) {
      const what = `${flags} names a file of code outside the command line.`;
      throw new RunError("config_invalid", what, {
        hint: "Code is run only where the command line names it: type the option.",
      });
    }
    const isUnset = type === undefined && value === undefined;
    if (isUnset) command.setOptionValueWithSource(name, false, "default");
  }
  return Object.freeze({ ...command.opts<ValuesOf<S>>() });
}

/** Whether the configuration file gives the option. */
function isConfigured({ configured, yieldsTo }: OptionSpec): boolean {
  const isSaid = yieldsTo !== undefined && (process.env[yieldsTo] ?? "").trim() !== "";
  return configured !== false && !isSaid;
}

/**
 * Gives the flags that came from the environment the value that their variable holds: commander
 * takes its mere presence for yes, and `AUTH_MIGRATE_ASSUME_EMPTY=false` must not spare the
 * lookups.
 *
 * @throws RunError `config_invalid` naming the variable
 */
function applyFlagVariables(command: Command): void {
  for (const option of command.options) {
    const name = option.attributeName();
    const { envVar } = option;
    const isFlag = option.isBoolean() || option.negate;
    if (!isFlag || envVar === undefined || command.getOptionValueSource(name) !== "env") continue;
    const text = process.env[envVar] ?? "";
    const flag = parseFlag(text);
    if (flag === null) {
      throw new RunError("config_invalid", `The variable ${envVar} is neither true nor false.`, {
        hint: `Set ${envVar} to true or false, or remove it.`,
      });
    }
    command.setOptionValueWithSource(name, option.negate ? !flag : flag, "env");
  }
}
