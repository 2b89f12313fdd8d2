/** A summary as text for people: what happened, what was left out and why, and the important thing last. Pure; it knows no terminal. */

import type { Finding, ImportSummary, ValidateSummary } from "../migration/events.js";
import { findingLines, hashLines } from "./census-text.js";
import { count } from "./count.js";
import { coverageLines } from "./password-coverage.js";
import type { RefusalGroup } from "./refusal-groups.js";
import { rowList } from "./row-list.js";

/** What a run told on its way. */
export interface Told {
  readonly groups: readonly RefusalGroup[];
  readonly findings: readonly Finding[];
}

const GROUP_TITLES = {
  failure: "Failed",
  difference: "Different",
  reject: "Rejected",
  skip: "Skipped",
} as const;

/** The lines of an import's summary. */
export function importText(summary: ImportSummary, told: Told): string[] {
  const { imported, created, existed, unchanged, skipped, rejected, failed, pending } = summary;
  const { mapped } = summary;
  const table: [string, number, string][] = [
    ["imported", imported, `with their password (${algorithmList(summary)})`],
    ["created", created, "without a password"],
    ["existed", existed, "at the core already, left as they were"],
    ["unchanged", unchanged, "finished by an earlier run"],
    ["skipped", skipped, "left out on purpose"],
    ["rejected", rejected, "can't be migrated as they are"],
    ["failed", failed, "not reached; running again tries them again"],
    ["pending", pending, "not begun when the run was stopped"],
    ["ids kept", mapped, "of these users are known by the vendor's id"],
  ];
  const head = `${count(summary.read, "row")} of ${summary.source} into ${coreText(summary.core)}, ${seconds(summary.elapsedMs)}`;
  return [head, "", ...tableLines(table), ...toldLines(summary, told)];
}

/** The lines of a dry run's summary. */
export function validateText(summary: ValidateSummary, told: Told): string[] {
  const { ready, skipped, rejected, mapped } = summary;
  const table: [string, number, string][] = [
    ["import", ready.import, `would keep their password (${algorithmList(summary)})`],
    ["passwordless", ready.passwordless, "would be created without a password"],
    ["skipped", skipped, "would be left out on purpose"],
    ["rejected", rejected, "can't be migrated as they are"],
    ["ids kept", mapped, "of these users would be known by the vendor's id"],
  ];
  const head = `${count(summary.read, "row")} of ${summary.source}, nothing sent, ${seconds(summary.elapsedMs)}`;
  return [head, "", ...tableLines(table), ...toldLines(summary, told)];
}

/** Which core, in words. */
export function coreText(core: ImportSummary["core"]): string {
  return core.kind === "embedded" ? `the embedded core ${core.file}` : `the core at ${core.url}`;
}

/** What every summary ends with; the findings come last, next to the verdict. */
function toldLines(summary: ImportSummary | ValidateSummary, { groups, findings }: Told): string[] {
  return [
    ...hashLines(summary.hashes),
    ...coverageLines(summary.passwordExport),
    ...codeLines("Notices", summary.notices),
    ...groupLines(groups),
    ...findingLines(findings),
  ];
}

/** A table of names, numbers and meanings, without those that are 0. */
export function tableLines(table: readonly (readonly [string, number, string])[]): string[] {
  const rows = table.filter(([, number]) => number > 0);
  return rows.map(([name, number, meaning]) => {
    const shown = number.toLocaleString("en-US").padStart(11);
    return `  ${name.padEnd(13)}${shown}   ${meaning}`;
  });
}

/** A section of counts by code, the most frequent first; empty where there are none. */
export function codeLines(title: string, counts: Readonly<Record<string, number>>): string[] {
  const entries = Object.entries(counts).sort(([, a], [, b]) => b - a);
  if (entries.length === 0) return [];
  const width = Math.max(...entries.map(([code]) => code.length));
  const lines = entries.map(
    ([code, number]) => `  ${code.padEnd(width)}   ${number.toLocaleString("en-US")}`,
  );
  return ["", title, ...lines];
}

/** Sections of what was told of single rows, grouped by code. */
export function groupLines(groups: readonly RefusalGroup[]): string[] {
  const lines: string[] = [];
  let title = "";
  for (const group of groups) {
    if (GROUP_TITLES[group.type] !== title) {
      title = GROUP_TITLES[group.type];
      lines.push("", title);
    }
    const where = rowList(group.examples, group.count);
    lines.push(`  ${group.code}   ${group.count.toLocaleString("en-US")}   ${where}`);
    lines.push(`      ${group.hint}`);
  }
  return lines;
}

function algorithmList({ algorithms }: Pick<ImportSummary, "algorithms">): string {
  const parts = Object.entries(algorithms).map(
    ([name, number]) => `${name} ${number.toLocaleString("en-US")}`,
  );
  return parts.length === 0 ? "no hashes" : parts.join(", ");
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
