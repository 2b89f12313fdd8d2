/** Users of earlier runs who are missing from a newer export, or whom it says to leave out. They still have access at the core. Only a run that has read the whole export can name them. */

import { finding, newExampleCounter, type ExampleCounter } from "../events/findings.js";
import type { Absent } from "../checkpoint/absent.js";
import type { Finding } from "../events/events.js";

/** What a run notes on its way. */
export interface MissingUsers {
  /** Finished users whose rows are left out now. */
  readonly disabled: ExampleCounter;
  /** Rows that couldn't be read; any user may stand in one. */
  unreadable: number;
}

export function newMissingUsers(): MissingUsers {
  return { disabled: newExampleCounter(), unreadable: 0 };
}

/** @param absent the users whom the run hasn't met, after it has read everything */
export function missingUserFindings(
  { count, rows, sourceIds }: Absent,
  { disabled, unreadable }: MissingUsers,
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
