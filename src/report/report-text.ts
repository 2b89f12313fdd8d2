/** The report as text for people, in 80 columns. What matters most comes first. */

import { standingLines } from "./headline.js";
import { hashLines, groupLines } from "./issues-text.js";
import { noticeHint } from "./notice-hints.js";
import { grouped, printable, sum } from "./text.js";
import type { Report } from "./report.js";
import {
  callTable,
  durationOf,
  endingText,
  momentOf,
  pauseLines,
  outcomeTable,
  statusHead,
} from "./status-text.js";
import { shardLines } from "./shards-text.js";
import { clockText, latestThroughput } from "./throughput.js";
import { codeLines, fitted, mostFirst, tableLines } from "./layout.js";

const COLUMNS = 80;
/** Runs that are listed; the latest ones. */
const MOST_RUNS = 20;
const BAR_WIDTH = 40;

/** The lines of the report, none wider than 80 columns. */
export function reportText(report: Report): string[] {
  return [
    ...standingLines(report.status, report.shards),
    "",
    ...statusHead(report.status),
    "",
    ...tableLines(outcomeTable(report.status)),
    ...groupLines(report.groups),
    ...(report.groups.length === 0
      ? []
      : ["", "--format csv lists each of these rows, with its own hint."]),
    ...codeLines(
      "Carried along, by all runs (who was brought anew counts again)",
      report.carriedUsers,
    ),
    ...noticeLines(report),
    ...hashLines(report.hashes),
    ...hintedLines("Findings of the latest run", report.findings),
    ...runLines(report),
    ...throughputLines(report),
    ...callLines(report),
    ...shardLines(report.shards),
  ].flatMap((line) => fitted(printable(line), COLUMNS));
}

function noticeLines({ notices }: Report): string[] {
  const told = mostFirst(notices).map(([code, count]) => {
    return { code, count, hint: noticeHint(code) };
  });
  return hintedLines("Notices", told);
}

function hintedLines(title: string, told: Report["findings"]): string[] {
  if (told.length === 0) return [];
  const lines = told.flatMap(({ code, count, hint }) => [
    `  ${code}   ${grouped(count)}`,
    `      ${hint}`,
  ]);
  return ["", title, ...lines];
}

function runLines(report: Report): string[] {
  if (report.runs.length === 0) return [];
  const earlier = report.runs.length - MOST_RUNS;
  const rows = report.runs.slice(-MOST_RUNS).map((run) => {
    // Those that have an outcome, as where the latest run stands.
    const size = `${grouped(sum(run.outcomes))} rows`.padStart(15);
    const times = `${momentOf(run.begunAt)}${size}${durationOf(run.elapsedMs).padStart(11)}`;
    return `  ${String(run.number).padStart(3)}  ${times}  ${endingText(run, report)}`;
  });
  return ["", "Runs", ...(earlier > 0 ? [`  and ${earlier} earlier ones`] : []), ...rows];
}

function throughputLines({ runs }: Report): string[] {
  const latest = latestThroughput(runs);
  if (latest === null) return [];
  const { number, stretches } = latest;
  const most = Math.max(...stretches.map(({ perSecond }) => perSecond), 1);
  const rows = stretches.map(({ fromMs, perSecond, paused }) => {
    const bar = "█".repeat(Math.round((perSecond / most) * BAR_WIDTH)).padEnd(BAR_WIDTH);
    const rate = grouped(Math.round(perSecond)).padStart(9);
    return `  ${clockText(fromMs).padStart(8)}  ${bar}${rate}${paused ? "  paused" : ""}`;
  });
  return ["", `Rows a second in run ${number}`, ...rows];
}

function callLines(report: Report): string[] {
  const lines = tableLines(callTable(report));
  if (lines.length === 0) return [];
  return ["", "Calls", ...lines, ...pauseLines(report).map((line) => `  ${line}`)];
}
