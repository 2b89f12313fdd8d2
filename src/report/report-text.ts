/** The report as text for people, in 80 columns. What matters most comes first. */

import { standingLines } from "./headline.js";
import { groupLines, issueText } from "./issues-text.js";
import { columnsOf, fitted, listed, tableLines } from "./layout.js";
import { noticeItems } from "./notice-hints.js";
import type { Report } from "./report.js";
import { counted, statusRows } from "./results.js";
import { shardLines } from "./shards-text.js";
import { isKilled, pauseLines, statusHead } from "./status-text.js";
import { type ReportTable, tablesOf } from "./tables.js";
import { grouped, printable } from "./text.js";

const COLUMNS = 80;
/** Columns of the runs that so narrow a text has no place for. */
const LEFT_OUT: ReadonlySet<string> = new Set(["Sent", "Rejected", "Failed", "Retries"]);

/** The lines of the report, none wider than 80 columns. */
export function reportText(report: Report): string[] {
  const { status, shards, groups, findings, carriedUsers } = report;
  const { runs, throughput, calls } = tablesOf(report);
  const carried = Object.entries(carriedUsers).map(counted);
  const notices = noticeItems(report.notices, findings);
  return [
    ...standingLines(status, shards),
    "",
    ...statusHead(status),
    "",
    ...tableLines(statusRows(status)),
    ...groupLines(groups),
    ...(groups.length === 0 ? [] : ["", CSV]),
    ...issueText({ groups: [], findings, notices }),
    ...(carried.length === 0 ? [] : ["", ...listed(CARRIED, carried, COLUMNS)]),
    ...(carried.length > 0 && report.runs.some((run) => isKilled(run, report)) ? [UNCOUNTED] : []),
    ...[runs, throughput, calls].flatMap(columnLines),
    ...pauseLines(report).map((line) => `  ${line}`),
    ...shardLines(shards),
  ].flatMap((line) => fitted(printable(line), COLUMNS));
}

const CSV = "--format csv lists each of these rows, with its own hint.";
const CARRIED = "Carried along by all runs (who was brought anew counts again): ";
const UNCOUNTED = "  The last users of a run that was killed may be missing.";

/** A table with its header, numbers at the right. */
function columnLines({ title, header, rows }: ReportTable): string[] {
  if (rows.length === 0) return [];
  const columns = header.flatMap((name, at) => {
    if (LEFT_OUT.has(name)) return [];
    const column = rows.map((row) => row[at] ?? "");
    const cells = [
      name,
      ...column.map((cell) => (typeof cell === "number" ? grouped(cell) : cell)),
    ];
    const width = Math.max(...cells.map(columnsOf));
    const isNumber = typeof column[0] === "number";
    return [cells.map((cell) => (isNumber ? cell.padStart(width) : cell.padEnd(width)))];
  });
  const lines = [header, ...rows].map((_row, at) => columns.map((cells) => cells[at]).join("  "));
  return ["", title, ...lines.map((line) => `  ${line}`.trimEnd())];
}
