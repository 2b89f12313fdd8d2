/** What one call of a run has been through. */

import type { CallName } from "../events/events.js";

/** An attempt that failed; what else than a `CoreFailure` it failed with ends the run. */
export interface FailedAttempt {
  readonly failure: unknown;
  /** When it was let go, by the gate. */
  readonly began: number;
  /** Calls of the whole run that had succeeded then. */
  readonly successesThen: number;
}

/** Several calls that were let in together. */
export interface Together extends Omit<FailedAttempt, "failure"> {
  readonly name: CallName;
  /** Outages of the run until then. */
  readonly outagesSeen: number;
}

/** What one call of a run has been through. Written by its attempts alone. */
export class Trial {
  readonly name: CallName;
  /** Calls of the whole run that had succeeded when it began. */
  readonly successesBefore: number;
  /** Outages of the run that it has seen, and how many of them it was lost in. */
  outagesSeen: number;
  outages = 0;
  maybeApplied = false;
  /** Those that count: trouble that all calls have costs none. */
  attempts = 0;
  /** All that failed since the last outage. */
  failures = 0;
  busySince: number | null = null;

  constructor(name: CallName, successesBefore: number, outagesSeen: number) {
    this.name = name;
    this.successesBefore = successesBefore;
    this.outagesSeen = outagesSeen;
  }
}
