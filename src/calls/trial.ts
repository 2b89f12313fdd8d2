/** What one call of a run has been through, from its first failed attempt on. */

import type { CallName } from "../events/events.js";

/** Counts and times of one call. Written by its attempts alone. */
export interface Trial {
  readonly name: CallName;
  /** Calls of the whole run that had succeeded when it began. */
  readonly successesBefore: number;
  maybeApplied: boolean;
  /** Those that count: trouble that all calls have costs none. */
  attempts: number;
  /** All that failed since the last outage. */
  failures: number;
  /** Outages of the run that it has seen, and how many of them it was lost in. */
  outagesSeen: number;
  outages: number;
  busyAnswers: number;
  busySince: number | null;
}

/** An attempt that failed; what else than a `CoreFailure` it failed with ends the run. */
export interface FailedAttempt {
  readonly failure: unknown;
  /** When it was let go, by the gate. */
  readonly began: number;
  /** Calls of the whole run that had succeeded then. */
  readonly successesThen: number;
}

/** Several calls that were let in together. */
export interface Together extends Pick<FailedAttempt, "began" | "successesThen"> {
  readonly name: CallName;
  /** Outages of the run until then. */
  readonly outagesSeen: number;
}

/**
 * A call whose first attempt has just failed, with nothing counted of it yet.
 *
 * @param successesBefore calls of the whole run that had succeeded when it began
 * @param outagesSeen outages of the run until then
 */
export function newTrial(name: CallName, successesBefore: number, outagesSeen: number): Trial {
  return {
    name,
    successesBefore,
    outagesSeen,
    maybeApplied: false,
    attempts: 0,
    failures: 0,
    outages: 0,
    busyAnswers: 0,
    busySince: null,
  };
}
