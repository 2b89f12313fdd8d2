/** The options' values as the commands take them: checked once, typed from then on. */

import { readFileSync } from "node:fs";
import { z } from "zod";
import { RunError, systemErrorCode } from "../errors/run-error.js";
import type { HashConfig } from "../hash/hash.js";
import { parseHashConfig } from "../hash/hash-config.js";
import { DEFAULT_POLICY, type Policy } from "../migration/policy.js";
import type { Voice } from "./terminal.js";

export const VoiceValues = z.object({
  json: z.boolean().default(false),
  quiet: z.boolean().default(false),
  input: z.boolean().default(true),
});

export const ReadingValues = VoiceValues.extend({
  from: z.string().optional(),
  map: z.array(z.string()),
  hashConfig: z.string().optional(),
  namespace: z.string(),
  onUnusableHash: z.enum(["reject", "passwordless"]),
  onDuplicate: z.enum(["reject", "fail"]),
  assumePlain: z.boolean().default(false),
  accept2x: z.boolean().default(false),
  includeUnverified: z.boolean().default(false),
  includeDisabled: z.boolean().default(false),
  includeSso: z.boolean().default(false),
  expectUsers: z.number().optional(),
  acceptRejects: z.union([z.object({ count: z.number() }), z.object({ percent: z.number() })]),
});

export const TargetValues = z.object({
  core: z.string().optional(),
  apiKeyFile: z.string().optional(),
  data: z.string(),
  checkpoint: z.string(),
  targetMoved: z.boolean().default(false),
  concurrency: z.number().optional(),
  onExisting: z.enum(["skip", "update", "fail"]),
  assumeEmpty: z.boolean().default(false),
  allowInsecure: z.boolean().default(false),
  caFile: z.string().optional(),
  dryRun: z.boolean().default(false),
  yes: z.boolean().default(false),
});

export type ReadingOptionValues = z.infer<typeof ReadingValues>;
export type TargetOptionValues = z.infer<typeof TargetValues>;

/** The policy of a dry run: everything that can be decided without a core. */
export function readingPolicy(values: ReadingOptionValues): Policy {
  const { onUnusableHash, onDuplicate, assumePlain, accept2x } = values;
  const { includeUnverified, includeDisabled, includeSso } = values;
  return {
    ...DEFAULT_POLICY,
    ...{ onUnusableHash, onDuplicate, assumePlain, accept2x },
    ...{ includeUnverified, includeDisabled, includeSso },
  };
}

/** `--map` as the sources take it: column by field. */
export function columnMap(values: ReadingOptionValues): Map<string, string> {
  return new Map(
    values.map.map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    }),
  );
}

/** The vendor account's parameters, or null where no file was named. */
export function loadHashConfig(path: string | undefined): HashConfig | null {
  if (path === undefined) return null;
  return parseHashConfig(readSmallFile(path, "--hash-config"));
}

/**
 * Reads a file that an option names.
 *
 * @throws RunError `config_invalid` naming the option and the file
 */
export function readSmallFile(path: string, option: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const reason =
      systemErrorCode(error) === "ENOENT" ? "there is no such file" : "it can't be read";
    throw new RunError("config_invalid", `${option} ${path}: ${reason}.`, {
      hint: `Check the path that ${option} gives.`,
      cause: error,
    });
  }
}

export function voiceOf({ json, quiet, input }: z.infer<typeof VoiceValues>): Voice {
  return { json, quiet, input };
}
