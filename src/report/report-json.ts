/** The report as one JSON object. Pure. */

import type { Report } from "./report.js";

/** A report in the shape of the machine output; docs/json.md has its fields. */
export interface ReportEvent
  extends Omit<Report, "status">,
    Readonly<Omit<Report["status"], "rejects" | "skips" | "failures">> {
  readonly type: "report";
}

/** The codes of the status are in `groups`, with the rows beside that have no user of their own. */
export function reportJson({ status, ...report }: Report): ReportEvent {
  const { rejects: _rejects, skips: _skips, failures: _failures, ...standing } = status;
  return { type: "report", ...standing, ...report };
}
