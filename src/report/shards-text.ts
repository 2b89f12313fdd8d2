/** Tells people whether all shards of an import together are complete. */

import type { ShardFlaw, ShardsProof } from "../checkpoint/prove-shards.js";
import { count } from "./count.js";

/** Flaws that are listed; of hundreds of shards that haven't run, the first ones say enough. */
const MOST_FLAWS = 20;

/** The verdict on all shards in a sentence. */
export function shardsVerdict({ proved, shards, rows, ownRows, flaws }: ShardsProof): string {
  if (proved) {
    return `${count(rows, "row")} in ${count(shards, "shard")}: every row has exactly one outcome, in exactly one shard.`;
  }
  return `Not proved: ${count(flaws.length, "flaw")}; ${ownRows.toLocaleString("en-US")} of ${count(rows, "row")} are in shards that came to the end.`;
}

/** The first flaws, and how many more there are. */
export function shownFlaws({ flaws }: ShardsProof): {
  readonly shown: readonly ShardFlaw[];
  readonly more: number;
} {
  return { shown: flaws.slice(0, MOST_FLAWS), more: Math.max(0, flaws.length - MOST_FLAWS) };
}

/** The lines about all shards; none without a manifest. */
export function shardLines(proof: ShardsProof | null): string[] {
  if (proof === null) return [];
  const { shown, more } = shownFlaws(proof);
  return [
    "",
    "Shards",
    `  ${shardsVerdict(proof)}`,
    ...shown.flatMap(({ code, message }) => [`  ${code}`, `      ${message}`]),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}
