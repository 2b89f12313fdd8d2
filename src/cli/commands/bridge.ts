/** `auth-migrate bridge`: verifies old passwords from the vault until it is told to stop; or makes a vault's key. */

import { closeSync, openSync, writeSync } from "node:fs";
import { Bridge } from "../../bridge/bridge.js";
import { bridgeService } from "../../bridge/bridge-service.js";
import type { CoreBinding } from "../../checkpoint/checkpoint.js";
import { isLoopback } from "../../core/http/loopback.js";
import { startServer } from "../../core/http/server.js";
import { RunError, systemErrorCode } from "../../errors/run-error.js";
import { Vault } from "../../vault/vault.js";
import { newVaultKey } from "../../vault/vault-keys.js";
import { openTarget, withCore } from "../core-target.js";
import { requireDataName } from "../data-file.js";
import { watchSignals } from "../interruption.js";
import { checkpoint } from "../options/general.js";
import type { OptionSpecs, ValuesOf } from "../options/option.js";
import { core } from "../options/target.js";
import { portNumber, text } from "../options/types.js";
import { vault, vaultOf } from "../options/vault.js";
import { loadKeys } from "../secrets.js";
import { readSmallFile } from "../small-file.js";
import type { Terminal } from "../terminal.js";
import { verb } from "../verb.js";

const DEFAULT_HOST = "127.0.0.1";
const DEFAULT_PORT = 3568;

const { concurrency: _concurrency, targetMoved: _targetMoved, ...coreOptions } = core;

const options = {
  ...coreOptions,
  ...checkpoint,
  ...vault,
  port: {
    flags: "--port <n>",
    group: "Everyday options",
    help: "port to listen on; 0 takes a free one",
    type: portNumber,
    default: DEFAULT_PORT,
  },
  host: {
    flags: "--host <address>",
    group: "Everyday options",
    help: "address to listen on",
    type: text,
    default: DEFAULT_HOST,
  },
  bridgeKeyFile: {
    flags: "--bridge-key-file <file>",
    group: "Everyday options",
    help: "file that holds the key that the bridge's own callers must give",
    docs: "Without one it listens on this machine alone, and refuses web pages",
    type: text,
  },
  newKey: {
    flags: "--new-key <file>",
    group: "Everyday options",
    help: "make a vault's key in a new file, and nothing else",
    type: text,
  },
} as const satisfies OptionSpecs;

type Values = ValuesOf<typeof options>;

export const bridgeVerb = verb({
  options,
  examples: [
    "auth-migrate bridge --new-key vault.key",
    "auth-migrate bridge --vault users.vault --vault-key-file vault.key --core https://core.example.com --api-key-file key.txt",
  ],
  check(_files, values) {
    if (values.newKey !== undefined) return;
    requireDataName(values);
    if (values.vault === undefined || values.vaultKeyFile === undefined) {
      throw new RunError("usage", "The bridge verifies from a vault, and none is named.", {
        hint: "Name the import's with --vault FILE and --vault-key-file FILE; --new-key FILE makes a key for a new one.",
      });
    }
  },
  async run(_files, values, terminal) {
    if (values.newKey !== undefined) {
      writeKey(values.newKey);
      terminal.note(
        `A vault's key is in ${values.newKey}. Nothing opens the vault without it: keep a copy, and keep it apart from the vault.`,
      );
      return 0;
    }
    const interruption = watchSignals(terminal, "Stopping: sign-ins under way end.");
    try {
      await serveBridge(values, terminal, interruption.signal);
      return 0;
    } finally {
      interruption.dispose();
    }
  },
});

/** @throws RunError `config_invalid` where there is such a file: it may be the key of another vault */
function writeKey(path: string): void {
  let file: number;
  try {
    file = openSync(path, "wx", 0o600);
  } catch (cause) {
    const why =
      systemErrorCode(cause) === "EEXIST" ? "there is such a file" : "it can't be written";
    throw new RunError("config_invalid", `--new-key ${path}: ${why}.`, {
      hint: "Name a new file in a folder that this user may write to: the key of a vault that is in use can't be replaced.",
      cause,
    });
  }
  try {
    writeSync(file, newVaultKey());
  } finally {
    closeSync(file);
  }
}

async function serveBridge(values: Values, terminal: Terminal, signal: AbortSignal): Promise<void> {
  const named = vaultOf(values);
  if (named === undefined) return;
  const apiKeys = callersKeys(values);
  const keys = await loadKeys(values, terminal);
  const { core, binding } = await openTarget(values, keys, terminal);
  await withCore(core, async () => {
    const vault = Vault.open(named.path, {
      key: named.key,
      binding: { migration: null, core: nameOf(binding) },
      mustExist: true,
    });
    try {
      const { service } = bridgeService(new Bridge({ vault, core }), () => vault.count());
      const { host, port } = values;
      const server = await startServer(service, { host, port, apiKeys });
      if (terminal.outputMode.json) terminal.event({ type: "listening", url: server.url });
      else
        terminal.result(
          `The bridge listens on ${server.url} (Ctrl-C stops it); users left: ${vault.count()}`,
        );
      await aborted(signal);
      await server.close();
    } finally {
      vault.close();
    }
  });
}

/** @throws RunError `key_missing` for an address that others reach, `config_invalid` */
function callersKeys({ bridgeKeyFile: file, host }: Values): readonly string[] {
  if (file !== undefined) {
    const key = readSmallFile(file, "--bridge-key-file").trim();
    if (key !== "") return [key];
    throw new RunError("config_invalid", `--bridge-key-file ${file}: the file is empty.`, {
      hint: "Write the key that the bridge's callers give into it, and nothing else.",
    });
  }
  if (isLoopback(host)) return [];
  throw new RunError("key_missing", `${host} can be reached from outside, and no key is set.`, {
    hint: "Name a file with a key by --bridge-key-file, or listen on 127.0.0.1.",
  });
}

/** As an import's checkpoint names the core. */
function nameOf(binding: CoreBinding): string {
  return binding.kind === "remote" ? binding.url : binding.coreId;
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
