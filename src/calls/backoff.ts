/** How long to wait before trying again: full jitter, so that those who failed together don't come back together. Pure. */

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
