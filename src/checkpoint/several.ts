/** The checkpoints of one import's shards, opened to be read together. It changes nothing and takes no lock. */

import { RunError } from "../errors/run-error.js";
import { isLocked } from "./lock.js";
import { type CheckpointReader, openReader } from "./reader.js";
import { NO_COUNTS, type StateCounts } from "./state-counts.js";
import { proveShards, type ShardsProof } from "./prove-shards.js";
import type { Manifest } from "../events/shard.js";

/** One checkpoint, or those of several shards. */
export type Readers = ReturnType<typeof openReaders>;

/**
 * Opens checkpoints, as many as there are: one of several that isn't there is a shard that hasn't
 * run, which the proof says.
 *
 * @param paths at least one
 * @param manifest of the export whose parts they are of; null for a checkpoint of its own
 * @throws RunError `checkpoint_missing` where none is there, `checkpoint_invalid`, `disk`
 */
export function openReaders(paths: readonly string[], manifest: Manifest | null) {
  const readers: CheckpointReader[] = [];
  const close = (): void => {
    for (const reader of readers) reader.close();
  };
  let none: unknown;
  try {
    for (const path of paths) {
      try {
        readers.push(openReader(path));
      } catch (error) {
        if (!(error instanceof RunError) || error.code !== "checkpoint_missing") throw error;
        none ??= error;
      }
    }
    if (readers.length === 0) throw none;
  } catch (error) {
    close();
    throw error;
  }
  const facts = (reader: CheckpointReader) => ({
    checkpoint: reader.path,
    part: reader.part(),
    core: reader.binding(),
    running: isLocked(reader.path),
  });
  return {
    readers,
    close,
    /** Whether they hold every row of the split export once; null without a manifest. */
    proof: (): ShardsProof | null =>
      manifest === null ? null : proveShards(manifest, readers.map(facts)),
  };
}

/** The counts of several checkpoints as those of one. */
export function addCounts(counts: readonly StateCounts[]): StateCounts {
  const names = Object.keys(NO_COUNTS) as (keyof StateCounts)[];
  const sums = names.map((name) => [name, sumOf(counts.map((one) => one[name]))]);
  return Object.fromEntries(sums);
}

type Counts = number | { readonly [name: string]: Counts };

/** Adds numbers, or tables of numbers name by name. */
function sumOf(counts: readonly Counts[]): Counts {
  const tables = counts.filter((one) => typeof one === "object");
  if (tables.length === 0) return counts.reduce<number>((sum, one) => sum + Number(one), 0);
  const names = new Set(tables.flatMap((one) => Object.keys(one)));
  return Object.fromEntries(
    Array.from(names, (name) => [name, sumOf(tables.map((one) => one[name] ?? 0))]),
  );
}

/** What several checkpoints are called together; for people. */
export function namesOf(paths: readonly string[]): string {
  const [first = "", ...others] = paths;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
