/** Where the users of a whole migration stand, in the few numbers of a first sentence. The summary, `status`, `report` and its page have them from here, so that one number can't be two. Pure. */

import type { Cut, Standings, StillThere } from "../events/standing.js";
import { sum } from "./text.js";

/** Where users stand; `users` is the sum of `there`, `skipped`, `rejected`, `failed` and `open`. */
export interface Standing {
  /** All that are known; each row that wasn't read counts as one. */
  readonly users: number;
  readonly there: number;
  readonly skipped: number;
  readonly rejected: number;
  readonly failed: number;
  /** Without an outcome. */
  readonly open: number;
  /** Those of `open` whose rows weren't read; null where there are more, and nobody knows how many. */
  readonly unread: number | null;
  readonly stillThere: StillThere;
  /** Rows that no user stands for. */
  readonly beside: Readonly<Record<"skipped" | "rejected" | "failed", number>>;
  readonly cut: Cut | null;
}

export function standingOf(of: Standings): Standing {
  const { skipped, rejected, failed, unread, stillThere, cut, otherRows } = of;
  return {
    users: of.users + (unread ?? 0),
    there: of.imported + of.created + of.existed,
    skipped,
    rejected,
    failed,
    open: of.queued + of.pending + of.unknown + (unread ?? 0),
    unread,
    stillThere,
    beside: {
      skipped: sum(otherRows.skips),
      rejected: sum(otherRows.rejects),
      failed: sum(otherRows.failures),
    },
    cut,
  };
}
