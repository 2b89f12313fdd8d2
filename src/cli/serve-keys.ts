/** The API keys of `serve` (interface.md section 5): those that were given, or on a terminal one of this run. It shows no key but that one. */

import { randomBytes } from "node:crypto";
import { isLoopback } from "../core/http/loopback.js";
import { RunError } from "../errors/run-error.js";
import { type CoreConfig, canBeSent } from "./core-config.js";
import { readApiKey } from "./secrets.js";
import type { Terminal } from "./terminal.js";

/** As at the public counterpart. A shorter key can be guessed where nothing else stands in the way. */
const MIN_KEY_LENGTH = 20;

/**
 * The keys of which a caller must give one: `--api-key-file` or its variable, else the core's
 * configuration, else one that is made up.
 *
 * @param host where the core will listen; elsewhere than on this machine it takes no key that is
 *   short or made up
 * @throws RunError `key_missing`, `config_invalid`
 */
export function serveKeys(
  file: string | undefined,
  config: CoreConfig,
  host: string,
  terminal: Terminal,
): readonly string[] {
  const own = readApiKey(file);
  const keys = own === null ? config.apiKeys : [own];
  if (keys.length === 0) return [makeKey(host, terminal)];
  if (!keys.every(canBeSent)) throw unusable("An API key has a character that no header carries");
  if (keys.every((key) => key.length >= MIN_KEY_LENGTH)) return keys;
  const what = `An API key has fewer than ${MIN_KEY_LENGTH} characters`;
  if (!isLoopback(host)) throw unusable(`${what}, and ${host} can be reached from outside`);
  terminal.note(`${what} and can be guessed: let nobody but this machine reach the core.`);
  return keys;
}

/** On a terminal a key of this one run is shown, once; unwatched, nobody could read it. */
function makeKey(host: string, terminal: Terminal): string {
  if (!terminal.canPrompt || !isLoopback(host)) {
    const where = isLoopback(host) ? "" : ` on ${host}, which can be reached from outside`;
    throw new RunError("key_missing", `The core needs an API key to listen${where}.`, {
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
