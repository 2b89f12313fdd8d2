/** Counts how often something was seen and keeps a few rows, for a finding. */

import type { RowRef } from "./events.js";

/** Rows kept as examples. */
const EXAMPLES = 3;

export interface ExampleCounter {
  count: number;
  readonly rows: RowRef[];
}

export function newExampleCounter(): ExampleCounter {
  return { count: 0, rows: [] };
}

/** Counts one more. */
export function countExample(counter: ExampleCounter, row: RowRef): void {
  counter.count += 1;
  if (counter.rows.length < EXAMPLES) counter.rows.push(row);
}

/** All of them as one; the first ones' rows are the examples. */
export function joined(counters: readonly ExampleCounter[]): ExampleCounter {
  return {
    count: counters.reduce((sum, { count }) => sum + count, 0),
    rows: counters.flatMap(({ rows }) => rows).slice(0, EXAMPLES),
  };
}

/** The counter of `key`, new where there is none yet. */
export function counterOf<K>(counters: Map<K, ExampleCounter>, key: K): ExampleCounter {
  const known = counters.get(key);
  if (known !== undefined) return known;
  const made = newExampleCounter();
  counters.set(key, made);
  return made;
}
