/** What is told of users who join at a core behind a URL on the day of their import: foreseen before the first of them is sent, and at the end as it came. */

import { setImmediate as turn } from "node:timers/promises";
import type { CoreTarget } from "../core/core.js";
import { optionName } from "../errors/option-name.js";
import type { Finding } from "../events/events.js";
import {
  countExample,
  type ExampleCounter,
  finding,
  newExampleCounter,
} from "../events/findings.js";
import { bringsDay, JOINED_LEFT } from "../plan/joining.js";
import { isRefusal } from "../plan/plan.js";
import type { Policy } from "../plan/policy.js";
import type { Input } from "../source/inputs.js";
import type { Stage } from "../stage/stage.js";
import type { BulkSetting } from "./bulk/mode.js";
import { mayQueueNew } from "./bulk/queued-account.js";

/**
 * @param left whose day stays behind
 * @param byBulk how many of them the core's queue would keep it of, and they are too few for it
 */
export function joinedFindings(
  core: CoreTarget,
  { carry }: Policy,
  left: ExampleCounter,
  byBulk = 0,
): Finding[] {
  const isUnwanted = carry?.includes("joined") === false;
  if (core.kind !== "remote" || isUnwanted || left.count === 0) return [];
  const whose = byBulk === left.count ? "each" : byBulk.toLocaleString("en-US");
  const detail = `${optionName("--bulk")} always keeps the sign-up day of ${whose} of them.`;
  return [finding("joined_not_migrated", left, byBulk === 0 ? "" : detail)];
}

/**
 * The same of users who are yet to be brought, before the core is asked who is there already.
 *
 * @param most how many users the run may send
 * @throws RunError `disk`
 */
export async function foreseeJoined(
  stage: Stage,
  inputs: readonly Input[],
  core: CoreTarget,
  policy: Policy,
  {
    setting,
    most = Number.POSITIVE_INFINITY,
  }: { setting: BulkSetting | null; most?: number | undefined },
): Promise<Finding[]> {
  if (core.kind !== "remote") return [];
  const [all, alone] = [newExampleCounter(), newExampleCounter()];
  let [users, together] = [0, 0];
  for (const batch of stage.unbrought(inputs)) {
    if (users === most) break;
    await turn();
    for (const { user } of batch) {
      if (user === null || isRefusal(user.plan) || users === most) continue;
      const { plan, keys } = user;
      const isTogether = setting !== null && mayQueueNew(plan);
      users += 1;
      if (isTogether) together += 1;
      const isLeft = plan.notices.includes(JOINED_LEFT);
      if (isLeft || bringsDay(plan)) countExample(all, keys.row);
      if (isLeft || (bringsDay(plan) && !isTogether)) countExample(alone, keys.row);
    }
  }
  if (setting !== null && together >= setting.least) return joinedFindings(core, policy, alone);
  return joinedFindings(core, policy, all, all.count - alone.count);
}
