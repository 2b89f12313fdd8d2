/** The report as text for people, in 80 columns. What matters most comes first. */

import { standingLines } from "./headline.js";
import { hashLines, groupLines } from "./issues-text.js";
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
import { tablesOf } from "./tables.js";
import { codeLines, fitted, tableLines } from "./layout.js";

const COLUMNS = 80;
/** Runs that are listed; the latest ones. */
const MOST_RUNS = 20;
const BAR_WIDTH = 40;

/** The lines of the report, none wider than 80 columns. */
export function reportText(report: Report): string[] {
  const tables = tablesOf(report);
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
    ...hintedLines(tables.notices),
    ...hashLines(report.hashes),
    ...hintedLines(tables.findings),
    ...runLines(report),
    ...throughputLines(tables.throughput),
    ...callLines(report),
    ...shardLines(report.shards),
  ].flatMap((line) => fitted(printable(line), COLUMNS));
}

type Tables = ReturnType<typeof tablesOf>;

function hintedLines({ title, rows }: Tables["notices" | "findings"]): string[] {
  if (rows.length === 0) return [];
  const lines = rows.flatMap(([code, count, hint]) => [
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

function throughputLines({ title, rows }: Tables["throughput"]): string[] {
  if (rows.length === 0) return [];
  const most = Math.max(...rows.map(([, perSecond]) => perSecond), 1);
  const lines = rows.map(([from, perSecond, paused]) => {
    const bar = "█".repeat(Math.round((perSecond / most) * BAR_WIDTH)).padEnd(BAR_WIDTH);
    return `  ${from.padStart(8)}  ${bar}${grouped(perSecond).padStart(9)}${paused === "" ? "" : "  paused"}`;
  });
  return ["", title, ...lines];
}

function callLines(report: Report): string[] {
  const lines = tableLines(callTable(report));
  if (lines.length === 0) return [];
  return ["", "Calls", ...lines, ...pauseLines(report).map((line) => `  ${line}`)];
}
