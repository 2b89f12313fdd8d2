/** What may be repeated, how often and after how long: the one table of it, and the wait before a retry. Pure. */

import type { CoreFailure, CoreFailureKind } from "../core/core-failure.js";
import type { CallName } from "../events/events.js";

/**
 * Attempts before a call counts as failed. A refusal by a busy core is an attempt only where other
 * calls got through and the core didn't say how long to wait. While no call reaches the core, none
 * is counted (see outage.ts).
 */
const MOST_ATTEMPTS: Partial<Readonly<Record<CoreFailureKind, number>>> = {
  unreachable: 6,
  busy: 20,
  broken: 3,
};

/**
 * Calls that may be made again although they may have taken effect. Each sets the same again: an update
 * its values, an import its hash, a mapping its pair, a part what it is to be. A second code lets the
 * first one expire. A code is consumed once; after that only a new code can go on.
 */
const REPEATABLE: Readonly<Record<CallName, boolean>> = {
  code: true,
  consume: false,
  update: true,
  import: true,
  lookup: true,
  map: true,
  part: true,
};

/** Attempts that a failure of this kind allows in all; 0 where none may follow. */
export function mostAttempts({ kind }: CoreFailure): number {
  return MOST_ATTEMPTS[kind] ?? 0;
}

/** Whether the next attempt is the last. */
export function isLast(attempts: number, failure: CoreFailure): boolean {
  return attempts === mostAttempts(failure) - 1;
}

/** False where the call's code may be used up, so that the user starts again at a new one. */
export function mayRepeat(name: CallName, { reached }: CoreFailure): boolean {
  return REPEATABLE[name] || reached === "no";
}

/**
 * Whether a call that failed so may have taken effect: a 500 may have come after the commit, and a
 * proxy answers 503 where the core goes away before its answer (Envoy's response flag UC). Who says
 * how long to wait has refused the call.
 */
export function mayHaveWorked({ reached, kind, status, retryAfterMs }: CoreFailure): boolean {
  const isByProxy = status === 503 && retryAfterMs === undefined;
  return reached === "unknown" || kind === "broken" || isByProxy;
}

/** How long the core asks a call to wait, in milliseconds; 0 where it doesn't say, or means "at once". */
export function askedToWait({ retryAfterMs = 0 }: CoreFailure): number {
  return retryAfterMs;
}

const BASE_MS = 200;
const MOST_MS = 10_000;

/**
 * Any time from 0 up to a ceiling that doubles with every failure, in milliseconds ("Exponential
 * Backoff and Jitter", AWS Architecture Blog, 2015).
 *
 * @param failures 1 after the first failure
 * @param random from 0 to below 1
 */
export function fullJitter(failures: number, random: number): number {
  return random * Math.min(MOST_MS, BASE_MS * 2 ** failures);
}
