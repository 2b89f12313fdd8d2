/** Which shard of an import a checkpoint is of. Users are divided anew for every number of shards, so that a checkpoint serves no other than its own. */

import { RunError } from "../errors/run-error.js";
import type { Database } from "../sqlite/database.js";
import { parseShard, type Shard, shardText } from "../events/shard.js";
import { getMeta, removeMeta, setMeta } from "./meta.js";

/** A checkpoint that a run is about to use. */
export interface Claim {
  readonly path: string;
  /** Null for a run that takes all users. */
  readonly shard: Shard | null;
  /** It knows nobody yet, and so belongs to no shard either. */
  readonly isNew: boolean;
}

/** The shard that a checkpoint is of; null for that of a run that takes all users. */
export function selectShard(database: Database): Shard | null {
  return parseShard(getMeta(database, "shard") ?? "");
}

/**
 * Binds a new checkpoint to the run's shard.
 *
 * @throws RunError `checkpoint_other_shard`
 */
export function claimShard(database: Database, { path, shard, isNew }: Claim): void {
  const known = selectShard(database);
  if (nameOf(known) === nameOf(shard)) return;
  if (!isNew) throw otherShard(path, known, shard);
  if (shard === null) removeMeta(database, "shard");
  else setMeta(database, "shard", shardText(shard));
}

function nameOf(shard: Shard | null): string {
  return shard === null ? "an import that isn't divided" : `shard ${shardText(shard)}`;
}

function otherShard(path: string, known: Shard | null, shard: Shard | null): RunError {
  return new RunError(
    "checkpoint_other_shard",
    `The checkpoint ${path} is of ${nameOf(known)}, and this run is ${nameOf(shard)}.`,
    {
      hint:
        known === null
          ? "Give the shard a checkpoint of its own with --checkpoint FILE, or go on without --shard."
          : `Run it as --shard ${shardText(known)}, or give this run a checkpoint of its own with --checkpoint FILE. Another number of shards divides the users anew: begin it with new checkpoints.`,
    },
  );
}
