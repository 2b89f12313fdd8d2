/** Options of how fast an import goes, and of its checkpoint. */

import { z } from "zod";
import type { Shard } from "../../events/shard.js";
import { BULK_MODES } from "../../run/bulk/mode.js";
import { DEFAULT_CHECKPOINT, partCheckpoint } from "./general.js";
import type { OptionSpecs, ValuesOf } from "./option.js";
import type { TargetValues } from "./target.js";
import { callRate } from "./types.js";

/** Of every command that calls a core, and of a dry run, which tells by it how long an import takes. */
export const pace = {
  rate: {
    flags: "--rate <n>",
    group: "Pace and limits",
    help: "most calls a second, lookups among them; 0.5 is one in two seconds",
    docs: "([import.md](import.md#pace-and-patience))",
    type: callRate,
  },
} as const satisfies OptionSpecs;

export const bulk = {
  bulk: {
    flags: "--bulk <when>",
    group: "Pace and limits",
    help: "whether new users go by the remote core's queue: auto (from 1,000 on), always or never",
    docs: "([bulk.md](bulk.md))",
    type: z.enum(BULK_MODES),
    default: "auto",
  },
} as const satisfies OptionSpecs;

export type PaceValues = ValuesOf<typeof pace>;

/** The checkpoint of a part, unless another one is named. */
export function checkpointOf(
  { checkpoint }: Pick<TargetValues, "checkpoint">,
  shard: Shard | undefined,
): string {
  const isDefault = shard !== undefined && checkpoint === DEFAULT_CHECKPOINT;
  return isDefault ? partCheckpoint(shard) : checkpoint;
}
