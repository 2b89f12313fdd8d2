/** Secrets: from files and the environment, never from argv; and never printed. */

import { RunError } from "../errors/run-error.js";
import type { HashConfig } from "../hash/hash.js";
import { readSmallFile } from "./values.js";

/** The field of the core's configuration that holds the vendor's signer key (interface.md 4.5). */
const SIGNER_KEY_VARIABLE = "VENDOR_PASSWORD_HASHING_SIGNER_KEY";

/**
 * The API key: `--api-key-file`, else `AUTH_MIGRATE_API_KEY`, else null.
 *
 * @throws RunError `config_invalid` for a file that can't be read or is empty
 */
export function readApiKey(file: string | undefined): string | null {
  if (file === undefined) return process.env.AUTH_MIGRATE_API_KEY?.trim() || null;
  const key = readSmallFile(file, "--api-key-file").trim();
  if (key !== "") return key;
  throw new RunError("config_invalid", `--api-key-file ${file}: the file is empty.`, {
    hint: "Write the core's API key into it, and nothing else.",
  });
}

/**
 * The signer key of the embedded core, from `--hash-config` or the environment.
 *
 * @throws RunError `signer_key_conflict` where both are given and differ: one of them would lock
 *   everybody out
 */
export function readSignerKey(hashConfig: HashConfig | null): string | null {
  const fromEnvironment = process.env[SIGNER_KEY_VARIABLE]?.trim() || null;
  const fromConfig = hashConfig?.signerKey ?? null;
  if (fromConfig === null || fromEnvironment === null) return fromConfig ?? fromEnvironment;
  if (!sameKey(fromEnvironment, fromConfig)) {
    throw new RunError(
      "signer_key_conflict",
      `The signer key in --hash-config and the one in ${SIGNER_KEY_VARIABLE} differ.`,
      { hint: "Find out which one belongs to the export and remove the other." },
    );
  }
  return fromConfig;
}

/** Compared as bytes: Node decodes standard and url-safe base64, padded or not, alike. */
function sameKey(a: string, b: string): boolean {
  return Buffer.from(a, "base64").equals(Buffer.from(b, "base64"));
}
