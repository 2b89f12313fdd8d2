/** A report's numbers as tables, which the page and Markdown show alike: a column stands here once. Pure. */

import type { RunRecord } from "../events/run-record.js";
import { noticeItems } from "./notice-hints.js";
import { examplesText, GROUP_TITLES, rowList } from "./refusal-groups.js";
import type { Report } from "./report.js";
import { shownFlaws } from "./shards-text.js";
import { type ResultRow, statusRows } from "./results.js";
import { callTable, endingText, isKilled, momentOf } from "./status-text.js";
import { durationOf } from "./text.js";
import { clockText, latestThroughput } from "./throughput.js";

/** A table without rows isn't shown. */
export interface ReportTable<
  Row extends readonly (string | number)[] = readonly (string | number)[],
> {
  readonly title: string;
  readonly header: readonly string[];
  readonly rows: readonly Row[];
}

/** Runs that are listed, the latest ones. */
const MOST_RUNS = 50;

/** The columns of the runs. A new one is a row here. */
const RUN_COLUMNS: Readonly<Record<string, (run: RunRecord, report: Report) => string | number>> = {
  Run: ({ number }) => number,
  Begun: ({ begunAt }) => momentOf(begunAt),
  Took: ({ elapsedMs }) => durationOf(elapsedMs),
  // Those without an outcome as well, as the summary counts them.
  Rows: (run, report) => (isKilled(run, report) ? run.read : (run.total ?? run.read)),
  Sent: ({ outcomes }) => outcomes.imported + outcomes.created,
  Rejected: ({ outcomes }) => outcomes.rejected,
  Failed: ({ outcomes }) => outcomes.failed,
  Retries: ({ retries }) => retries,
  Ended: endingText,
};

const isCounted = ([, number]: ResultRow): boolean => number > 0;

/** In the order in which they are worth reading. */
export function tablesOf(report: Report) {
  const { status, shards, groups, notices, findings, runs } = report;
  const latest = latestThroughput(runs);
  return {
    outcomes: table("Outcomes", "Outcome|Users|Meaning", statusRows(status).filter(isCounted)),
    flaws: table(
      "Shards",
      "Code|What to do",
      shards === null ? [] : shownFlaws(shards).shown.map(({ code, message }) => [code, message]),
    ),
    groups: table(
      "Rejected, skipped and failed rows",
      "Outcome|Code|Rows|Examples|What to do",
      groups.map((group) => {
        const { type, code, count, hint } = group;
        return [GROUP_TITLES[type], code, count, examplesText(group), hint] as const;
      }),
    ),
    notices: table(
      "Notices",
      "Code|Users|What to do",
      noticeItems(notices, findings).map(({ code, count, hint }) => [code, count, hint] as const),
    ),
    findings: table(
      "Findings",
      "Code|Rows|Examples|What it means",
      findings.map((finding) => {
        const { code, count, hint } = finding;
        return [code, count, rowList(finding.rows, count), hint] as const;
      }),
    ),
    runs: table(
      "Runs",
      Object.keys(RUN_COLUMNS).join("|"),
      runs.slice(-MOST_RUNS).map((run) => {
        return Object.values(RUN_COLUMNS).map((cell) => cell(run, report));
      }),
    ),
    throughput: table(
      `Rows a second in run ${latest?.number}`,
      "From|Paused|Rows a second",
      (latest?.stretches ?? []).map(({ fromMs, perSecond, paused }) => {
        return [clockText(fromMs), paused ? "paused" : "", Math.round(perSecond)] as const;
      }),
    ),
    calls: table(
      "Calls, retries and pauses",
      "Call|Times|Meaning",
      callTable(report).filter(isCounted),
    ),
  };
}

function table<Row extends readonly (string | number)[]>(
  title: string,
  header: string,
  rows: readonly Row[],
): ReportTable<Row> {
  return { title, header: header.split("|"), rows };
}
