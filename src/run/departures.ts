/** Users of earlier runs whom a newer export doesn't have any more, or says to leave out: they still have access. Only a run that has read all of it can tell. */

import { finding } from "../events/findings.js";
import { newExampleCounter, type ExampleCounter } from "../events/example-counter.js";
import type { Absent } from "../checkpoint/absent.js";
import type { Finding } from "../events/events.js";

/** What a run notes on its way. */
export interface Departures {
  /** Finished users whose rows are left out now. */
  readonly disabled: ExampleCounter;
  /** Rows that couldn't be read, whoever they are of. */
  unreadable: number;
}

export function newDepartures(): Departures {
  return { disabled: newExampleCounter(), unreadable: 0 };
}

/** @param absent whom the run hasn't met, after it has read everything */
export function departureFindings(
  { count, rows, sourceIds }: Absent,
  { disabled, unreadable }: Departures,
): Finding[] {
  const findings: Finding[] = [];
  if (disabled.count > 0) findings.push(finding("disabled_since_last_export", disabled));
  if (count > 0) {
    const detail =
      unreadable === 0 ? "" : "Some of them may be in rows of it that couldn't be read.";
    const gone = finding("gone_since_last_export", { count, rows: [...rows] }, detail);
    findings.push({ ...gone, sourceIds });
  }
  return findings;
}
