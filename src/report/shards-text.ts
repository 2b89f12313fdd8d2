/** Tells people what a split wrote, and whether all shards of an import together are complete. */

import type { ShardFlaw, ShardsProof } from "../checkpoint/prove-shards.js";
import { count, grouped } from "./text.js";
import type { Manifest } from "../events/shard.js";

/** Flaws that are listed; of hundreds of shards that haven't run, the first ones say enough. */
const MOST_FLAWS = 20;

/** The verdict on all shards in a sentence. */
export function shardsVerdict({ proved, shards, rows, ownRows, flaws }: ShardsProof): string {
  if (proved) {
    return `${count(rows, "row")} in ${count(shards, "shard")}: every row has exactly one outcome, in exactly one shard.`;
  }
  return `Not proved: ${count(flaws.length, "flaw")}; ${grouped(ownRows)} of ${count(rows, "row")} ${ownRows === 1 ? "is" : "are"} in shards that came to the end.`;
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

/** Parts that are listed; the manifest has all. */
const MOST_PARTS = 20;

/**
 * What a split has written, for people.
 *
 * @param path of the manifest
 */
export function splitText({ rows, parts }: Manifest, path: string): string[] {
  const more = parts.length - MOST_PARTS;
  return [
    `${count(rows, "row")} in ${count(parts.length, "part")}; manifest ${path}`,
    "",
    ...parts.slice(0, MOST_PARTS).map(({ shard, rows: own, files }) => {
      const names = files.map(({ name }) => name).join(", ") || "no row falls to it";
      return `  ${String(shard).padStart(5)}  ${grouped(own).padStart(13)}   ${names}`;
    }),
    ...(more > 0 ? [`  and ${more} more`] : []),
    "",
    "The parts hold hashes and contacts as the export does. To import the first one:",
  ];
}
