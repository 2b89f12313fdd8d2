/** The retry budget: repeated calls are a bounded share of all calls, so that retries never multiply an outage. A call over the budget waits; none fails for it. Pure. */

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
