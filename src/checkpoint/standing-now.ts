/** Where a checkpoint's users stand while its run goes on, and what its runs have left of it. It reads, and decides nothing. */

import type { RunRecord } from "../events/run-record.js";
import type { Database } from "../sqlite/database.js";
import type { Commit } from "../sqlite/group-commit.js";
import { selectRuns } from "./run-history.js";
import { type StateCounts, selectCounts } from "./state-counts.js";

export interface StandingNow {
  /** How many users stand where, once all that is waiting is written. Reads every entry. */
  counts(): Promise<StateCounts>;
  /** The history of the runs, in their order. */
  runs(): readonly RunRecord[];
}

export function standingNow(database: Database, commit: Commit): StandingNow {
  return {
    async counts() {
      await commit.run(() => {});
      return selectCounts(database);
    },
    runs: () => selectRuns(database),
  };
}
