/** The options of shards, checked against each other: which shard a run is, which checkpoint it has, and what of a rate is its own. */

import { z } from "zod";
import { RunError } from "../errors/run-error.js";
import type { ShardsProof } from "../checkpoint/prove-shards.js";
import { type Shard, shardText } from "../events/shard.js";
import { engineShard } from "./engine-shard.js";
import type { ExitCode } from "./exit-codes.js";
import { DEFAULT_CHECKPOINT } from "./options.js";
import type { PaceOptionValues, TargetOptionValues } from "./values.js";

export const ShardValues = z.object({
  shard: z
    .union([z.literal("auto"), z.object({ index: z.number(), count: z.number() })])
    .optional(),
  shards: z.number().optional(),
  rateTotal: z.number().optional(),
  manifest: z.string().optional(),
});
export type ShardOptionValues = z.infer<typeof ShardValues>;

/**
 * The shard that the options name; undefined for a run that takes all users. `--shards` alone
 * means `--shard auto`.
 *
 * @param environment as `process.env`
 * @throws RunError `usage`
 */
export function shardOf(
  { shard, shards, rateTotal, manifest }: ShardOptionValues,
  environment: Readonly<Record<string, string | undefined>>,
): Shard | undefined {
  if (shard === undefined && shards === undefined) {
    if (rateTotal !== undefined) throw alone("--rate-total", "--rate N limits this run.");
    if (manifest !== undefined) throw alone("--manifest", "Say which part this run takes.");
    return undefined;
  }
  if (shard === undefined || shard === "auto") return engineShard(environment, shards ?? null);
  if (shards === undefined || shards === shard.count) return shard;
  throw new RunError(
    "usage",
    `--shard ${shardText(shard)} and --shards ${shards} differ in how many shards there are.`,
    { hint: "Leave --shards out, or give it the same number." },
  );
}

function alone(option: string, hint: string): RunError {
  return new RunError("usage", `${option} is for one of several shards.`, {
    hint: `${hint} A shard is --shard i/n, as in 3/8, or --shard auto.`,
  });
}

/** The target with the shard's own checkpoint, unless another one is named. */
export function ofShard(values: TargetOptionValues, shard: Shard | undefined): TargetOptionValues {
  if (shard === undefined || values.checkpoint !== DEFAULT_CHECKPOINT) return values;
  return { ...values, checkpoint: shardCheckpoint(shard) };
}

/** The default name of a shard's checkpoint. */
export function shardCheckpoint({ index, count }: Shard): string {
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
  shards: z.number().optional(),
});

/**
 * The checkpoints that a command is to read, at least one.
 *
 * @throws RunError `usage` for names and `--shards` at once
 */
export function givenCheckpoints({
  checkpoint,
  shards,
}: z.infer<typeof CheckpointsValues>): readonly [string, ...string[]] {
  const [first, ...others] = checkpoint;
  if (shards === undefined) return [first ?? DEFAULT_CHECKPOINT, ...others];
  if (first !== undefined) {
    throw new RunError("usage", "--checkpoint and --shards both say which checkpoints to read.", {
      hint: "Give one of them: --shards reads those that have their default names.",
    });
  }
  const rest = Array.from({ length: shards - 1 }, (_, at) =>
    shardCheckpoint({ index: at + 2, count: shards }),
  );
  return [shardCheckpoint({ index: 1, count: shards }), ...rest];
}

/**
 * What the engine that ran the shards is told of all of them: 75 where running some of them again
 * is the way out, 65 where it isn't.
 */
export function exitCodeOfShards(proof: ShardsProof | null): ExitCode {
  if (proof === null || proof.proved) return 0;
  return proof.flaws.every(({ runAgain }) => runAgain) ? 75 : 65;
}
