/** Shows people the hashes by how they were made, and the findings. */

import type { Finding, HashCount } from "../events/events.js";
import { rowList } from "./group-text.js";
import { barOf, PLAIN_PAGE, type Page, fitted } from "./layout.js";

/** Kinds that are listed; real exports have a handful. */
const MOST_KINDS = 6;
const LONGEST_BAR = 24;
/** A shorter one says nothing. */
const SHORTEST_BAR = 5;
const GAP = "   ";

/** A summary's section of hashes, with a bar each where there is room; empty where there are none. */
export function hashLines(hashes: readonly HashCount[], page: Page = PLAIN_PAGE): string[] {
  if (hashes.length === 0) return [];
  const shown = hashes.slice(0, MOST_KINDS);
  const rows = shown.map(({ algorithm, cost, length, count }) => [
    algorithm,
    algorithm === "bcrypt" && length !== null ? `cost ${cost}` : cost,
    length === null ? "" : `${length} characters`,
    count.toLocaleString("en-US"),
  ]);
  const widths = columnWidths(rows);
  // The least useful column goes first.
  if (widthOf(widths) + GAP.length + SHORTEST_BAR > page.columns) {
    for (const row of rows) row.splice(2, 1);
    widths.splice(2, 1);
  }
  const room = Math.min(LONGEST_BAR, page.columns - widthOf(widths) - GAP.length);
  const most = Math.max(...shown.map(({ count }) => count));
  const lines = rows.flatMap((row, at) => {
    const cells = row.map((cell, column) =>
      column === row.length - 1
        ? cell.padStart(widths[column] ?? 0)
        : cell.padEnd(widths[column] ?? 0),
    );
    const text = `  ${cells.join(GAP)}`;
    if (room < SHORTEST_BAR) return fitted(text, page.columns);
    return [`${text}${GAP}${barOf((shown[at]?.count ?? 0) / most, room, page)}`];
  });
  return ["", page.strong("Hashes"), ...lines, ...restOfKinds(hashes.slice(MOST_KINDS), page)];
}

function columnWidths(rows: readonly (readonly string[])[]): number[] {
  const columns = rows[0]?.map((_cell, column) => column) ?? [];
  return columns.map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
}

function widthOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 2 + GAP.length * (widths.length - 1));
}

function restOfKinds(rest: readonly HashCount[], page: Page): string[] {
  if (rest.length === 0) return [];
  const hashes = rest.reduce((sum, { count }) => sum + count, 0).toLocaleString("en-US");
  return fitted(`  and ${rest.length} more kinds of ${hashes} hashes`, page.columns);
}

/** A finding in one line, without its hint. */
export function findingLine(finding: Finding): string {
  const { code, count } = finding;
  return `${code}   ${count.toLocaleString("en-US")}   ${findingRows(finding)}`.trimEnd();
}

/** A few rows of a finding; ids of the vendor's are shown as they are given. */
export function findingRows({ count, rows, sourceIds = [] }: Finding): string {
  const ids = sourceIds.length === 0 ? "" : ` (${sourceIds.join(", ")})`;
  return `${rowList(rows, count)}${ids}`;
}
