/** Every row that was rejected, skipped or failed as CSV, line by line: memory stays flat. It is made for people: cells that a spreadsheet would run are escaped. */

import type { RowEvent } from "../events/events.js";
import type { ReportSource } from "../checkpoint/report-source.js";
import { csvLine, safeCell } from "./csv.js";

const OUTCOMES: Readonly<Record<RowEvent["type"], string>> = {
  reject: "rejected",
  skip: "skipped",
  failure: "failed",
};

/**
 * The lines, a header first. Vendor's ids stand in them, but for those that look like a contact.
 *
 * @throws RunError `disk`
 */
export function* reportCsv(source: Pick<ReportSource, "refused">): Generator<string> {
  yield csvLine(["file", "row", "vendor_id", "outcome", "code", "hint"]);
  for (const { type, row, sourceId, code, hint } of source.refused()) {
    const { file, number } = row;
    const cells = [file, String(number), sourceId ?? "", OUTCOMES[type], code, hint];
    yield csvLine(cells.map(safeCell));
  }
}
