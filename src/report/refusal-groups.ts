/** Rejects, skips, failures and differences grouped by code: a million of them still fit one screen. Pure. */

import type { RowEvent, RowRef } from "../migration/events.js";
import type { DifferenceEvent } from "../migration/reconcile/compare-all.js";

/** Rows kept of each group as examples. */
const EXAMPLES = 3;

/** What is told of one row. */
type Told = RowEvent | DifferenceEvent;

/** All events of one code. */
export interface RefusalGroup {
  readonly type: Told["type"];
  readonly code: string;
  /** The first event's hint. */
  readonly hint: string;
  readonly count: number;
  readonly examples: readonly RowRef[];
}

export interface RefusalGroups {
  add(event: Told): void;
  /** Failures first, then differences, rejects and skips; the largest group of each first. */
  list(): RefusalGroup[];
}

const ORDER = { failure: 0, difference: 1, reject: 2, skip: 3 } as const;

export function createRefusalGroups(): RefusalGroups {
  const groups = new Map<string, { event: Told; count: number; examples: RowRef[] }>();
  return {
    add(event) {
      const key = `${event.type} ${event.code}`;
      const group = groups.get(key);
      if (group === undefined) {
        groups.set(key, { event, count: 1, examples: [event.row] });
        return;
      }
      group.count += 1;
      if (group.examples.length < EXAMPLES) group.examples.push(event.row);
    },
    list: () =>
      [...groups.values()]
        .map(({ event: { type, code, hint }, count, examples }) => ({
          type,
          code,
          hint,
          count,
          examples,
        }))
        .sort((a, b) => ORDER[a.type] - ORDER[b.type] || b.count - a.count),
  };
}
