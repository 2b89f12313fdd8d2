/** Where `serve` takes its settings from: there `--config` names the core's configuration, too. It reads no file. */

import { resolve } from "node:path";
import type { Command } from "commander";
import { RunError } from "../errors/run-error.js";
import { isYamlName } from "./config-file.js";
import type { CoreConfig } from "./core-config.js";
import { canBeSent } from "../core/http/base-url.js";
import { randomBytes } from "node:crypto";
import { isLoopback } from "../core/http/loopback.js";
import { readApiKey } from "./secrets.js";
import type { Terminal } from "./terminal.js";

/**
 * Takes `--config core.yaml` for `--core-config core.yaml`; the options' file is then the default one.
 *
 * @throws RunError `usage` where both are given and differ
 */
export function settleServeConfig(command: Command): void {
  const config: unknown = command.getOptionValue("config");
  if (typeof config === "string" && isYamlName(config)) {
    const source = command.getOptionValueSource("config");
    command.setOptionValueWithSource("config", undefined, "default");
    if (isForCore(command, config, source)) {
      command.setOptionValueWithSource("coreConfig", config, source);
    }
  }
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

/** As at SuperTokens. A shorter key can be guessed where nothing else stands in the way. */
const MIN_KEY_LENGTH = 20;

/**
 * The keys of which a caller must give one: `--api-key-file` or its variable, else the core's
 * configuration, else one that is made up.
 *
 * @param host where the core will listen; elsewhere than on this machine it takes no key that is
 *   short or made up
 * @throws RunError `config_invalid`
 */
export function serveKeys(
  file: string | undefined,
  config: CoreConfig,
  host: string,
  terminal: Terminal,
): readonly string[] {
  const own = readApiKey(file);
  const keys = own === null ? config.apiKeys : [own];
  return keys.length === 0 ? [makeKey(host, terminal)] : soundKeys(keys, host, terminal);
}

/**
 * Keys that callers can give, and that can't be guessed where others reach the service.
 *
 * @throws RunError `config_invalid`
 */
export function soundKeys(
  keys: readonly string[],
  host: string,
  terminal: Terminal,
): readonly string[] {
  if (!keys.every(canBeSent)) throw unusable("An API key has a character that no header carries");
  if (keys.every((key) => key.length >= MIN_KEY_LENGTH)) return keys;
  const what = `An API key has fewer than ${MIN_KEY_LENGTH} characters`;
  if (!isLoopback(host)) throw unusable(`${what}, and ${host} can be reached from outside`);
  terminal.note(`${what} and can be guessed: let this machine alone reach it.`);
  return keys;
}

/** A key for this run alone. It is shown once, on a terminal: elsewhere nobody could read it. */
function makeKey(host: string, terminal: Terminal): string {
  if (!terminal.canPrompt || !isLoopback(host)) {
    const where = isLoopback(host) ? "" : ` on ${host}, which can be reached from outside`;
    throw new RunError("config_invalid", `The core needs an API key to listen${where}.`, {
      hint: "Write a key of your choice into a file and give it by --api-key-file, or set AUTH_MIGRATE_API_KEY, or api_keys in the core's configuration file.",
    });
  }
  const key = randomBytes(24).toString("base64url");
  terminal.problem(`No API key is configured; for this run it is ${key}`);
  return key;
}

function unusable(what: string): RunError {
  return new RunError("config_invalid", what, {
    hint: `Choose keys of at least ${MIN_KEY_LENGTH} letters, digits, = or -, as openssl rand -hex 24 makes them.`,
  });
}
