/** Where the users of a whole migration stand, in the few numbers of a first sentence. The summary, `status`, `report` and its page have them from here, so that one number can't be two. Pure. */

import type { Standings } from "../events/standing.js";
import { sum } from "./text.js";

/** Where users stand; `users` is the sum of `there`, `skipped`, `rejected`, `failed` and `open`. */
export type Standing = ReturnType<typeof standingOf>;

export function standingOf(of: Standings) {
  const { skipped, rejected, failed, unread, stillThere, cut, otherRows } = of;
  return {
    /** All that are known; each row that wasn't read counts as one. */
    users: of.users + (unread ?? 0),
    there: of.imported + of.created + of.existed,
    skipped,
    rejected,
    failed,
    /** Without an outcome. */
    open: of.queued + of.pending + of.unknown + (unread ?? 0),
    /** Those of `open` whose rows weren't read; null where there are more, and nobody knows how many. */
    unread,
    stillThere,
    /** Rows that no user stands for. */
    beside: {
      skipped: sum(otherRows.skips),
      rejected: sum(otherRows.rejects),
      failed: sum(otherRows.failures),
    },
    cut,
  };
}
