/** Counts that begin at 0. */

import type { CallName, Outcome } from "./events.js";

/** How often each call is to be made. */
export type CallCounts = Record<CallName, number>;

/** No calls. */
export function noCalls(): CallCounts {
  return { code: 0, consume: 0, update: 0, import: 0, lookup: 0, map: 0 };
}

/** No user with any outcome. */
export function noOutcomes(): Record<Outcome, number> {
  return {
    imported: 0,
    created: 0,
    existed: 0,
    skipped: 0,
    rejected: 0,
    failed: 0,
    unchanged: 0,
  };
}
