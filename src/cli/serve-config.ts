/** Where `serve` takes its settings from: there `--config` names the core's configuration, too, and what a variable of the core says wins over the options' file. It reads no file. */

import { resolve } from "node:path";
import type { Command } from "commander";
import { RunError } from "../errors/run-error.js";
import { isYamlName } from "./config-file.js";
import { type CoreConfigField, variableOf } from "./core-config.js";

/** Options of `serve`, by their attribute names, that are fields of the core's configuration as well. */
const SHARED: Readonly<Record<string, CoreConfigField>> = {
  port: "port",
  host: "host",
  data: "data",
  databaseUrl: "database_url",
  accessLog: "access_log",
  scryptPasswords: "vendor_scrypt_password_encoding",
};

const PLACES = ["data", "databaseUrl"];

/**
 * Takes `--config core.yaml` for `--core-config core.yaml`; the options' file is then the default one.
 *
 * @returns the options that the options' file must not give, since a variable does
 * @throws RunError `usage` where both are given and differ
 */
export function settleServeConfig(
  command: Command,
  env: NodeJS.ProcessEnv = process.env,
): readonly string[] {
  const config: unknown = command.getOptionValue("config");
  if (typeof config === "string" && isYamlName(config)) {
    const source = command.getOptionValueSource("config");
    command.setOptionValueWithSource("config", undefined, "default");
    if (isForCore(command, config, source)) {
      command.setOptionValueWithSource("coreConfig", config, source);
    }
  }
  const named = Object.entries(SHARED).flatMap(([option, field]) =>
    variableOf(field, env) === "" ? [] : [option],
  );
  // Users are in one of the two places: who names one by a variable names the other not.
  return PLACES.some((option) => named.includes(option)) ? [...named, ...PLACES] : named;
}

/** A flag wins over a variable, whichever of the two options it is. */
function isForCore(command: Command, config: string, source: string | undefined): boolean {
  const coreConfig: unknown = command.getOptionValue("coreConfig");
  if (typeof coreConfig !== "string" || resolve(coreConfig) === resolve(config)) return true;
  const other = command.getOptionValueSource("coreConfig");
  if (source !== other) return source === "cli";
  throw new RunError(
    "usage",
    `--config ${config} and --core-config ${coreConfig} are two configurations of one core.`,
    { hint: "Name one of them. For serve, --config with a YAML file means --core-config." },
  );
}
