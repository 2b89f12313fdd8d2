/** Counts a row's event and hands it on. */

import type { RowEvent } from "./events.js";
import type { Tally } from "./tally.js";

/** Counts a reject, skip or failure and hands the event on. */
export function tell(event: RowEvent, tally: Tally, emit: (event: RowEvent) => void): void {
  if (event.type === "reject") tally.rejected(event.code);
  else if (event.type === "skip") tally.skipped(event.code);
  else tally.ended("failed");
  emit(event);
}
