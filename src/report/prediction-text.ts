/** What a dry run that asked a core says of the import: how it would end, and how sure that is. */

import type { Prediction, ValidateSummary } from "../events/summary.js";
import type { Issues } from "./issues-text.js";
import { grouped, sum } from "./text.js";

/** Users at whom the import would stop. */
export function stopsOf({ prediction }: Pick<ValidateSummary, "prediction">): number {
  return sum(prediction?.stops ?? {});
}

/** What shows whether anything of an import is left unknown. */
type Known = Pick<ValidateSummary, "prediction" | "interrupted" | "limited" | "truncated">;

/** Whether rows are left that nothing was asked of. */
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
export function certaintyText(
  { lookedUp, unasked }: Prediction,
  summary: Known,
  issues: Pick<Issues, "findings">,
): string {
  const all = grouped(lookedUp + unasked);
  const were = lookedUp === 1 ? "was" : "were";
  const some = `${grouped(lookedUp)} of ${all} users ${were} looked up, evenly spread over the rows: the others are likely to end in the same shares, and --check-existing ${lookedUp + unasked} looks all of them up.`;
  const none = "No user was looked up: this says nothing of users who are at the core already.";
  const every =
    "Every user was looked up: as long as nothing changes at the core, an import ends so for every row.";
  const most = isCut(summary)
    ? "Every user who was read was looked up. The other rows aren't known."
    : "Every user was looked up. What the findings and failures name is still open.";
  const whole = isCertain(summary, issues) ? every : most;
  return unasked === 0 ? whole : lookedUp === 0 ? none : some;
}
