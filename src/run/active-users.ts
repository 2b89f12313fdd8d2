/** What a run says of users who would count as active at the core. */

import type { CoreTarget } from "../core/core.js";
import type { Finding } from "../events/events.js";
import { finding } from "../events/findings.js";

/** Fewer of them matter to no bill and no graph. */
const FEWEST = 1000;

/**
 * SuperTokens counts each user who consumes a code or signs up by a social account as
 * active in that month; a user whose hash is imported, or who goes by its queue, it doesn't count.
 * Our own core counts none.
 *
 * @param core what is known of it by now
 * @param users whom the run signs in to bring them
 * @param passQueue the others go by the core's queue, so that what these cost is told of few as well
 */
export function activeUsers(
  core: CoreTarget,
  { users, passQueue }: { readonly users: number; readonly passQueue: boolean },
): Finding[] {
  const counts = core.kind === "remote" && core.dialect === "supertokens";
  if (!counts || users < (passQueue ? 1 : FEWEST)) return [];
  return [finding("active_users", { count: users, rows: [] }, passQueue ? PAST_THE_QUEUE : "")];
}

const PAST_THE_QUEUE =
  "The core's queue isn't used for them, since they sign in by a social account or have a null inside their metadata: each takes calls of their own, up to seven, and the day of joining isn't set.";
