/** Flags from the environment. commander takes a variable's mere presence for yes; here `false` means no, and what is neither is refused: `AUTH_MIGRATE_INCLUDE_DISABLED=false` must not let disabled users in. */

import type { Command } from "commander";
import { RunError } from "../errors/run-error.js";
import { parseFlag } from "../account/parse-flag.js";

/**
 * Gives the flags that came from the environment the value that their variable holds. An empty
 * variable counts as unset, so that the configuration file still has a say.
 *
 * @throws RunError `config_invalid` naming the variable
 */
export function applyFlagVariables(command: Command, env: NodeJS.ProcessEnv = process.env): void {
  for (const option of command.options) {
    const name = option.attributeName();
    const { envVar } = option;
    const isFlag = option.isBoolean() || option.negate;
    if (!isFlag || envVar === undefined || command.getOptionValueSource(name) !== "env") continue;
    const text = env[envVar] ?? "";
    if (text === "") {
      command.setOptionValueWithSource(name, option.negate ? true : undefined, "default");
      continue;
    }
    const flag = parseFlag(text);
    if (flag === null) {
      throw new RunError("config_invalid", `The variable ${envVar} is neither true nor false.`, {
        hint: `Set ${envVar} to true or false, or remove it.`,
      });
    }
    command.setOptionValueWithSource(name, option.negate ? !flag : flag, "env");
  }
}
