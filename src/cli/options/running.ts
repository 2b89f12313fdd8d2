/** Options of how fast an import goes, when it ends before its end, and which part of an export it is; and the rules between them. */

import { z } from "zod";
import { RunError } from "../../errors/run-error.js";
import type { Shard } from "../../events/shard.js";
import { BULK_MODES } from "../../run/bulk/mode.js";
import type { ImportOptions } from "../../run/options.js";
import { DEFAULT_CHECKPOINT, partCheckpoint } from "./general.js";
import type { OptionSpecs, ValuesOf } from "./option.js";
import type { TargetValues } from "./target.js";
import { callRate, duration, positiveNumber, text } from "./types.js";

/** Of every command that calls a core, and of a dry run, which tells by it how long an import takes. */
export const pace = {
  rate: {
    flags: "--rate <n>",
    group: "Pace and limits",
    help: "most calls a second, lookups among them; 0.5 is one in two seconds",
    docs: "See [Pace and patience](import.md#pace-and-patience)",
    type: callRate,
  },
} as const satisfies OptionSpecs;

export const bulk = {
  bulk: {
    flags: "--bulk <when>",
    group: "Pace and limits",
    help: "whether new users go by the remote core's queue: auto, from 1,000 on; always; or never",
    docs: "See [bulk.md](bulk.md)",
    type: z.enum(BULK_MODES),
    default: "auto",
  },
} as const satisfies OptionSpecs;

/** What ends an import before its end. */
export const limits = {
  maxDuration: {
    flags: "--max-duration <duration>",
    group: "Pace and limits",
    help: "stop after so long, with the progress saved",
    type: duration,
  },
} as const satisfies OptionSpecs;

/** Of one of several processes that import an export in parts. */
export const part = {
  manifest: {
    flags: "--manifest <file>",
    group: "A part of a split export",
    help: "import a part of the export that split wrote, checked by this",
    docs: "No files are named then. See [shards.md](shards.md)",
    type: text,
  },
  shard: {
    flags: "--shard <n>",
    group: "A part of a split export",
    help: "which of its parts, from 1",
    type: positiveNumber,
  },
} as const satisfies OptionSpecs;

export type PaceValues = ValuesOf<typeof pace & typeof limits>;
export type PartValues = ValuesOf<typeof part>;

/** The pace as an import takes it. */
export function paceOf({
  rate,
  maxDuration,
}: PaceValues): Pick<ImportOptions, "rate" | "maxDurationMs"> {
  return { rate, maxDurationMs: maxDuration };
}

/** The checkpoint of a part, unless another one is named. */
export function checkpointOf(
  { checkpoint }: Pick<TargetValues, "checkpoint">,
  shard: Shard | undefined,
): string {
  const isDefault = shard !== undefined && checkpoint === DEFAULT_CHECKPOINT;
  return isDefault ? partCheckpoint(shard) : checkpoint;
}

/**
 * The part that the options name; null for a whole export.
 *
 * @param named the files on the command line
 * @throws RunError `usage` where the options contradict each other, or nothing is named to be read
 */
export function partOf(
  named: readonly string[],
  { shard, manifest }: PartValues,
): { readonly shard: number; readonly manifest: string } | null {
  const isPart = shard !== undefined && manifest !== undefined;
  const given = { "--shard": shard, "--manifest": manifest };
  const [option] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  if (!isPart && option !== undefined) {
    throw new RunError(
      "usage",
      `${option} is for a part of an export that auth-migrate split wrote.`,
      {
        hint: "Name the part by both options, as in --manifest parts/manifest.json --shard 3.",
      },
    );
  }
  if (isPart && named.length > 0) {
    throw new RunError("usage", "--manifest says which files are read, and others were named.", {
      hint: "Leave them out, or import them without --manifest and --shard.",
    });
  }
  if (isPart) return { shard, manifest };
  if (named.length > 0) return null;
  throw new RunError("usage", "No export was named.", {
    hint: "Name its files, as in: auth-migrate import users.csv. Run auth-migrate import --help for the rest.",
  });
}
