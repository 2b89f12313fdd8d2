/** `auth-migrate serve`: puts the embedded core on the wire until it is told to stop. */

import { z } from "zod";
import type { CoreSettings } from "../../core/embedded/assemble-core.js";
import { type EmbeddedCore, openEmbeddedCore } from "../../core/embedded/embedded-core.js";
import { requirePort, startCoreServer } from "../../core/http/server.js";
import { withCore } from "../core-target.js";
import { type CoreChoice, coreChoiceOf, nameOf, readersOf } from "../core-choice.js";
import { listenUntil, watchSignals } from "../interruption.js";
import { loadKeys } from "../secrets.js";
import { serveKeys, settleServeConfig } from "../serve-settings.js";
import type { Terminal } from "../terminal.js";
import { DEFAULT_CONFIG } from "../config-file.js";
import { hashing } from "../options/hashing.js";
import { type OptionSpecs, pick, type ValuesOf } from "../options/option.js";
import { core } from "../options/target.js";
import { portNumber, text } from "../options/types.js";
import { verb } from "../verb.js";

const DEFAULT_HOST = "127.0.0.1";
const DEFAULT_PORT = 3567;

const options = {
  data: { ...core.data, yieldsTo: "DATA" },
  ...pick(core, "coreConfig"),
  port: {
    flags: "--port <n>",
    help: "port to listen on; 0 takes a free one",
    type: portNumber,
    defaultText: String(DEFAULT_PORT),
    yieldsTo: "PORT",
  },
  host: {
    flags: "--host <address>",
    help: "address to listen on",
    type: text,
    defaultText: DEFAULT_HOST,
    yieldsTo: "HOST",
  },
  apiKeyFile: {
    flags: "--api-key-file <file>",
    help: "file that holds the API key that callers must give (or AUTH_MIGRATE_API_KEY)",
    docs: "Without one a terminal is shown a key, for this machine alone",
    type: text,
    variable: false,
    yieldsTo: "AUTH_MIGRATE_API_KEY",
  },
  hashConfig: {
    ...hashing.hashConfig,
    group: "The core",
    help: "the vendor account's scrypt parameters, for their signer key",
    docs: "Or `VENDOR_PASSWORD_HASHING_SIGNER_KEY`",
  },
  scryptPasswords: {
    flags: "--scrypt-passwords <encoding>",
    group: "The core",
    help: "how passwords of vendor scrypt hashes become bytes",
    docs: "`ascii` as SuperTokens does it",
    type: z.enum(["utf8", "ascii"]),
    defaultText: "utf8",
    yieldsTo: "VENDOR_SCRYPT_PASSWORD_ENCODING",
  },
  config: {
    flags: "--config <file>",
    group: "Output and questions",
    help: "configuration file; a .yaml or .yml is the core's, as by --core-config",
    type: text,
    defaultText: `${DEFAULT_CONFIG}, if there`,
  },
} as const satisfies OptionSpecs;

export const serveVerb = verb({
  options,
  examples: [
    "auth-migrate serve --core-config core.yaml",
    "auth-migrate serve --port 0 --data rehearsal.db --json",
  ],
  settle: settleServeConfig,
  async run(_files, values, terminal) {
    // From the very start: an operator who stops it while it starts stops it well, too.
    const { signal } = watchSignals(terminal, "Stopping: calls in flight end.");
    await serve(values, terminal, signal);
    // Being told to stop is how a server ends well.
    return 0;
  },
});

async function serve(
  values: ValuesOf<typeof options>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const { signerKey, coreConfig } = await loadKeys({ ...values, listens: true }, terminal);
  const host = values.host ?? coreConfig.host ?? DEFAULT_HOST;
  const port = values.port ?? coreConfig.port ?? DEFAULT_PORT;
  await requirePort({ host, port });
  const apiKeys = serveKeys(values.apiKeyFile, coreConfig, host, terminal);
  const options = { signerKey, ...coreConfig.options };
  const choice = coreChoiceOf(values, coreConfig, terminal.note);
  const tellOfReaders = readersOf(choice.kind === "file" ? [choice.file] : [], terminal);
  const embedded = await openHere(choice, {
    ...options,
    scryptPasswordEncoding: values.scryptPasswords ?? options.scryptPasswordEncoding,
  });
  tellOfReaders();
  await withCore(embedded, async () => {
    if (signal.aborted) return;
    if (await embedded.lacksSignerKey()) terminal.note(NO_SIGNER_KEY);
    const server = await startCoreServer(embedded, {
      host,
      port,
      apiKeys,
      queueIntervalMs: coreConfig.queueIntervalMs,
      onQueueFailure: () =>
        terminal.problem("Queued accounts can't be written now; it is tried again and again."),
    });
    const says = `The core ${nameOf(choice)} listens on ${server.url} and asks for an API key (Ctrl-C stops it)`;
    await listenUntil(signal, server, says, terminal);
  });
}

const NO_SIGNER_KEY =
  "Without a signer key the users with a vendor scrypt hash (Firebase) can't sign in here: --hash-config FILE gives it, or auth-core.yaml.";

async function openHere(choice: CoreChoice, settings: CoreSettings): Promise<EmbeddedCore> {
  if (choice.kind === "file") return openEmbeddedCore({ file: choice.file, ...settings });
  // Loaded only here: its driver takes its time.
  const { openPostgresCore } = await import("../../core/embedded/postgres/postgres-core.js");
  return openPostgresCore({ database: choice.database, ...settings });
}
