/** What a run says of users who would count as active at the core. */

import type { CoreTarget } from "../core/core.js";
import type { Finding } from "../events/events.js";
import { finding } from "../events/findings.js";

/** Fewer of them matter to no bill and no graph. */
const FEWEST = 1000;

/**
 * The public counterpart counts each user who consumes a code as active in that month; a user whose
 * hash is imported it doesn't count. Our own core counts none.
 *
 * @param core what is known of it by now
 * @param users whom the run brings by a code
 * @param detail how the number is known; by default exactly
 */
export function activeUsers(core: CoreTarget, users: number, detail = ""): Finding[] {
  const counts = core.kind === "remote" && core.dialect === "supertokens";
  if (!counts || users < FEWEST) return [];
  return [finding("active_users", { count: users, rows: [] }, detail)];
}

/** Before the bulk nothing was looked up yet. */
export const BEFORE_LOOKUPS =
  "At most so many: users who are at the core already aren't signed in.";
