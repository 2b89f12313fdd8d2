/** `auth-migrate serve`: puts the embedded core on the wire until it is told to stop. */

import { z } from "zod";
import type { CoreSettings } from "../../core/embedded/assemble-core.js";
import { type EmbeddedCore, openEmbeddedCore } from "../../core/embedded/embedded-core.js";
import { startCoreServer } from "../../core/http/server.js";
import { ACCESS_LOG_BEGIN, type AccessLog, openAccessLog } from "../access-log.js";
import { withCore } from "../core-target.js";
import { type CoreChoice, coreChoiceOf } from "../core-choice.js";
import { readersOf } from "../data-file.js";
import type { ExitCode } from "../exit-codes.js";
import { watchSignals } from "../interruption.js";
import { openLogTarget } from "../log-target.js";
import { loadKeys } from "../secrets.js";
import { serveKeys } from "../serve-keys.js";
import type { Io } from "../io.js";
import { createTerminal, type Terminal } from "../terminal.js";
import { HashConfigValue, VoiceValues, voiceOf } from "../values.js";

const ServeValues = VoiceValues.extend({
  data: z.string().optional(),
  databaseUrl: z.string().optional(),
  port: z.number().optional(),
  host: z.string().optional(),
  apiKeyFile: z.string().optional(),
  coreConfig: z.string().optional(),
  hashConfig: HashConfigValue.optional(),
  scryptPasswords: z.enum(["utf8", "ascii"]).optional(),
  accessLog: z.string().optional(),
});

const DEFAULT_HOST = "127.0.0.1";
const DEFAULT_PORT = 3567;

/** @param given the options' values as commander parsed them */
export async function runServe(
  _files: string[],
  given: Record<string, unknown>,
  io: Io,
): Promise<ExitCode> {
  const values = ServeValues.parse(given);
  const terminal = createTerminal(voiceOf(values), io);
  // From the very start: who is told to stop while starting stops well, too.
  const interruption = watchSignals(terminal, "Stopping: calls in flight end.");
  try {
    await serve(values, terminal, interruption.signal);
    // Being told to stop is how a server ends well.
    return 0;
  } finally {
    interruption.dispose();
  }
}

async function serve(
  values: z.infer<typeof ServeValues>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const { signerKey, coreConfig } = await loadKeys({ ...values, listens: true }, terminal);
  const host = values.host ?? coreConfig.host ?? DEFAULT_HOST;
  const port = values.port ?? coreConfig.port ?? DEFAULT_PORT;
  const apiKeys = serveKeys(values.apiKeyFile, coreConfig, host, terminal);
  const { scryptPasswords: scryptPasswordEncoding } = values;
  const encoding = scryptPasswordEncoding === undefined ? {} : { scryptPasswordEncoding };
  const choice = coreChoiceOf(values, coreConfig, terminal.note);
  const tellOfReaders = readersOf(choice.kind === "file" ? [choice.file] : [], terminal);
  const log = await openLog(values.accessLog ?? coreConfig.accessLog, terminal);
  try {
    const core = await openHere(choice, { signerKey, ...coreConfig.options, ...encoding });
    tellOfReaders();
    await withCore(core, async () => {
      if (signal.aborted) return;
      const server = await startCoreServer(core, {
        ...{ host, port, apiKeys },
        ...(log === null ? {} : { onCall: log.add }),
      });
      if (terminal.voice.json) terminal.event({ type: "listening", url: server.url });
      else terminal.result(`The core ${nameOf(core)} listens on ${server.url} (Ctrl-C stops it)`);
      await aborted(signal);
      await server.close();
    });
  } finally {
    await log?.close();
  }
}

async function openHere(choice: CoreChoice, settings: CoreSettings): Promise<EmbeddedCore> {
  if (choice.kind === "file") return openEmbeddedCore({ file: choice.file, ...settings });
  // Loaded only here: its driver takes its time.
  const { openPostgresCore } = await import("../../core/embedded/postgres/postgres-core.js");
  return openPostgresCore({ database: choice.database, ...settings });
}

function nameOf({ target }: EmbeddedCore): string {
  if (target.kind === "remote") return target.url;
  return "file" in target ? target.file : target.database;
}

/** A SIGHUP means, as for other services, that the log was moved away. */
async function openLog(name: string | undefined, terminal: Terminal): Promise<AccessLog | null> {
  if (name === undefined) return null;
  const target = await openLogTarget(name, ACCESS_LOG_BEGIN, terminal.io.stderr);
  const log = openAccessLog({ target, onProblem: terminal.problem });
  const { events } = terminal.io;
  const onHangUp = (): void => log.reopen();
  events.removeAllListeners("SIGHUP").on("SIGHUP", onHangUp);
  return {
    ...log,
    async close() {
      events.off("SIGHUP", onHangUp);
      await log.close();
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
