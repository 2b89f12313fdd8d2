/** The census for people: the hashes by how they were made, and the findings. Pure. */

import type { Finding, HashCount } from "../migration/events.js";
import { rowList } from "./row-list.js";

/** A summary's section of hashes; empty where there are none. */
export function hashLines(hashes: readonly HashCount[]): string[] {
  if (hashes.length === 0) return [];
  const rows = hashes.map(({ algorithm, cost, length, count }) => [
    algorithm,
    algorithm === "bcrypt" ? `cost ${cost}` : cost,
    length === null ? "" : `${length} characters`,
    count.toLocaleString("en-US"),
  ]);
  const widths = [0, 1, 2].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map(
    (row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("   ")}`,
  );
  return ["", "Hashes", ...lines];
}

/** A summary's section of findings, the important ones first; empty where there are none. */
export function findingLines(findings: readonly Finding[]): string[] {
  if (findings.length === 0) return [];
  return [
    "",
    "Findings",
    ...findings.flatMap((each) => [`  ${findingLine(each)}`, `      ${each.hint}`]),
  ];
}

/** A finding in one line, without its hint; ids of the vendor's are shown as they are given. */
export function findingLine({ code, count, rows, sourceIds = [] }: Finding): string {
  const ids = sourceIds.length === 0 ? "" : ` (${sourceIds.join(", ")})`;
  return `${code}   ${count.toLocaleString("en-US")}   ${rowList(rows, count)}${ids}`;
}
