/** What is told of users who join at a core behind a URL on the day of their import: foreseen before the first of them is sent, and at the end as it came. */

import type { CoreTarget } from "../core/core.js";
import { optionName } from "../errors/option-name.js";
import type { Finding } from "../events/events.js";
import { type ExampleCounter, finding } from "../events/findings.js";
import type { Policy } from "../plan/policy.js";
import type { Stage } from "../stage/stage.js";
import { NEW_USER } from "../stage/user-findings.js";
import type { BulkSetting } from "./bulk/mode.js";

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
export function foreseeJoined(
  stage: Stage,
  core: CoreTarget,
  policy: Policy,
  setting: BulkSetting | null,
  most = Number.POSITIVE_INFINITY,
): Finding[] {
  if (core.kind !== "remote") return [];
  const { together, leaves, leavesAlways } = NEW_USER;
  const all = stage.newUsers(leaves, most);
  if (setting === null || all.count === 0) return joinedFindings(core, policy, all);
  const always = stage.newUsers(leavesAlways, most);
  const isBulk = stage.newUsers(together, most).count >= setting.least;
  return isBulk
    ? joinedFindings(core, policy, always)
    : joinedFindings(core, policy, all, all.count - always.count);
}
