/** A checkpoint opened for a report, beside the run that writes it or after it. It reads; what the report says of it, the room `report` decides. */

import { checkpointError } from "./checkpoint/checkpoint.js";
import type { MigratedUser } from "./checkpoint/migrated-users.js";
import { openReader } from "./checkpoint/reader.js";
import type { RefusedRow } from "./checkpoint/refused-rows.js";
import type { Scope } from "./checkpoint/scopes.js";
import { type CheckpointStatus, statusOf } from "./checkpoint/status.js";
import type { RunRecord } from "./run-record.js";

/** What a report, an id map and an undo list are made from. While a run goes on, each part is of the moment it is read. */
export interface ReportSource {
  readonly status: CheckpointStatus;
  /** The history of the runs, in their order; null where an older version kept none. */
  readonly runs: readonly RunRecord[] | null;
  /**
   * Rows that were refused, left out or failed, one after the other: of every user as they stand,
   * then of rows beside, as duplicates and unreadable ones are.
   */
  refused(): Iterable<RefusedRow>;
  /** Users at the core, one after the other, in the order in which they were first read. */
  migrated(): Iterable<MigratedUser>;
  /** The sources and namespaces that the users at the core are of. */
  scopes(): readonly Scope[];
  close(): void;
}

/**
 * Opens a checkpoint for a report. It takes no lock and changes nothing.
 *
 * @throws RunError `checkpoint_missing`, `checkpoint_invalid` (not a checkpoint, or a newer one),
 *   `disk`; the iterables throw `disk`
 */
export function openReport(path: string): ReportSource {
  const reader = openReader(path);
  try {
    return {
      status: statusOf(reader),
      runs: reader.runs(),
      refused: () => typed(reader.refused.all(), path),
      migrated: () => typed(reader.migrated.all(), path),
      scopes: () => reader.migrated.scopes(),
      close: () => reader.close(),
    };
  } catch (error) {
    reader.close();
    throw checkpointError(error, path);
  }
}

/** With what SQLite says typed for the operator. */
function* typed<T>(items: Iterable<T>, path: string): Iterable<T> {
  try {
    yield* items;
  } catch (error) {
    throw checkpointError(error, path);
  }
}
