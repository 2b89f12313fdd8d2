/** What was rejected or failed as JUnit's XML, which CI servers show beside a job. Each such row is a test case; other users have none. */

import type { ReportSource } from "../checkpoint/report-source.js";
import { placeOf } from "../errors/place.js";
import { standingLines, unprovedTexts } from "./headline.js";
import { escaped } from "./html/markup.js";
import { sum } from "./text.js";

/**
 * The lines. They hold no id: a row is named by its file and number.
 *
 * @throws RunError `disk`
 */
export function* reportJunit(source: Pick<ReportSource, "status" | "refused">): Generator<string> {
  const { status } = source;
  const { rejected, failed, otherRows } = status;
  const failures = rejected + sum(otherRows.rejects);
  const errors = failed + sum(otherRows.failures);
  // What nothing has tried is no success, and no failure yet.
  const unproved = unprovedTexts(status).map(
    (text) =>
      `  <testcase classname="unproved" name="${escaped(text)}">\n    <skipped/>\n  </testcase>\n`,
  );
  const [first = "No user was read."] = standingLines(status);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuite name="auth-migrate" tests="${failures + errors + 1 + unproved.length}" failures="${failures}" errors="${errors}" skipped="${unproved.length}">\n`;
  yield `  <testcase classname="auth-migrate" name="${escaped(first)}"/>\n`;
  yield* unproved;
  for (const { type, row, code, hint } of source.refused()) {
    if (type === "skip") continue;
    const element = type === "reject" ? "failure" : "error";
    const [file, says] = [escaped(row.file), escaped(hint)];
    yield `  <testcase classname="${code}" name="${escaped(placeOf(row))}" file="${file}"${row.line === undefined ? "" : ` line="${row.line}"`}>\n`;
    yield `    <${element} type="${code}" message="${says}"/>\n  </testcase>\n`;
  }
  yield "</testsuite>\n";
}
