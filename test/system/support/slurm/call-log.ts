/** What a limiter noted of the calls to a core: who passed when, and for whom users were made. */

import { readFileSync } from "node:fs";

const WINDOW_MS = 1000;

/** A line of the limiter's log. */
interface Call {
  /** When it came, in milliseconds. */
  readonly at: number;
  readonly passed: boolean;
  /** Of a call that made a user or found them made: their first contact. */
  readonly subject?: string;
  readonly made?: boolean;
}

export interface CallLog {
  readonly passed: number;
  readonly refused: number;
  /** The most that passed within a second, wherever it begins. */
  readonly mostInASecond: number;
  /** Whom the core made, each as often as it did. */
  readonly made: readonly string[];
  /** Who was sent again after the core had said that they are there. */
  readonly sentAgain: readonly string[];
}

/** Reads the log of a limiter that has come to rest. */
export function readCallLog(file: string): CallLog {
  const calls: readonly Call[] = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  // Noted when it was answered.
  const times = calls.flatMap(({ at, passed }) => (passed ? [at] : [])).sort((a, b) => a - b);
  const made: string[] = [];
  const sentAgain: string[] = [];
  const known = new Set<string>();
  for (const { subject, made: isNew } of calls) {
    if (subject === undefined) continue;
    if (isNew) made.push(subject);
    if (known.has(subject)) sentAgain.push(subject);
    known.add(subject);
  }
  return {
    passed: times.length,
    refused: calls.length - times.length,
    mostInASecond: mostWithin(times),
    made,
    sentAgain,
  };
}

/** @param times in order */
function mostWithin(times: readonly number[]): number {
  let most = 0;
  let first = 0;
  for (const [last, time] of times.entries()) {
    while (time - (times[first] ?? time) >= WINDOW_MS) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
