/** `auth-migrate serve`: puts the embedded core on the wire until it is told to stop. */

import { randomBytes } from "node:crypto";
import { z } from "zod";
import { openEmbeddedCore } from "../../core/embedded/embedded-core.js";
import { startCoreServer } from "../../core/http/server.js";
import { RunError } from "../../errors/run-error.js";
import type { CoreConfig } from "../core-config.js";
import type { ExitCode } from "../exit-codes.js";
import { watchSignals } from "../interruption.js";
import { loadKeys, readApiKey } from "../secrets.js";
import { createTerminal, type Terminal } from "../terminal.js";
import { HashConfigValue, VoiceValues, voiceOf } from "../values.js";

const ServeValues = VoiceValues.extend({
  data: z.string(),
  port: z.number().optional(),
  host: z.string().optional(),
  apiKeyFile: z.string().optional(),
  coreConfig: z.string().optional(),
  hashConfig: HashConfigValue.optional(),
  scryptPasswords: z.enum(["utf8", "ascii"]).optional(),
});

const DEFAULT_HOST = "127.0.0.1";
const DEFAULT_PORT = 3567;

/** @param given the options' values as commander parsed them */
export async function runServe(
  _files: string[],
  given: Record<string, unknown>,
): Promise<ExitCode> {
  const values = ServeValues.parse(given);
  const terminal = createTerminal(voiceOf(values));
  const { signerKey, coreConfig } = await loadKeys({ ...values, listens: true }, terminal);

  const apiKeys = apiKeysOf(values.apiKeyFile, coreConfig, terminal);
  const { data, scryptPasswords: scryptPasswordEncoding } = values;
  const encoding = scryptPasswordEncoding === undefined ? {} : { scryptPasswordEncoding };
  const core = openEmbeddedCore({ file: data, signerKey, ...coreConfig.options, ...encoding });
  const interruption = watchSignals(terminal, "Stopping: calls in flight end.");
  try {
    const host = values.host ?? coreConfig.host ?? DEFAULT_HOST;
    const port = values.port ?? coreConfig.port ?? DEFAULT_PORT;
    const server = await startCoreServer(core, { host, port, apiKeys });
    if (values.json) terminal.event({ type: "listening", url: server.url });
    else terminal.result(`The core ${values.data} listens on ${server.url} (Ctrl-C stops it)`);
    await aborted(interruption.signal);
    await server.close();
    // Being told to stop is how a server ends well.
    return 0;
  } finally {
    interruption.dispose();
    await core.close();
  }
}

function apiKeysOf(
  file: string | undefined,
  config: CoreConfig,
  terminal: Terminal,
): readonly string[] {
  const given = readApiKey(file);
  if (given !== null) return [given];
  return config.apiKeys.length > 0 ? config.apiKeys : [makeApiKey(terminal)];
}

/** On a terminal a key of this one run is shown, once; unwatched, nobody could read it. */
function makeApiKey(terminal: Terminal): string {
  if (!terminal.canPrompt) {
    throw new RunError("key_missing", "The core needs an API key to listen.", {
      hint: "Write a key of your choice into a file and give it by --api-key-file, or set AUTH_MIGRATE_API_KEY, or api_keys in the core's configuration file.",
    });
  }
  const key = randomBytes(24).toString("base64url");
  terminal.problem(`No API key is configured; for this run it is ${key}`);
  return key;
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
