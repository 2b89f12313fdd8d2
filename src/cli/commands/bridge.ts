/** `auth-migrate bridge`: verifies old passwords from the vault until it is told to stop; or makes a vault's key. */

import { bridgeService } from "../../bridge/bridge-service.js";
import { openBridge } from "../../bridge/open-bridge.js";
import { isLoopback } from "../../core/http/loopback.js";
import { requirePort, startServer } from "../../core/http/server.js";
import { RunError } from "../../errors/run-error.js";
import { readVault } from "../../vault/vault-care.js";
import { openTarget, withCore } from "../core-target.js";
import { listenUntil, watchSignals } from "../interruption.js";
import { checkpoint } from "../options/general.js";
import type { OptionSpecs, ValuesOf } from "../options/option.js";
import { whichCore } from "../options/target.js";
import { portNumber, text } from "../options/types.js";
import { upstreamAccount, upstreamOf } from "../options/upstream.js";
import { unnamedVault, vault, vaultOf } from "../options/vault.js";
import { loadKeys, readSecret } from "../secrets.js";
import { soundKeys } from "../serve-settings.js";
import type { Terminal } from "../terminal.js";
import { printable } from "../../report/text.js";
import { verb } from "../verb.js";
import { careFor, purge, requirePurge, UNMATCHED, writeKey } from "./bridge-care.js";

const DEFAULT_HOST = "127.0.0.1";
const DEFAULT_PORT = 3568;

const options = {
  ...whichCore,
  ...checkpoint,
  vault: { ...vault.vault, group: "Everyday options" },
  vaultKeyFile: { ...vault.vaultKeyFile, group: "Everyday options" },
  upstream: { ...vault.upstream, group: "Everyday options" },
  ...upstreamAccount,
  port: {
    flags: "--port <n>",
    help: "port to listen on; 0 takes a free one",
    type: portNumber,
    default: DEFAULT_PORT,
  },
  host: {
    flags: "--host <address>",
    help: "address to listen on",
    type: text,
    default: DEFAULT_HOST,
  },
  bridgeKeyFile: {
    flags: "--bridge-key-file <file>",
    help: "file that holds the key that the bridge's own callers must give",
    docs: "Without one it listens on this machine alone",
    type: text,
  },
  status: {
    flags: "--status",
    help: "say how many users are left in the vault, and nothing else",
    variable: false,
  },
  exportRemaining: {
    flags: "--export-remaining <file>",
    help: "write the ids of the users who are left in the vault into a new file",
    type: text,
    variable: false,
  },
  rekey: {
    flags: "--rekey <file>",
    help: "seal the vault anew with the key in this file, which replaces its old one",
    type: text,
    variable: false,
  },
  yes: {
    flags: "--yes",
    group: "Output and questions",
    help: "don't ask before `bridge purge` removes a vault",
    docs: "Needed without a terminal",
  },
  newKey: {
    flags: "--new-key <file>",
    help: "make a key for a vault, or for the bridge's callers, in a new file, and nothing else",
    type: text,
    variable: false,
  },
} as const satisfies OptionSpecs;

type Values = ValuesOf<typeof options>;

export const bridgeVerb = verb({
  options,
  examples: [
    "auth-migrate bridge --new-key vault.key",
    "auth-migrate bridge --vault users.vault --vault-key-file vault.key --core https://core.example.com --api-key-file key.txt --bridge-key-file bridge-key.txt",
  ],
  check([what], values, { canPrompt }) {
    if (what !== undefined) {
      requirePurge(what, values, canPrompt);
      return;
    }
    if (values.newKey !== undefined) return;
    const { rekey, exportRemaining } = values;
    if (values.vault !== undefined && values.status && (rekey ?? exportRemaining) === undefined) {
      return;
    }
    const unnamed = unnamedVault(values);
    if (unnamed !== null) {
      throw new RunError("usage", `The bridge verifies from a vault, and ${unnamed}.`, {
        hint: "Name the import's with --vault FILE and --vault-key-file FILE; --new-key FILE makes a key for a new one.",
      });
    }
  },
  async run([what], values, terminal) {
    if (what !== undefined) {
      await purge(values, terminal);
      return 0;
    }
    if (values.newKey !== undefined) {
      writeKey(values.newKey);
      if (terminal.outputMode.json) {
        terminal.event({ type: "vault-key", file: values.newKey, exitCode: 0 });
      }
      terminal.note(
        `A new key is in ${values.newKey}. Keep a copy where nobody else reads it; a vault's apart from the vault, which nothing opens without it.`,
      );
      return 0;
    }
    if (values.status || (values.rekey ?? values.exportRemaining) !== undefined) {
      careFor(values, terminal);
      return 0;
    }
    const { signal } = watchSignals(terminal, "Stopping: sign-ins under way end.");
    await serveBridge(values, terminal, signal);
    return 0;
  },
});

async function serveBridge(values: Values, terminal: Terminal, signal: AbortSignal): Promise<void> {
  const vault = vaultOf(values);
  if (vault === undefined) return;
  const apiKeys = callersKeys(values, terminal);
  const upstream = upstreamOf(values);
  await requirePort(values);
  readVault(vault.path);
  const keys = await loadKeys(values, terminal);
  const { core } = await openTarget(values, keys, terminal, { mustExist: true });
  await withCore(core, async () => {
    let isTold = false;
    const onUnmatched = (): void => {
      if (!isTold) terminal.problem(`A user ${UNMATCHED}. They are told wrong, and kept.`);
      isTold = true;
    };
    const bridge = openBridge({ vault, core, upstream, onUnmatched });
    try {
      const onFailure = (why: string): void =>
        terminal.problem(printable(`Sign-ins are answered with 503: ${why}`));
      const { host, port } = values;
      const server = await startServer(bridgeService(bridge, onFailure), { host, port, apiKeys });
      const callers =
        apiKeys.length === 0
          ? "This machine alone reaches it, and needs no key."
          : "Callers give its key as api-key.";
      const says = `The bridge listens on ${server.url} (Ctrl-C stops it); users left: ${bridge.left()}. ${callers}`;
      await listenUntil(signal, server, says, terminal);
    } finally {
      await bridge.close();
    }
  });
}

/** @throws RunError `config_invalid`, also for an address that others reach without a key */
function callersKeys({ bridgeKeyFile: file, host }: Values, terminal: Terminal): readonly string[] {
  if (file !== undefined) {
    const key = readSecret(file, "--bridge-key-file", "the key that the bridge's callers give");
    return soundKeys([key.trim()], host, terminal);
  }
  if (isLoopback(host)) return [];
  throw new RunError("config_invalid", `${host} can be reached from outside, and no key is set.`, {
    hint: "Name a file with a key by --bridge-key-file, as bridge --new-key FILE makes it, or listen on 127.0.0.1.",
  });
}
