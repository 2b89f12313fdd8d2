/** One run at a time: a lock that the operating system drops with the process, however it dies. */

import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { RunError } from "../../errors/run-error.js";
import { openDatabase } from "../../sqlite/database.js";
import { SqliteFailure } from "../../sqlite/sqlite-failure.js";
import { CHECKPOINT_APPLICATION_ID } from "./schema.js";

/**
 * Takes the lock of a checkpoint. It is a write lock on an empty SQLite file beside it, which
 * stays there: removing it could give two runs two different files to lock.
 *
 * @returns what gives the lock back
 * @throws RunError `checkpoint_locked` when another run holds it, `disk`
 */
export function lockCheckpoint(checkpointPath: string): () => void {
  const path = `${checkpointPath}.lock`;
  try {
    const database = openDatabase(path, {
      applicationId: CHECKPOINT_APPLICATION_ID,
      migrations: [],
      journal: "none",
      busyTimeoutMs: 0,
    });
    try {
      database.exec("BEGIN EXCLUSIVE");
    } catch (error) {
      database.close();
      throw error;
    }
    return () => {
      database.exec("ROLLBACK");
      database.close();
    };
  } catch (error) {
    if (error instanceof SqliteFailure && error.kind === "busy") {
      throw new RunError("checkpoint_locked", `Another run is using ${checkpointPath}.`, {
        hint: "Wait until it ends and run the same command again, or give this run a checkpoint of its own with --checkpoint.",
        cause: error,
      });
    }
    const folder = dirname(path);
    const why = existsSync(folder) ? `${path} is not writable` : `there is no folder ${folder}`;
    throw new RunError("disk", `Cannot lock the checkpoint: ${why}.`, {
      hint: "Run in a folder that you may write to, or name another place with --checkpoint.",
      cause: error,
    });
  }
}
