/** Secrets: from files and the environment, never from argv; and never printed. */

import { existsSync } from "node:fs";
import { RunError } from "../errors/run-error.js";
import type { HashConfig } from "../hash/hash.js";
import { type CoreConfig, DEFAULT_CORE_CONFIG, loadCoreConfig } from "./core-config.js";
import { readSmallFile, requireTrusted } from "./small-file.js";
import type { Terminal } from "./terminal.js";
import { type HashConfigValue, loadHashConfig } from "./options/hashing.js";

/** What is known here of keys and parameters. */
export interface Keys {
  /** The vendor account's parameters, with the signer key wherever it was given. */
  readonly hashConfig: HashConfig | null;
  /** The vendor's signer key, for the embedded core and local proofs; null where it wasn't given. */
  readonly signerKey: string | null;
  /** The rest of the embedded core's configuration. */
  readonly coreConfig: CoreConfig;
  /** What the site mixed into passwords; null where it isn't said. */
  readonly pepper: string | null;
}

/** The options that give keys and parameters. */
export interface KeyValues {
  readonly hashConfig?: HashConfigValue | undefined;
  readonly coreConfig?: string | undefined;
  readonly prehashSaltFile?: string | undefined;
  /** The core is put on the wire; false by default. */
  readonly listens?: boolean;
  /** A remote core isn't configured by a file that happens to lie here. */
  readonly core?: string | undefined;
}

/**
 * The API key: `--api-key-file`, else `AUTH_MIGRATE_API_KEY`, else null.
 *
 * @throws RunError `config_invalid` for a file that can't be read or is empty
 */
export function readApiKey(file: string | undefined): string | null {
  return file === undefined
    ? process.env.AUTH_MIGRATE_API_KEY?.trim() || null
    : readSecret(file, "--api-key-file", "the core's API key").trim();
}

/**
 * A secret that a file holds, without the end of its line.
 *
 * @param option that names the file
 * @param what it is, for a message
 * @throws RunError `config_invalid` for a file that can't be read or is empty
 */
export function readSecret(file: string, option: string, what: string): string {
  const secret = readSmallFile(file, option).replace(/\r?\n$/, "");
  if (secret.trim() !== "") return secret;
  throw new RunError("config_invalid", `${option} ${file}: the file is empty.`, {
    hint: `Write ${what} into it, and nothing else.`,
  });
}

/**
 * The vendor account's parameters, the core's configuration and the pepper: from `--hash-config`,
 * the core's configuration file, the environment and `--prehash-salt-file`. Each file is read once.
 *
 * @throws RunError `hash_config_invalid`; `config_invalid` where two signer
 *   keys were given that differ: one of them would lock every user out
 */
export async function loadKeys(values: KeyValues, terminal: Terminal): Promise<Keys> {
  const { core, listens = false, prehashSaltFile } = values;
  const file = values.coreConfig ?? (core === undefined ? coreConfigHere() : null);
  const coreConfig = await loadCoreConfig(file, terminal.note, { listens });
  const given = loadHashConfig(values.hashConfig);
  const signerKey = oneSignerKey(given, coreConfig);
  const hashConfig = given === null ? null : { ...given, signerKey };
  const pepper =
    prehashSaltFile === undefined
      ? null
      : readSecret(prehashSaltFile, "--prehash-salt-file", "the pepper or salt");
  return { hashConfig, signerKey, coreConfig, pepper };
}

function coreConfigHere(): string | null {
  if (!existsSync(DEFAULT_CORE_CONFIG)) return null;
  requireTrusted(DEFAULT_CORE_CONFIG, "--core-config");
  return DEFAULT_CORE_CONFIG;
}

function oneSignerKey(hashConfig: HashConfig | null, { signerKeys }: CoreConfig): string | null {
  const own = hashConfig?.signerKey ?? null;
  const all = own === null ? signerKeys : [{ where: "--hash-config", key: own }, ...signerKeys];
  const [first, ...others] = all;
  if (first === undefined) return null;
  const other = others.find(({ key }) => !sameKey(key, first.key));
  if (other === undefined) return first.key;
  throw new RunError(
    "config_invalid",
    `The signer key in ${first.where} and the one in ${other.where} differ.`,
    { hint: "Find out which one belongs to the export and remove the other." },
  );
}

/** Whether two signer keys are one. Compared as bytes: Node decodes standard and url-safe base64, padded or not, alike. */
export function sameKey(a: string, b: string): boolean {
  return Buffer.from(a, "base64").equals(Buffer.from(b, "base64"));
}
