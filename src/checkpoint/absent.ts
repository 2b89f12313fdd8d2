/** Looks for users of earlier runs whom this run hasn't met, in constant memory. What that means, the run says. */

import type { Database } from "../sqlite/database.js";
import type { RowRef } from "../events/events.js";
import type { Bitset } from "../plan/bitset.js";
import type { FileIds } from "./numbered.js";
import { SAW_NOBODY, STATE } from "../plan/states.js";

/** Entries looked at in one go; those among which all were met aren't looked at. */
const PAGE = 1024;
/** Users named as examples. */
const EXAMPLES = 3;

export interface Absent {
  readonly count: number;
  /** Rows of a few of them, in the export in which they were last. */
  readonly rows: readonly RowRef[];
  /** The vendor's ids of a few of them; fewer where they are not kept. */
  readonly sourceIds: readonly string[];
}

interface Search {
  /** Who was met of them. */
  readonly met: Bitset;
  /** The greatest number that they have. */
  readonly last: number;
  /** The numbers of the scopes that were read. */
  readonly scopes: readonly number[];
  readonly files: FileIds;
}

/** Finds who is or may be at the core and wasn't met. */
export function findAbsent(database: Database, { met, last, scopes, files }: Search): Absent {
  const among = scopes.join(", ");
  const finished = [STATE.imported, STATE.created, STATE.existed].join(", ");
  const page = database.prepare<[number]>(
    `SELECT id FROM users WHERE id >= ? AND id < ? AND scope IN (${among})
     AND (state IN (${finished}) OR saw_nobody <> ${SAW_NOBODY.no}) ORDER BY id`,
  );
  const one = database.prepare<[number, number, string | null]>(
    "SELECT file, number, source_id FROM users WHERE id = ?",
  );
  const rows: RowRef[] = [];
  const sourceIds: string[] = [];
  let count = 0;
  for (let first = 0; first <= last; first += PAGE) {
    const end = Math.min(first + PAGE, last + 1);
    if (met.hasAll(first, end - first)) continue;
    for (const [id] of page.all(first, end)) {
      if (met.has(id)) continue;
      count += 1;
      if (count > EXAMPLES) continue;
      const [file, number, sourceId] = one.all(id)[0] ?? [0, 0, null];
      rows.push({ file: files.pathOf(file), number });
      if (sourceId !== null) sourceIds.push(sourceId);
    }
  }
  return { count, rows, sourceIds };
}
