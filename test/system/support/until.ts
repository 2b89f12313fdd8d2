/** Waits for what another process brings about, by looking again and again up to a bound. It never waits for a time alone. */

import { setTimeout as pause } from "node:timers/promises";

export interface UntilOptions {
  /** 120 000 by default: a machine that others use as well takes its time. */
  readonly withinMs?: number;
  /** 400 by default. */
  readonly everyMs?: number;
}

/**
 * Looks until there is something to be seen.
 *
 * @param what is waited for, as the error says it
 * @param look answers null while there is nothing yet
 * @throws Error where the time is over, and whatever `look` throws
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | null> | T | null,
  { withinMs = 120_000, everyMs = 400 }: UntilOptions = {},
): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (seen !== null) return seen;
    if (performance.now() > end)
      throw new Error(`waited ${withinMs / 1000} s in vain until ${what}`);
    await pause(everyMs);
  }
}
