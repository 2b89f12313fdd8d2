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
 */
export function activeUsers(core: CoreTarget, users: number): Finding[] {
  const counts = core.kind === "remote" && core.dialect === "supertokens";
  return counts && users >= FEWEST ? [finding("active_users", { count: users, rows: [] })] : [];
}
