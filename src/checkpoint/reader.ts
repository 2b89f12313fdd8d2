/** A checkpoint that is only read, beside the run that writes it or after it. It takes no lock, creates nothing and changes nothing. */

import type { Database } from "../sqlite/database.js";
import { openForReading } from "../sqlite/reading.js";
import { createDigester, type Digester } from "../plan/digests.js";
import type { RunRecord } from "../events/run-record.js";
import { type NotedPart, parseNoted } from "../events/shard.js";
import { selectVault, type VaultNote } from "./bridged-users.js";
import { checkpointError, type CoreBinding, selectBinding } from "./checkpoint.js";
import { createFinishedUsers, type FinishedUsers } from "./finished-users.js";
import { getMeta, getTime } from "./meta.js";
import { type RefusedRow, refusedRows } from "./refused-rows.js";
import { selectRuns } from "./run-history.js";
import { CHECKPOINT_FILE } from "./schema.js";
import { type StateCounts, selectCounts } from "./state-counts.js";
import { createUserFinder, type UserFinder } from "./stored-users.js";

/** An open checkpoint; a version of before this one is read as it is. */
export interface CheckpointReader {
  readonly path: string;
  readonly digester: Digester;
  readonly finished: FinishedUsers;
  readonly users: UserFinder;
  /** See {@link refusedRows}. */
  refused(): Iterable<RefusedRow>;
  /** The history of its runs, in their order. */
  runs(): RunRecord[];
  /** The part that was imported with it last; null where none was. */
  part(): NotedPart | null;
  /** The core it is bound to; null where no user was sent yet. */
  binding(): CoreBinding | null;
  /** Reads every entry: about a second for some millions of users. */
  counts(): StateCounts;
  /** Whether the core is proved to hold the vendor's signer key. */
  isProved(): boolean;
  /** The vault that has its users' old hashes; null where none was kept. */
  vault(): VaultNote | null;
  /** When it was made; null where that isn't noted. */
  begunAt(): Date | null;
  /** When people began to sign in at the core; null where that wasn't recorded. */
  cutoverAt(): Date | null;
  close(): void;
}

/** @throws RunError `checkpoint_missing`, `checkpoint_invalid` (not a checkpoint, or another version's), `disk` */
export function openReader(path: string): CheckpointReader {
  try {
    const database = openForReading(path, CHECKPOINT_FILE);
    return {
      path,
      digester: createDigester(getMeta(database, "salt") ?? ""),
      finished: createFinishedUsers(database),
      users: createUserFinder(database),
      refused: () => refusedRows(database),
      runs: () => selectRuns(database),
      part: () => parseNoted(getMeta(database, "part") ?? ""),
      binding: () => selectBinding(database),
      counts: () => selectCounts(database),
      isProved: () => getMeta(database, "proof") !== undefined,
      vault: () => selectVault(database),
      begunAt: () => dateOf(database, "begun_at"),
      cutoverAt: () => dateOf(database, "cutover_at"),
      close: () => database.close(),
    };
  } catch (error) {
    throw checkpointError(error, path);
  }
}

function dateOf(database: Database, name: "begun_at" | "cutover_at"): Date | null {
  const time = getTime(database, name);
  return time === null ? null : new Date(time);
}
