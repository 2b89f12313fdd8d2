/** Rejects, skips and failures grouped by code: a million of them still fit one screen. Pure. */

import type { RowEvent, RowRef } from "../migration/events.js";

/** Rows kept of each group as examples. */
const EXAMPLES = 3;

/** All events of one code. */
export interface RefusalGroup {
  readonly type: RowEvent["type"];
  readonly code: string;
  /** The first event's hint. */
  readonly hint: string;
  readonly count: number;
  readonly examples: readonly RowRef[];
}

export interface RefusalGroups {
  add(event: RowEvent): void;
  /** Failures first, then rejects, then skips; the largest group of each first. */
  list(): RefusalGroup[];
}

const ORDER = { failure: 0, reject: 1, skip: 2 } as const;

export function createRefusalGroups(): RefusalGroups {
  const groups = new Map<string, { event: RowEvent; count: number; examples: RowRef[] }>();
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
