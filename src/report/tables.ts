/** A report's numbers as tables, which the page and Markdown show alike: a column stands here once. Pure. */

import type { RunRecord } from "../events/run-record.js";
import { noticeHint } from "./notice-hints.js";
import { mostFirst } from "./layout.js";
import { examplesText, GROUP_TITLES } from "./refusal-groups.js";
import type { Report } from "./report.js";
import { shownFlaws } from "./shards-text.js";
import { callTable, durationOf, endingText, momentOf, outcomeTable } from "./status-text.js";
import { sum } from "./text.js";
import { clockText, latestThroughput } from "./throughput.js";

/** A table without rows isn't shown. */
export interface ReportTable<Row extends readonly (string | number)[]> {
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
  // Those that have an outcome, as where the latest run stands.
  Rows: ({ outcomes }) => sum(outcomes),
  Sent: ({ outcomes }) => outcomes.imported + outcomes.created,
  Rejected: ({ outcomes }) => outcomes.rejected,
  Failed: ({ outcomes }) => outcomes.failed,
  Retries: ({ retries }) => retries,
  Ended: endingText,
};

const isCounted = ([, number]: readonly [string, number, string]): boolean => number > 0;

/** In the order in which they are worth reading. */
export function tablesOf(report: Report) {
  const { status, shards, groups, notices, hashes, findings, runs } = report;
  const latest = latestThroughput(runs);
  return {
    outcomes: table("Outcomes", "Outcome|Users|Meaning", outcomeTable(status).filter(isCounted)),
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
      mostFirst(notices).map(([code, users]) => [code, users, noticeHint(code)] as const),
    ),
    hashes: table(
      "Hashes by algorithm and cost",
      "Algorithm|Cost|Characters|Hashes",
      hashes.map(({ algorithm, cost, length, count }) => {
        return [algorithm, cost, String(length ?? ""), count] as const;
      }),
    ),
    findings: table(
      "Findings of the latest run",
      "Code|Rows|What it means",
      findings.map(({ code, count, hint }) => [code, count, hint] as const),
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
      "From|Rows a second|Paused",
      (latest?.stretches ?? []).map(({ fromMs, perSecond, paused }) => {
        return [clockText(fromMs), Math.round(perSecond), paused ? "paused" : ""] as const;
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
