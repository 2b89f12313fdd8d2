/** The rows of an export that one run takes: all of them, those of its shard, or a part that was split off before. */

import { createRunKeys } from "../checkpoint/run-keys.js";
import type { ShardSummary } from "../events/events.js";
import type { ReadingOptions } from "./options.js";
import { divideFor, type OwnDivision } from "./division.js";
import type { ShardReading } from "../events/reading.js";

export interface OwnRows {
  /** Null where every row that is read is the run's own. */
  readonly division: OwnDivision | null;
  /**
   * What the run has read, for the proof over all shards; null where it is no shard.
   *
   * @param read own rows, as the run counts them
   */
  reading(read: number): ShardReading | null;
  /** @param read own rows, as the run counts them */
  summary(read: number): ShardSummary | null;
  close(): void;
}

/**
 * @param directory for a scratch file with the keys of the whole export, where it is divided
 */
export function createOwnRows(
  { shard, part }: Pick<ReadingOptions, "shard" | "part">,
  directory: string,
): OwnRows {
  if (shard === undefined) {
    return { division: null, reading: () => null, summary: () => null, close() {} };
  }
  if (part !== undefined) {
    return {
      division: null,
      // What was read otherwise than it was split shows in the number of rows.
      reading: (read) => ({ whole: part.whole, own: { rows: read, sum: part.own.sum } }),
      summary: () => ({ ...shard, exportRows: part.whole.rows }),
      close() {},
    };
  }
  const runKeys = createRunKeys(directory);
  const division = divideFor(shard, runKeys);
  return {
    division,
    reading: () => division.reading(),
    summary: () => ({ ...shard, exportRows: division.reading().whole.rows }),
    close: () => runKeys.close(),
  };
}
