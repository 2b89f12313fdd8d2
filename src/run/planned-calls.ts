/** The calls that a plan comes to at an empty core: an estimate for a dry run, which makes none. Pure. */

import type { CallCounts } from "../events/tally.js";
import { isRefusal, type Plan } from "../plan/plan.js";
import type { Policy } from "../plan/policy.js";
import { wantsLookups } from "./preflight.js";

/** Adds one user's calls: interface.md 4.4, or 4.1, 4.2 and for a second contact 4.3. */
export function addCalls(calls: CallCounts, plan: Plan, policy: Policy): void {
  if (isRefusal(plan)) return;
  const looksUp = wantsLookups(policy);
  if (plan.keepId !== null) calls.map += 1;
  if (plan.kind === "import") {
    calls.import += 1;
    if (looksUp) calls.lookup += 1;
    return;
  }
  const contacts = plan.email !== null && plan.phone !== null ? 2 : 1;
  calls.code += 1;
  calls.consume += 1;
  calls.update += contacts - 1;
  if (looksUp) calls.lookup += contacts;
}
