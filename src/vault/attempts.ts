/** How often a password may be guessed: ten times in any quarter of an hour, for each email alike. */

import type { Database } from "../sqlite/database.js";

const MOST = 10;
const WINDOW_MS = 15 * 60 * 1000;

/**
 * Takes an attempt, inside a transaction.
 *
 * @param now in epoch milliseconds
 * @returns null, or in how many milliseconds the next one is free
 */
export function takeAttempt(database: Database, digest: Buffer, now: number): number | null {
  const since = now - WINDOW_MS;
  // Times far ahead are of a clock that was set back: they would lock the user out until it is there again.
  database.prepare("DELETE FROM attempt WHERE last <= ? OR last > ?").run(since, now + WINDOW_MS);
  const [row] = database
    .prepare<[string]>("SELECT times FROM attempt WHERE digest = ?")
    .all(digest);
  const before: readonly number[] = row === undefined ? [] : JSON.parse(row[0]);
  const times = before.filter((time) => time > since);
  const [oldest] = times;
  if (oldest !== undefined && times.length >= MOST) return oldest - since;
  database
    .prepare("INSERT OR REPLACE INTO attempt (digest, times, last) VALUES (?, ?, ?)")
    .run(digest, JSON.stringify([...times, now]), now);
  return null;
}
