/** The checkpoints of one import's shards, opened to be read together. It changes nothing and takes no lock. */

import { RunError } from "../errors/run-error.js";
import { isLocked } from "./lock.js";
import { type CheckpointReader, openReader } from "./reader.js";
import type { StateCounts } from "./state-counts.js";
import { proveShards, type ShardFacts, type ShardsProof } from "./prove-shards.js";

/** One checkpoint, or those of several shards. */
export interface ShardReaders {
  readonly readers: readonly CheckpointReader[];
  /** Whether the shards together hold every row of one export once; null for a checkpoint that was named alone. */
  proof(): ShardsProof | null;
  close(): void;
}

/**
 * Opens checkpoints, as many as there are: one of several that isn't there is a shard that hasn't
 * run, which the proof says.
 *
 * @param paths at least one
 * @throws RunError `checkpoint_missing` where none is there, `checkpoint_invalid`, `disk`
 */
export function openShardReaders(paths: readonly string[]): ShardReaders {
  const readers: CheckpointReader[] = [];
  const missing: string[] = [];
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
        missing.push(path);
      }
    }
    if (readers.length === 0) throw none;
  } catch (error) {
    close();
    throw error;
  }
  return {
    readers,
    close,
    proof() {
      // Who asks for one shard alone asks about that shard.
      const isAlone = paths.length === 1 && readers[0]?.shard()?.count !== 1;
      return isAlone ? null : proveShards(readers.map(factsOf), missing);
    },
  };
}

function factsOf(reader: CheckpointReader): ShardFacts {
  return {
    checkpoint: reader.path,
    shard: reader.shard(),
    core: reader.binding(),
    running: isLocked(reader.path),
    reading: reader.reading(),
    lastRun: reader.runs()?.at(-1) ?? null,
  };
}

/** The counts of several checkpoints as those of one. */
export function addCounts(counts: readonly StateCounts[]): StateCounts {
  const sum = (of: (one: StateCounts) => number): number =>
    counts.reduce((total, one) => total + of(one), 0);
  const codes = (of: (one: StateCounts) => Readonly<Record<string, number>>) => {
    const sums: Record<string, number> = {};
    for (const one of counts) {
      for (const [code, count] of Object.entries(of(one))) sums[code] = (sums[code] ?? 0) + count;
    }
    return sums;
  };
  return {
    users: sum(({ users }) => users),
    imported: sum(({ imported }) => imported),
    created: sum(({ created }) => created),
    existed: sum(({ existed }) => existed),
    skipped: sum(({ skipped }) => skipped),
    rejected: sum(({ rejected }) => rejected),
    failed: sum(({ failed }) => failed),
    pending: sum(({ pending }) => pending),
    unknown: sum(({ unknown }) => unknown),
    unmapped: sum(({ unmapped }) => unmapped),
    rejects: codes(({ rejects }) => rejects),
    skips: codes(({ skips }) => skips),
    failures: codes(({ failures }) => failures),
  };
}

/** What several checkpoints are called together; for people. */
export function namesOf(paths: readonly string[]): string {
  const [first = "", ...others] = paths;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
