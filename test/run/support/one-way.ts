/** Whether all that tells where a migration's users stand says the same of it. */

import { expect } from "vitest";
import { openReport } from "../../../src/checkpoint/report-source.js";
import { readStatus } from "../../../src/checkpoint/status.js";
import {
  importRows,
  rowsOfImport,
  type Standing,
  standingOf,
} from "../../../src/report/results.js";
import type { ImportSummary } from "../../../src/events/summary.js";
import { firstLines } from "../../../src/report/headline.js";
import { PLAIN_LAYOUT } from "../../../src/report/layout.js";
import { makeReport, reportJson } from "../../../src/report/report.js";
import { reportHtml } from "../../../src/report/report-html.js";
import { reportMarkdown } from "../../../src/report/report-markdown.js";
import { reportText } from "../../../src/report/report-text.js";
import { statusText } from "../../../src/report/status-text.js";
import { summaryText } from "../../../src/report/summary-text.js";

const SETTING = { layout: PLAIN_LAYOUT, below: 0, more: [] };

/** The summary's numbers are those of `status`, `report` and its page, and add up. */
export function expectOneWay(summary: ImportSummary): Standing {
  const { checkpoint } = summary;
  const standing = standingOf(summary.standing);
  const { users, there, skipped, rejected, failed, written, queued, open } = standing;
  expect(there + skipped + rejected + failed + written + queued + open).toBe(users);
  const ends = importRows(summary).filter(([, , meaning]) => !meaning.startsWith("of those"));
  expect(ends.reduce((all, [, rows]) => all + rows, 0)).toBe(rowsOfImport(summary));
  const source = openReport(checkpoint);
  try {
    const status = readStatus(checkpoint);
    const report = makeReport(source);
    expect(standingOf(status)).toEqual(standing);
    expect(standingOf(reportJson(report))).toEqual(standing);
    const [first = ""] = firstLines(summary.standing);
    const told = { groups: [], findings: [] };
    const texts = [summaryText(summary, told, SETTING), statusText(status), reportText(report)];
    for (const lines of texts) expect(lines.join(" ").startsWith(first)).toBe(true);
    const [, ...kept] = texts;
    for (const lines of kept) {
      const text = lines.map((line) => line.trim()).join(" ");
      expect(text.includes("reads back whom the core's queue was given")).toBe(
        written + queued > 0,
      );
    }
    // The page and the table's name escape a few signs, which a first sentence about users has none of.
    const page = reportHtml(report).replaceAll(/<span class="option">(.*?)<\/span>/g, "$1");
    if (users > 0) expect(page).toContain(first);
    // Markdown escapes a few signs.
    const markdown = reportMarkdown(report)
      .join(" ")
      .replace(/&#(\d+);/g, (_all, point) => String.fromCodePoint(Number(point)));
    expect(markdown).toContain(`**${first}**`);
  } finally {
    source.close();
  }
  return standing;
}
