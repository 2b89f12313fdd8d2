/** A report's numbers as tables, which the page and Markdown show alike: a column stands here once. Pure. */

import { mostFirst } from "./layout.js";
import { examplesText, GROUP_TITLES } from "./refusal-groups.js";
import type { Report } from "./report.js";
import { shownFlaws } from "./shards-text.js";
import { callTable, durationOf, endingText, momentOf, outcomeTable } from "./status-text.js";
import { clockText, latestThroughput } from "./throughput.js";

/** A table without rows isn't shown. */
export interface ReportTable<Row extends readonly (string | number)[]> {
  readonly title: string;
  readonly header: readonly string[];
  readonly rows: readonly Row[];
}

/** Runs that are listed, the latest ones. */
const MOST_RUNS = 50;

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
    notices: table("Notices", "Code|Users", mostFirst(notices)),
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
      "Run|Begun|Took|Rows|Sent|Rejected|Failed|Retries|Ended",
      runs.slice(-MOST_RUNS).map((run) => {
        const { imported, created, rejected, failed } = run.outcomes;
        const times = [run.number, momentOf(run.begunAt), durationOf(run.elapsedMs)] as const;
        const counts = [run.read, imported + created, rejected, failed, run.retries] as const;
        return [...times, ...counts, endingText(run, report)] as const;
      }),
    ),
    throughput: table(
      `Rows a second in run ${latest?.number}`,
      "From|Rows a second|",
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
