/** What a dry run that asked a core says of the import: how it would end, and how sure that is. */

import type { Prediction, ValidateSummary } from "../events/summary.js";
import type { Issues } from "./issues-text.js";
import { fitted, type Layout, mostFirst, tableLines } from "./layout.js";
import { grouped, sum } from "./text.js";

/** Users at whom the import would stop. */
export function stopsOf({ prediction }: Pick<ValidateSummary, "prediction">): number {
  return sum(prediction?.stops ?? {});
}

export const WOULD_BRIDGE =
  "would be imported, and keep their password by the bridge, at the first sign-in";

/** @param algorithms those of the users' hashes, as they are listed */
export function predictionLines(
  prediction: Prediction,
  { mapped, bridged, skips }: Pick<ValidateSummary, "mapped" | "bridged" | "skips">,
  algorithms: string,
  layout: Layout,
): string[] {
  const { outcomes, unasked } = prediction;
  const { imported, created, existed, unchanged, skipped, rejected, failed } = outcomes;
  const stops = stopsOf({ prediction });
  const table: [string, number, string][] = [
    ["imported", imported - bridged, `would be imported with their password (${algorithms})`],
    ["bridged", bridged, WOULD_BRIDGE],
    ["created", created, "would be created without a password"],
    ["existed", existed, "are at the core already and would be left as they are"],
    ["unchanged", unchanged, "were finished by an earlier run"],
    ["skipped", skipped, `would be left out on purpose${skipsText({ skips })}`],
    ["rejected", rejected, "can't be migrated as they are"],
    ["failed", failed, "couldn't be looked up; running again tries them again"],
    ["stop", stops, "are at the core already: the import would stop at the first"],
    ["not asked", unasked, "weren't looked up: what becomes of them isn't known"],
    ["ids kept", mapped, "of those brought would get the vendor's id"],
  ];
  return tableLines(table, layout);
}

/** " (disabled 5, sso_only 2)". */
export function skipsText({ skips }: Pick<ValidateSummary, "skips">): string {
  const entries = mostFirst(skips).map(counted);
  return entries.length === 0 ? "" : ` (${entries.join(", ")})`;
}

/** "bcrypt 1,200". */
export function counted([name, number]: readonly [string, number]): string {
  return `${name} ${grouped(number)}`;
}

/** What shows whether anything of an import is left unknown. */
type Known = Pick<ValidateSummary, "prediction" | "interrupted" | "limited" | "truncated">;

/** Whether rows are left that weren't read. */
function isCut({ interrupted, limited, truncated }: Known): boolean {
  return interrupted || limited || truncated.length > 0;
}

/** Whether an import would end as predicted for every row, as long as nothing changes at the core. */
export function isCertain(summary: Known, { findings }: Pick<Issues, "findings">): boolean {
  const { unasked, outcomes } = summary.prediction ?? { unasked: 0, outcomes: { failed: 0 } };
  const isOpen = unasked + outcomes.failed > 0;
  return !isOpen && !isCut(summary) && !findings.some(({ code }) => code === "factors_untried");
}

/** How far the core was asked. */
export function certaintyLines(
  { lookedUp, unasked }: Prediction,
  summary: Known,
  issues: Pick<Issues, "findings">,
  layout: Layout,
): string[] {
  const all = grouped(lookedUp + unasked);
  const some = `${grouped(lookedUp)} of ${all} users were looked up, evenly spread over the rows: the others are likely to end in the same shares, and --check-existing ${lookedUp + unasked} looks all of them up.`;
  const none = "No user was looked up: this says nothing of users who are at the core already.";
  const every =
    "Every user was looked up: as long as nothing changes at the core, an import ends so for every row.";
  const most = isCut(summary)
    ? "Every user who was read was looked up. The other rows aren't known."
    : "Every user was looked up. What the findings and failures name is still open.";
  const whole = isCertain(summary, issues) ? every : most;
  const text = unasked === 0 ? whole : lookedUp === 0 ? none : some;
  return ["", ...fitted(text, layout.columns)];
}
