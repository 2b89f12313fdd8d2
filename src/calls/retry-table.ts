/** What may be repeated, how often and after how long: the one table of it, the budget that all retries share, and the wait before one. Pure. */

import type { CoreFailure, CoreFailureKind } from "../core/core-failure.js";
import type { CallName } from "../events/events.js";

/**
 * Attempts before a call counts as failed. A busy core costs one only where others got through and
 * it didn't say how long to wait; one that no call reaches costs none (see outage.ts).
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

/** Retries that each call allows for; the scheme and its numbers are Finagle's `RetryBudget`. */
const SHARE = 0.2;
/** Retries a second that are fine however few calls there are. */
const PER_SECOND = 20;
/** The most that is put by. */
const MOST = 100;

interface RetryBudget {
  /** A call was made for the first time. */
  deposit(): void;
  /** Takes a retry out; answers how long to wait for it, in milliseconds. */
  withdraw(now: number): number;
}

/** A full budget. */
export function createRetryBudget(): RetryBudget {
  let balance = MOST;
  let countedAt: number | null = null;
  return {
    deposit() {
      balance = Math.min(MOST, balance + SHARE);
    },
    withdraw(now) {
      const elapsed = countedAt === null ? 0 : Math.max(0, now - countedAt);
      countedAt = now;
      balance = Math.min(MOST, balance + (elapsed / 1000) * PER_SECOND) - 1;
      return balance >= 0 ? 0 : (-balance / PER_SECOND) * 1000;
    },
  };
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
