/** The report as Markdown, as for a CI job's summary. Text from elsewhere is escaped, so that no file name becomes a link, a mention or a tag. */

import { standingLines } from "./headline.js";
import type { Report } from "./report.js";
import { shardsVerdict, shownFlaws } from "./shards-text.js";
import { headText, pauseLines } from "./status-text.js";
import { type ReportTable, tablesOf } from "./tables.js";
import { grouped, printable } from "./text.js";

/** The lines of the report. */
export function reportMarkdown(report: Report): string[] {
  const { status, shards } = report;
  const { outcomes, flaws, ...others } = tablesOf(report);
  const more = shards === null ? 0 : shownFlaws(shards).more;
  const pauses = pauseLines(report).map((line) => `- ${escaped(line.trim())}`);
  const [first = "", ...lines] = standingLines(status, shards).map(escaped);
  return [
    "## Migration of users",
    "",
    `**${first}**`,
    ...lines.flatMap((line) => ["", line]),
    "",
    escaped(headText(status)),
    ...tableLines(outcomes),
    ...(shards === null ? [] : ["", `### ${flaws.title}`, "", escaped(shardsVerdict(shards))]),
    ...tableLines(flaws),
    ...(more > 0 ? ["", `and ${more} more`] : []),
    ...Object.values(others).flatMap((table) =>
      table.rows.length === 0 ? [] : ["", `### ${table.title}`, ...tableLines(table)],
    ),
    ...(pauses.length === 0 ? [] : ["", ...pauses]),
  ];
}

function tableLines({ header, rows }: ReportTable): string[] {
  if (rows.length === 0) return [];
  const line = (row: readonly string[]): string => `| ${row.join(" | ")} |`;
  const text = (cell: string | number) =>
    typeof cell === "number" ? grouped(cell) : escaped(cell);
  const all = rows.map((row) => line(row.map(text)));
  return ["", line(header), line(header.map(() => "---")), ...all];
}

/** Escapes a text, so that Markdown renders it as it is. */
function escaped(text: string): string {
  return printable(text)
    .replace(/[\\`*_[\]|~#<>&@]/g, (character) => `&#${character.codePointAt(0)};`)
    .replace(/(?<=\bwww)\.|:(?=\/\/)/gi, (character) => `&#${character.codePointAt(0)};`);
}
