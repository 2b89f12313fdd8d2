/** Options of what decides over a hash beside its text, wherever hashes are normalized. */

import { z } from "zod";
import type { HashConfig } from "../../hash/hash.js";
import { parseHashConfig, parseHashParameters } from "../../hash/hash-config.js";
import { readSmallFile } from "../small-file.js";
import type { OptionSpecs } from "./option.js";
import { allowedHashes, text } from "./types.js";

/** A file's name, or the parameters that are no secret, from the configuration file. */
const HashConfigValue = z.union([text, z.record(text, z.unknown())]);
export type HashConfigValue = z.infer<typeof HashConfigValue>;

export const hashing = {
  hashConfig: {
    flags: "--hash-config <file>",
    help: "the vendor account's scrypt parameters, as its console shows them",
    brief: "the vendor account's scrypt parameters",
    docs: "(`hash_config { … }`, or the same names as JSON)",
    type: HashConfigValue,
  },
  allowHash: {
    flags: "--allow-hash <list>",
    group: "How files are read",
    help: "take these hashes as well, with commas between: 2x ($2x$, right for ASCII passwords alone), as-typed (you vouch that bare bcrypt and argon2 hashes are of passwords as typed), argon2-20 (outputs of 20 bytes)",
    docs: "`argon2-N` from 4 to 128 bytes ([limits.md](limits.md#hashes-that-were-cut-off))",
    type: allowedHashes,
    repeated: true,
    defaultText: "argon2 outputs that their column shows to be whole",
  },
} as const satisfies OptionSpecs;

/**
 * The vendor account's parameters, or null where none were given; without the signer key where
 * the configuration file holds them.
 *
 * @throws RunError `config_invalid` (the file), `hash_config_invalid`
 */
export function loadHashConfig(given: HashConfigValue | undefined): HashConfig | null {
  if (given === undefined) return null;
  if (typeof given !== "string") return parseHashParameters(given);
  return parseHashConfig(readSmallFile(given, "--hash-config"));
}
