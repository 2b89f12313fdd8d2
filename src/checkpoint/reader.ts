/** A checkpoint that is only read, beside the run that writes it or after it. It takes no lock, creates nothing and changes nothing. */

import { openForReading } from "../sqlite/reading.js";
import { createDigester } from "../plan/digests.js";
import type { NotedPart } from "../events/shard.js";
import { selectVault } from "./bridged-users.js";
import { checkpointError, selectBinding } from "./checkpoint.js";
import { createFinishedUsers } from "./finished-users.js";
import { getMeta, getTime } from "./meta.js";
import { examplesOf, refusedRows } from "./refused-rows.js";
import { selectRuns } from "./run-history.js";
import { CHECKPOINT_FILE } from "./schema.js";
import { countBeside, selectCounts } from "./state-counts.js";
import { createUserFinder } from "./stored-users.js";

/** An open checkpoint. */
export type CheckpointReader = ReturnType<typeof openReader>;

/** @throws RunError `checkpoint_missing`, `checkpoint_invalid` (not a checkpoint, or another version's), `disk` */
export function openReader(path: string) {
  try {
    const database = openForReading(path, CHECKPOINT_FILE);
    const dateOf = (name: "begun_at" | "cutover_at"): Date | null => {
      const time = getTime(database, name);
      return time === null ? null : new Date(time);
    };
    return {
      path,
      digester: createDigester(getMeta(database, "salt") ?? ""),
      finished: createFinishedUsers(database),
      users: createUserFinder(database),
      refused: () => refusedRows(database),
      /** The first rows of users who have a notice. */
      examples: (notice: string) => examplesOf(database, notice),
      runs: () => selectRuns(database),
      /** The part that was imported with it last; null where none was. */
      part: (): NotedPart | null => {
        const text = getMeta(database, "part");
        return text === undefined ? null : JSON.parse(text);
      },
      /** The core it is bound to; null where no user was sent yet. */
      binding: () => selectBinding(database),
      /** Reads every entry: about a second for some millions of users. */
      counts: () => selectCounts(database),
      beside: () => countBeside(database),
      /** Whether the core is proved to hold the vendor's signer key. */
      isProved: () => "key" in JSON.parse(getMeta(database, "proof") ?? "{}"),
      /** The vault that has its users' old hashes; null where none was kept. */
      vault: () => selectVault(database),
      /** When it was made; null where that isn't noted. */
      begunAt: () => dateOf("begun_at"),
      /** When people began to sign in at the core; null where that wasn't recorded. */
      cutoverAt: () => dateOf("cutover_at"),
      close: () => database.close(),
    };
  } catch (error) {
    throw checkpointError(error, path);
  }
}
