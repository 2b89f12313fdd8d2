/** The checkpoints of one import's shards, opened to be read together. It changes nothing and takes no lock. */

import { RunError } from "../errors/run-error.js";
import { isLocked } from "./lock.js";
import { type CheckpointReader, openReader } from "./reader.js";
import type { StateCounts } from "./state-counts.js";
import { proveShards, type ShardsProof } from "./prove-shards.js";
import type { Manifest } from "../events/shard.js";

/** One checkpoint, or those of several shards. */
export interface Readers {
  readonly readers: readonly CheckpointReader[];
  /** Whether they hold every row of the split export once; null without a manifest. */
  proof(): ShardsProof | null;
  close(): void;
}

/**
 * Opens checkpoints, as many as there are: one of several that isn't there is a shard that hasn't
 * run, which the proof says.
 *
 * @param paths at least one
 * @param manifest of the export whose parts they are of; null for a checkpoint of its own
 * @throws RunError `checkpoint_missing` where none is there, `checkpoint_invalid`, `disk`
 */
export function openReaders(paths: readonly string[], manifest: Manifest | null): Readers {
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
    proof: () => (manifest === null ? null : proveShards(manifest, readers.map(facts))),
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
    bridged: sum(({ bridged }) => bridged),
    created: sum(({ created }) => created),
    existed: sum(({ existed }) => existed),
    skipped: sum(({ skipped }) => skipped),
    rejected: sum(({ rejected }) => rejected),
    failed: sum(({ failed }) => failed),
    queued: sum(({ queued }) => queued),
    pending: sum(({ pending }) => pending),
    unknown: sum(({ unknown }) => unknown),
    unmapped: sum(({ unmapped }) => unmapped),
    rejects: codes(({ rejects }) => rejects),
    skips: codes(({ skips }) => skips),
    failures: codes(({ failures }) => failures),
    otherRows: {
      rejects: codes(({ otherRows }) => otherRows.rejects),
      skips: codes(({ otherRows }) => otherRows.skips),
      failures: codes(({ otherRows }) => otherRows.failures),
    },
    stillThere: codes(({ stillThere }) => stillThere),
    notices: codes(({ notices }) => notices),
  };
}

/** What several checkpoints are called together; for people. */
export function namesOf(paths: readonly string[]): string {
  const [first = "", ...others] = paths;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
