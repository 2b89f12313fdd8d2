/** The options' values as the commands take them: checked once, typed from then on. */

import { existsSync } from "node:fs";
import { z } from "zod";
import { DIALECT_NAMES } from "../core/dialect.js";
import { RunError } from "../errors/run-error.js";
import type { HashConfig } from "../hash/hash.js";
import { parseHashConfig, parseHashParameters } from "../hash/hash-config.js";
import type { InputOptions } from "../source/inputs.js";
import type { ImportOptions } from "../run/options.js";
import { DEFAULT_POLICY, type Policy } from "../plan/policy.js";
import { readSmallText } from "./small-file.js";
import type { Voice } from "./terminal.js";

/** A file's name, or the parameters that are no secret, from the configuration file. */
export const HashConfigValue = z.union([z.string(), z.record(z.string(), z.unknown())]);
export type HashConfigValue = z.infer<typeof HashConfigValue>;

export const VoiceValues = z.object({
  json: z.boolean().default(false),
  quiet: z.boolean().default(false),
  input: z.boolean().default(true),
});

export const HashValues = VoiceValues.extend({
  from: z.string().optional(),
  hashConfig: HashConfigValue.optional(),
  assumePlain: z.boolean().default(false),
  accept2x: z.boolean().default(false),
  argon2HashBytes: z.array(z.number()).default([]),
});

export const PlanningValues = HashValues.extend({
  map: z.array(z.string()),
  passwordExport: z.array(z.string()),
  encoding: z.string().optional(),
  defaultCountry: z.string().optional(),
  namespace: z.string(),
  onUnusableHash: z.enum(["reject", "passwordless"]),
  onLostFactor: z.enum(["reject", "accept"]),
  onDuplicate: z.enum(["reject", "fail"]),
  includeUnverified: z.boolean().default(false),
  includeDisabled: z.boolean().default(false),
  includeSso: z.boolean().default(false),
  keepIds: z.boolean().default(false),
});

const RejectAllowanceValue = z.union([
  z.object({ count: z.number() }),
  z.object({ percent: z.number() }),
]);

export const ReadingValues = PlanningValues.extend({
  limit: z.number().optional(),
  expectUsers: z.number().optional(),
  rejectsOut: z.string().optional(),
  minPasswordCoverage: z.number().optional(),
  acceptRejects: RejectAllowanceValue,
});

/** A command that reads a checkpoint and nothing else. */
export const CheckpointValues = VoiceValues.extend({ checkpoint: z.string() });

/** The proof in `import`. */
export const ImportProofValues = z.object({
  prove: z.string().optional(),
  requireProof: z.boolean().default(false),
  prehashSaltFile: z.string().optional(),
});

/** How fast users go, and when a run ends before its end; durations in milliseconds. */
export const PaceValues = z.object({
  rate: z.number().optional(),
  outageBudget: z.number().optional(),
  maxDuration: z.number().optional(),
  maxRejects: RejectAllowanceValue.optional(),
});

export const TargetValues = z.object({
  core: z.string().optional(),
  dialect: z.enum(DIALECT_NAMES).optional(),
  apiKeyFile: z.string().optional(),
  coreConfig: z.string().optional(),
  data: z.string().optional(),
  databaseUrl: z.string().optional(),
  checkpoint: z.string(),
  targetMoved: z.boolean().default(false),
  concurrency: z.number().optional(),
  onExisting: z.enum(["skip", "update", "fail"]),
  assumeEmpty: z.boolean().default(false),
  changeKind: z.boolean().default(false),
  assumeNeverSignedIn: z.boolean().default(false),
  allowInsecure: z.boolean().default(false),
  caFile: z.string().optional(),
  dryRun: z.boolean().default(false),
  yes: z.boolean().default(false),
});

export type PlanningOptionValues = z.infer<typeof PlanningValues>;
export type ReadingOptionValues = z.infer<typeof ReadingValues>;
export type PaceOptionValues = z.infer<typeof PaceValues>;
export type TargetOptionValues = z.infer<typeof TargetValues>;

/** The pace as an import takes it. */
export function paceOf({
  rate,
  outageBudget: outageBudgetMs,
  maxDuration: maxDurationMs,
  maxRejects,
}: PaceOptionValues): Pick<
  ImportOptions,
  "rate" | "outageBudgetMs" | "maxDurationMs" | "maxRejects"
> {
  return { rate, outageBudgetMs, maxDurationMs, maxRejects };
}

/** The policy of a dry run: everything that can be decided without a core. */
export function readingPolicy(values: PlanningOptionValues): Policy {
  const { onUnusableHash, onLostFactor, onDuplicate, assumePlain, accept2x, argon2HashBytes } =
    values;
  const { includeUnverified, includeDisabled, includeSso, keepIds } = values;
  return {
    ...DEFAULT_POLICY,
    ...{ onUnusableHash, onLostFactor, onDuplicate, assumePlain, accept2x, argon2HashBytes },
    ...{ includeUnverified, includeDisabled, includeSso, keepIds },
  };
}

/** How the files are to be read. */
export function inputOptions({
  from,
  map,
  encoding,
  defaultCountry,
}: Pick<PlanningOptionValues, "from" | "map" | "encoding" | "defaultCountry">): InputOptions {
  return {
    from,
    map: columnMap(map),
    encoding: encoding ?? null,
    defaultCountry: defaultCountry ?? null,
  };
}

/** `--map` as the sources take it: columns by field. */
function columnMap(pairs: readonly string[]): Map<string, string[]> {
  const map = new Map<string, string[]>();
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    const field = pair.slice(0, at).trim();
    map.set(field, [...(map.get(field) ?? []), pair.slice(at + 1).trim()]);
  }
  return map;
}

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

/** Where no such file is, the secret itself may have been given in its place. */
const SECRET_FILES: ReadonlySet<string> = new Set(["--api-key-file", "--prehash-salt-file"]);

/**
 * Reads a file that an option names.
 *
 * @param maxBytes a megabyte by default
 * @throws RunError `config_invalid` naming the option and the file
 */
export function readSmallFile(path: string, option: string, maxBytes?: number): string {
  const file = readSmallText(path, maxBytes);
  if ("text" in file) return file.text;
  const name = SECRET_FILES.has(option) && !existsSync(path) ? "" : ` ${path}`;
  throw new RunError("config_invalid", `${option}${name}: ${file.flaw}.`, {
    hint: `Check the path that ${option} gives.`,
    cause: file.cause,
  });
}

export function voiceOf({ json, quiet, input }: z.infer<typeof VoiceValues>): Voice {
  return { json, quiet, input };
}
