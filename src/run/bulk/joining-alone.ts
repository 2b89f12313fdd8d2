/** Whom an import would let join on its own day, told before anything is sent. */

import { setImmediate as turn } from "node:timers/promises";
import type { Finding } from "../../events/events.js";
import { countExample, finding, newExampleCounter } from "../../events/findings.js";
import { isRefusal } from "../../plan/plan.js";
import type { StagedRow } from "../../stage/staged-row.js";
import type { BulkSetting } from "./mode.js";
import { mayQueueNew } from "./queued-account.js";

/**
 * Counts new users whom the core's queue would take, until there are enough for it.
 *
 * @param most how many users the run may send
 * @returns where they are too few and go by calls of their own, those with a day of joining
 * @throws RunError `disk`
 */
export async function joiningAlone(
  batches: Iterable<readonly StagedRow[]>,
  { least }: BulkSetting,
  most = Number.POSITIVE_INFINITY,
): Promise<Finding[]> {
  const joining = newExampleCounter();
  let users = 0;
  for (const rows of batches) {
    if (users === most) break;
    await turn();
    for (const { user, among } of rows) {
      if (user === null || isRefusal(user.plan) || !mayQueueNew(user.plan)) continue;
      // The run that first had a user has told it, and a row that loses its contact brings none.
      const isNoneNew = (among?.user ?? among?.duplicate ?? among?.loss ?? null) !== null;
      if (isNoneNew || users === most) continue;
      users += 1;
      if (users >= least) return [];
      if ((user.plan.account?.joined ?? null) !== null) countExample(joining, user.keys.row);
    }
  }
  return joining.count === 0 ? [] : [finding("joined_not_migrated", joining)];
}
