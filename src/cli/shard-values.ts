/** The options of shards, checked against each other: which part a run imports, which checkpoint it has, and what of a rate is its own. */

import { z } from "zod";
import { RunError } from "../errors/run-error.js";
import type { ShardsProof } from "../checkpoint/prove-shards.js";
import type { Shard, Manifest } from "../events/shard.js";
import type { ExitCode } from "./exit-codes.js";
import { DEFAULT_CHECKPOINT } from "./options.js";
import type { PaceOptionValues, TargetOptionValues } from "./values.js";
import { readManifest } from "./shard-files.js";

export const ShardValues = z.object({
  shard: z.number().optional(),
  rateTotal: z.number().optional(),
  manifest: z.string().optional(),
});
export type ShardOptionValues = z.infer<typeof ShardValues>;

/**
 * The shard that the options name, and the manifest that has its part; null for a whole export.
 *
 * @throws RunError `usage`
 */
export function shardOf({
  shard,
  rateTotal,
  manifest,
}: ShardOptionValues): { readonly shard: number; readonly manifest: string } | null {
  if (shard !== undefined && manifest !== undefined) return { shard, manifest };
  const given = { "--shard": shard, "--manifest": manifest, "--rate-total": rateTotal };
  const [option] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  if (option === undefined) return null;
  throw new RunError(
    "usage",
    `${option} is for a part of an export that auth-migrate split wrote.`,
    {
      hint: "Name the part by both options, as in --manifest parts/manifest.json --shard 3.",
    },
  );
}

/** The target with the shard's own checkpoint, unless another one is named. */
export function ofShard(values: TargetOptionValues, shard: Shard | undefined): TargetOptionValues {
  if (shard === undefined || values.checkpoint !== DEFAULT_CHECKPOINT) return values;
  return { ...values, checkpoint: shardCheckpoint(shard) };
}

/** The default name of a shard's checkpoint. */
function shardCheckpoint({ index, count }: Shard): string {
  return DEFAULT_CHECKPOINT.replace(/\.\w+$/, `.shard-${index}-of-${count}$&`);
}

/**
 * The pace with the shard's part of what all shards may call.
 *
 * @throws RunError `usage` for both rates
 */
export function paceOfShard(
  values: PaceOptionValues,
  { rateTotal }: ShardOptionValues,
  shard: Shard | undefined,
): PaceOptionValues {
  if (rateTotal === undefined || shard === undefined) return values;
  if (values.rate === undefined) return { ...values, rate: rateTotal / shard.count };
  throw new RunError("usage", "--rate and --rate-total both limit this run.", {
    hint: "Give one of them: --rate is this shard's own, --rate-total is divided among all.",
  });
}

/** The values of a command that reads one checkpoint, or those of all shards. */
export const CheckpointsValues = z.object({
  checkpoint: z.array(z.string()),
  manifest: z.string().optional(),
});

/** The checkpoints that a command is to read. */
export interface GivenCheckpoints {
  readonly checkpoints: readonly [string, ...string[]];
  /** Null for one checkpoint of a whole export. */
  readonly manifest: Manifest | null;
}

/** @throws RunError `usage` for several checkpoints without a manifest, and as {@link readManifest} */
export function givenCheckpoints(values: z.infer<typeof CheckpointsValues>): GivenCheckpoints {
  const manifest = values.manifest === undefined ? null : readManifest(values.manifest);
  const [first, ...others] = values.checkpoint;
  if (manifest === null && others.length > 0) {
    throw new RunError("usage", "Several checkpoints are those of the parts of one export.", {
      hint: "Name the manifest of these parts, as in --manifest parts/manifest.json, or one checkpoint.",
    });
  }
  if (first !== undefined) return { checkpoints: [first, ...others], manifest };
  const names = manifest?.parts.map(({ shard }) =>
    shardCheckpoint({ index: shard, count: manifest.shards }),
  );
  const [one = DEFAULT_CHECKPOINT, ...more] = names ?? [];
  return { checkpoints: [one, ...more], manifest };
}

/**
 * What the engine that ran the shards is told of all of them: 75 where running some of them again
 * is the way out, 65 where it isn't.
 */
export function exitCodeOfShards(proof: ShardsProof | null): ExitCode {
  if (proof === null || proof.proved) return 0;
  return proof.flaws.every(({ runAgain }) => runAgain) ? 75 : 65;
}
