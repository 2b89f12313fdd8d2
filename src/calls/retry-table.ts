/** What may be repeated: the one table of it. A failure that isn't in it is an answer, which would be the same again, or the run's fault. */

import type { CoreFailure, CoreFailureKind } from "../core/core-failure.js";
import type { CallName } from "../events/events.js";

/**
 * Attempts before a call counts as failed. A busy core costs one only where others got through and
 * it didn't say how long to wait; one that nobody reaches costs none (see outage.ts).
 */
const MOST_ATTEMPTS: Partial<Readonly<Record<CoreFailureKind, number>>> = {
  unreachable: 6,
  busy: 20,
  broken: 3,
};

/**
 * Calls that may be made again although they may have taken effect: a second code just lets the
 * first one expire, an update sets absolute values, an import its own hash, a mapping its own pair.
 * A code is consumed once; after that only a new code can go on.
 */
const REPEATABLE: Readonly<Record<CallName, boolean>> = {
  code: true,
  consume: false,
  update: true,
  import: true,
  lookup: true,
  map: true,
};

/** Attempts that a failure of this kind allows in all; 0 where none may follow. */
export function mostAttempts({ kind }: CoreFailure): number {
  return MOST_ATTEMPTS[kind] ?? 0;
}

/** False where the call's code may be used up, so that the user starts again at a new one. */
export function mayRepeat(name: CallName, { reached }: CoreFailure): boolean {
  return REPEATABLE[name] || reached === "no";
}
