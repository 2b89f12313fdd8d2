/** The checkpoints of one import's shards, opened to be read together. It changes nothing and takes no lock. */

import { optionName } from "../errors/option-name.js";
import { RunError } from "../errors/run-error.js";
import { checkpointError, type CoreBinding } from "./checkpoint.js";
import { isLocked } from "./lock.js";
import { type CheckpointReader, openReader } from "./reader.js";
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
  let missing: unknown;
  try {
    for (const path of paths) {
      try {
        readers.push(openReader(path));
      } catch (error) {
        if (!(error instanceof RunError) || error.code !== "checkpoint_missing") throw error;
        missing ??= error;
      }
    }
    if (readers.length === 0) throw missing;
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

type Counts = number | { readonly [name: string]: Counts | undefined };

/**
 * Counts of one shape as their sum: numbers, and tables of numbers name by name.
 *
 * @param none where nothing is counted; the names that the sum has in any case
 */
export function addCounts<C extends object>(none: C, all: readonly C[]): C {
  const names = Object.keys(none) as (keyof C & string)[];
  const sums = names.map((name) => [name, sumOf([none, ...all].map((one) => one[name] as Counts))]);
  return Object.fromEntries(sums);
}

function sumOf(counts: readonly (Counts | undefined)[]): Counts {
  const tables = counts.filter((one) => typeof one === "object");
  if (tables.length === 0) return counts.reduce<number>((sum, one) => sum + Number(one ?? 0), 0);
  const names = new Set(tables.flatMap((one) => Object.keys(one)));
  return Object.fromEntries(
    Array.from(names, (name) => [name, sumOf(tables.map((one) => one[name]))]),
  );
}

/**
 * Those of which users were sent, with the cores that they belong to: a shard may have had none to
 * send. A checkpoint of no core can be compared with none.
 *
 * @throws RunError `checkpoint_missing` where there is none such, `checkpoint_invalid`, `disk`
 */
export function boundReaders(
  readers: readonly CheckpointReader[],
): [BoundReader, ...BoundReader[]] {
  const [first, ...others] = readers.flatMap(({ path, binding }) => {
    try {
      const core = binding();
      return core === null ? [] : [{ path, core }];
    } catch (error) {
      throw checkpointError(error, path);
    }
  });
  if (first !== undefined) return [first, ...others];
  const names = namesOf(readers.map(({ path }) => path));
  throw new RunError("checkpoint_missing", `The checkpoint ${names} knows no user at a core.`, {
    hint: `Run the import first, or name the checkpoint of the one that ran with ${optionName("--checkpoint", "FILE")}.`,
  });
}

interface BoundReader {
  readonly path: string;
  readonly core: CoreBinding;
}

/** What several checkpoints are called together; for people. */
export function namesOf(paths: readonly string[]): string {
  const [first = "", ...others] = paths;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
