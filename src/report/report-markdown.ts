/** The report as Markdown, as for a CI job's summary. Text from elsewhere is escaped, so that no file name becomes a link, a mention or a tag. */

import { standingLines } from "./headline.js";
import { mostFirst } from "./layout.js";
import { examplesText, GROUP_TITLES } from "./refusal-groups.js";
import type { Report } from "./report.js";
import { runRows } from "./report-text.js";
import { shardsVerdict, shownFlaws } from "./shards-text.js";
import { standingOf } from "./standing.js";
import { boundCore, callTable, momentOf, outcomeTable, pauseLines } from "./status-text.js";
import { grouped, printable } from "./text.js";
import { clockText, latestThroughput } from "./throughput.js";

type Row = readonly (string | number)[];
const isCounted = ([, number]: readonly [string, number, string]): boolean => number > 0;

/** The lines of the report. */
export function reportMarkdown(report: Report): string[] {
  const { status, shards, groups, notices, hashes, findings } = report;
  const { shown, more } = shards === null ? { shown: [], more: 0 } : shownFlaws(shards);
  const latest = latestThroughput(report.runs);
  const pauses = pauseLines(report).map((line) => `- ${escaped(line.trim())}`);
  const [first = "", ...others] = standingLines(status, shards).map(escaped);
  return [
    "## Migration of users",
    "",
    `**${first}**`,
    ...others.flatMap((line) => ["", line]),
    "",
    `${escaped(status.checkpoint)}: ${grouped(standingOf(status).users)} users, ${escaped(boundCore(status.core))}, last written ${momentOf(status.writtenAt)}.`,
    ...table("Outcome|Users|", outcomeTable(status).filter(isCounted)),
    ...(shards === null ? [] : ["", "### Shards", "", escaped(shardsVerdict(shards))]),
    ...table(
      "Code|What to do",
      shown.map(({ code, message }) => [code, message]),
    ),
    ...(more > 0 ? ["", `and ${more} more`] : []),
    ...section(
      "Rejected, skipped and failed",
      "|Code|Rows|Examples|What to do",
      groups.map((group) => [
        GROUP_TITLES[group.type],
        group.code,
        group.count,
        examplesText(group),
        group.hint,
      ]),
    ),
    ...section("Notices", "Code|Users", mostFirst(notices)),
    ...section(
      "Hashes",
      "Algorithm|Cost|Characters|Hashes",
      hashes.map(({ algorithm, cost, length, count }) => [algorithm, cost, length ?? "", count]),
    ),
    ...section(
      "Findings of the latest run",
      "Code|Rows|What it means",
      findings.map(({ code, count, hint }) => [code, count, hint]),
    ),
    ...section("Runs", "Run|Begun|Rows|Took|Ended", runRows(report)),
    ...section(
      `Rows a second in run ${latest?.number}`,
      "From|Rows a second|",
      (latest?.stretches ?? []).map(({ fromMs, perSecond, paused }) => [
        clockText(fromMs),
        Math.round(perSecond),
        paused ? "paused" : "",
      ]),
    ),
    ...section("Calls", "Call|Times|", callTable(report).filter(isCounted)),
    ...(pauses.length === 0 ? [] : ["", ...pauses]),
  ];
}

/** Nothing where there are no rows. */
function section(title: string, header: string, rows: readonly Row[]): string[] {
  return rows.length === 0 ? [] : ["", `### ${title}`, ...table(header, rows)];
}

function table(header: string, rows: readonly Row[]): string[] {
  if (rows.length === 0) return [];
  const line = (row: readonly string[]): string => `| ${row.join(" | ")} |`;
  const names = header.split("|");
  const text = (cell: string | number) =>
    typeof cell === "number" ? grouped(cell) : escaped(cell);
  return ["", line(names), line(names.map(() => "---")), ...rows.map((row) => line(row.map(text)))];
}

/** Escapes a text, so that Markdown renders it as it is. */
function escaped(text: string): string {
  return printable(text)
    .replace(/[\\`*_[\]|~#<>&@]/g, (character) => `&#${character.codePointAt(0)};`)
    .replace(/(?<=\bwww)\.|:(?=\/\/)/gi, (character) => `&#${character.codePointAt(0)};`);
}
