/** The report as Markdown, as for a CI job's summary. Text from elsewhere is escaped, so that no file name becomes a link, a mention or a tag. */

import { standingOf } from "./standing.js";
import { mostFirst } from "./layout.js";
import { grouped, printable } from "./text.js";
import type { Report } from "./report.js";
import {
  callTable,
  durationOf,
  endingText,
  momentOf,
  pauseLines,
  boundCore,
  outcomeTable,
} from "./status-text.js";
import { standingLines } from "./headline.js";
import { examplesText, GROUP_TITLES } from "./refusal-groups.js";
import { shardsVerdict, shownFlaws } from "./shards-text.js";
import { clockText, latestThroughput } from "./throughput.js";

const MOST_RUNS = 20;

/** The lines of the report. */
export function reportMarkdown(report: Report): string[] {
  const { status, groups, notices, hashes, findings } = report;
  const outcomes = outcomeTable(status).filter(([, number]) => number > 0);
  return [
    "## Migration of users",
    "",
    ...standingLines(status, report.shards).flatMap((line, at) =>
      at === 0 ? [`**${escaped(line)}**`] : ["", escaped(line)],
    ),
    "",
    `${escaped(status.checkpoint)}: ${grouped(standingOf(status).users)} users, ${escaped(boundCore(status.core))}, last written ${momentOf(status.writtenAt)}.`,
    ...table(["Outcome", "Users", ""], outcomes.map(cells)),
    ...shardSection(report),
    ...section(
      "Rejected, skipped and failed",
      groups,
      ["", "Code", "Rows", "Examples", "What to do"],
      (group) =>
        cells([GROUP_TITLES[group.type], group.code, group.count, examplesText(group), group.hint]),
    ),
    ...section("Notices", mostFirst(notices), ["Code", "Users"], cells),
    ...section("Hashes", hashes, ["Algorithm", "Cost", "Characters", "Hashes"], (hash) =>
      cells([hash.algorithm, hash.cost, hash.length ?? "", hash.count]),
    ),
    ...section(
      "Findings of the latest run",
      findings,
      ["Code", "Rows", "What it means"],
      (finding) => cells([finding.code, finding.count, finding.hint]),
    ),
    ...runSection(report),
    ...callSection(report),
  ];
}

function shardSection({ shards }: Report): string[] {
  if (shards === null) return [];
  const { shown, more } = shownFlaws(shards);
  return [
    "",
    "### Shards",
    "",
    escaped(shardsVerdict(shards)),
    ...table(
      ["Code", "What to do"],
      shown.map(({ code, message }) => cells([code, message])),
    ),
    ...(more > 0 ? ["", `and ${more} more`] : []),
  ];
}

function runSection(report: Report): string[] {
  const { runs } = report;
  const rows = runs.slice(-MOST_RUNS);
  const header = ["Run", "Begun", "Rows", "Took", "Ended"];
  return [
    ...section("Runs", rows, header, (run) =>
      cells([
        run.number,
        momentOf(run.begunAt),
        run.read,
        durationOf(run.elapsedMs),
        endingText(run, report),
      ]),
    ),
    ...throughputSection(report),
  ];
}

function throughputSection({ runs }: Report): string[] {
  const latest = latestThroughput(runs);
  return section(
    `Rows a second in run ${latest?.number}`,
    latest?.stretches ?? [],
    ["From", "Rows a second", ""],
    ({ fromMs, perSecond, paused }) =>
      cells([clockText(fromMs), Math.round(perSecond), paused ? "paused" : ""]),
  );
}

function callSection(report: Report): string[] {
  const calls = callTable(report).filter(([, number]) => number > 0);
  const pauses = pauseLines(report).map((line) => `- ${escaped(line.trim())}`);
  return [
    ...section("Calls", calls, ["Call", "Times", ""], cells),
    ...(pauses.length === 0 ? [] : ["", ...pauses]),
  ];
}

/** Nothing where there are no items. */
function section<T>(
  title: string,
  items: readonly T[],
  header: readonly string[],
  row: (item: T) => string[],
): string[] {
  return items.length === 0 ? [] : ["", `### ${title}`, ...table(header, items.map(row))];
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const line = (row: readonly string[]): string => `| ${row.join(" | ")} |`;
  return ["", line(header), line(header.map(() => "---")), ...rows.map(line)];
}

function cells(row: readonly (string | number)[]): string[] {
  return row.map((cell) => (typeof cell === "number" ? grouped(cell) : escaped(cell)));
}

/** Escapes a text, so that Markdown renders it as it is. */
function escaped(text: string): string {
  return printable(text)
    .replace(/[\\`*_[\]|~#<>&@]/g, (character) => `&#${character.codePointAt(0)};`)
    .replace(/(?<=\bwww)\.|:(?=\/\/)/gi, (character) => `&#${character.codePointAt(0)};`);
}
