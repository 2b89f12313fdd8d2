/** Counts how often something was seen and keeps a few rows, for a finding. */

import type { RowRef } from "./events.js";

/** Rows kept as examples. */
const EXAMPLES = 3;

export interface Sighting {
  count: number;
  readonly rows: RowRef[];
}

export function newSighting(): Sighting {
  return { count: 0, rows: [] };
}

/** Counts one more. */
export function sight(sighting: Sighting, row: RowRef): void {
  sighting.count += 1;
  if (sighting.rows.length < EXAMPLES) sighting.rows.push(row);
}

/** All of them as one; the first ones' rows are the examples. */
export function joined(sightings: readonly Sighting[]): Sighting {
  return {
    count: sightings.reduce((sum, { count }) => sum + count, 0),
    rows: sightings.flatMap(({ rows }) => rows).slice(0, EXAMPLES),
  };
}

/** The sighting of `key`, new where there is none yet. */
export function sightingOf<K>(sightings: Map<K, Sighting>, key: K): Sighting {
  const known = sightings.get(key);
  if (known !== undefined) return known;
  const made = newSighting();
  sightings.set(key, made);
  return made;
}
