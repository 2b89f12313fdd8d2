/** How often a password may be guessed: ten times in any quarter of an hour, for each email alike. */

import type { Database } from "../sqlite/database.js";

const MOST = 10;
const WINDOW_MS = 15 * 60 * 1000;
const TIME_BYTES = 8;

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
    .prepare<[Buffer]>("SELECT times FROM attempt WHERE digest = ?")
    .all(digest);
  const times = (row === undefined ? [] : timesIn(row[0])).filter((time) => time > since);
  const [oldest] = times;
  if (oldest !== undefined && times.length >= MOST) return oldest - since;
  const blob = toBlob([...times, now]);
  database
    .prepare(
      "INSERT INTO attempt (digest, times, last) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET times = ?, last = ?",
    )
    .run(digest, blob, now, blob, now);
  return null;
}

function timesIn(blob: Buffer): number[] {
  return Array.from({ length: blob.length / TIME_BYTES }, (_, index) =>
    Number(blob.readBigInt64BE(index * TIME_BYTES)),
  );
}

function toBlob(times: readonly number[]): Buffer {
  const blob = Buffer.alloc(times.length * TIME_BYTES);
  for (const [index, time] of times.entries()) {
    blob.writeBigInt64BE(BigInt(time), index * TIME_BYTES);
  }
  return blob;
}
