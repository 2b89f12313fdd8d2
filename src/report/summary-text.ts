/** A summary as text for people: how many users are at the core, or would be, what was left out and why. */

import type { CallName } from "../events/events.js";
import type { ImportSummary, ValidateSummary } from "../events/summary.js";
import { firstLines } from "./headline.js";
import { type Issues, issueLines, issueText } from "./issues-text.js";
import { count, durationOf, grouped, sum } from "./text.js";
import { type Layout, fitted, listed, tableLines } from "./layout.js";
import { type NoticeItem, noticeItems } from "./notice-hints.js";
import { coverageLines } from "./input-text.js";
import { certaintyText } from "./prediction-text.js";
import {
  counted,
  dryRows,
  importRows,
  proofTexts,
  rowsOfImport,
  unvaultedText,
} from "./results.js";

interface SummarySetting {
  readonly layout: Layout;
  /** Lines of the layout that stand under the text. */
  readonly below: number;
  /** The lines that say where to find what didn't fit. */
  readonly more: readonly string[];
  /** Calls a second, where they are bounded. */
  readonly rate?: number | undefined;
}

/** The lines of an import's summary, or a dry run's; the findings come last, next to the verdict. */
export function summaryText(
  summary: ImportSummary | ValidateSummary,
  issues: Issues,
  { layout, below, more, rate }: SummarySetting,
): string[] {
  const wrapped = (text: string): string[] => (text === "" ? [] : fitted(text, layout.columns));
  const [first = "", ...beside] = firstLines(
    summary.command === "import" ? summary.standing : summary,
  );
  const { text: proof, isFirst } = proofOf(summary, issues);
  const unvaulted = summary.command === "import" ? unvaultedText(summary.standing) : "";
  // The table has who was bridged, and a row's notice stands also where its user wasn't brought.
  const notices = noticeItems(summary.notices, issues.findings).filter(
    ({ code }) => code !== "bridged",
  );
  const above = (named: readonly NoticeItem[]): string[] => [
    ...wrapped(first === "" ? "" : layout.strong(first)),
    ...[...beside, isFirst ? proof : "", headOf(summary)].flatMap(wrapped),
    ...(summary.command === "import"
      ? apart(tableLines(importRows(summary), layout))
      : dryLines(summary, issues, layout, rate)),
    ...apart([isFirst ? "" : proof, unvaulted].flatMap(wrapped)),
    ...apart([
      ...countLines("Carried along: ", Object.entries(summary.carriedUsers), layout),
      ...countLines(
        "Notices (help CODE): ",
        named.map(({ code, count }) => [code, count]),
        layout,
      ),
    ]),
    ...coverageLines(summary.passwordExport).flatMap(wrapped),
  ];
  const told = { ...issues, groups: issues.groups.filter(({ type }) => type !== "skip") };
  const whole = [...above([]), ...issueText({ ...told, notices }, layout)];
  // Before anything is sent, what stays behind is told in words wherever there is room.
  if (summary.command === "validate" && whole.length <= layout.lines - below) return whole;
  const lines = above(notices);
  return [...lines, ...issueLines(told, layout, layout.lines - lines.length - below, more)];
}

function headOf(summary: ImportSummary | ValidateSummary): string {
  const [rows, took] = [rowsText(summary), durationOf(summary.elapsedMs)];
  if (summary.command === "import") return `${rows} into ${coreText(summary.core)}, ${took}`;
  const { core } = summary;
  const asked = core === null ? "no core asked" : `by the answers of ${coreText(core)}`;
  return `${rows}, ${asked}, nothing sent, ${took}; an import would end so:`;
}

/** What isn't proved matters more than what was counted. */
function proofOf(summary: ImportSummary | ValidateSummary, { findings }: Issues) {
  if (summary.command === "validate") return { text: "", isFirst: false };
  const { signIns, standing } = summary;
  const { provedUsers: proved } = standing;
  if (signIns !== null) {
    const text = [signInsText(signIns), ...proofTexts({ ...proved, sent: 0 })].join(" ");
    return { text, isFirst: signIns.signedIn < signIns.users };
  }
  const isOpen = findings.some(({ code }) => code === "unproved");
  return { text: isOpen ? "" : proofTexts(proved).join(" "), isFirst: false };
}

/** A part below what stands above it; a run that was stopped before its first row has none. */
function apart(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", ...lines];
}

/** How a dry run's import would end, by how many calls, and how sure that is. */
function dryLines(
  summary: ValidateSummary,
  issues: Issues,
  layout: Layout,
  rate?: number,
): string[] {
  const { prediction, plannedCalls } = summary;
  const isAsked = prediction !== null;
  const certainty = isAsked
    ? fitted(certaintyText(prediction, summary, issues), layout.columns)
    : [];
  return [
    ...apart(tableLines(dryRows(summary), layout)),
    ...(isAsked || rate !== undefined ? callLines(plannedCalls, layout, rate) : []),
    ...apart(certainty),
  ];
}

/** How many users an import would bring, and how its rows would end; no core was asked. */
export function readyText(summary: ValidateSummary, layout: Layout): string[] {
  return [
    ...[...firstLines(summary), "An import would end so:"].flatMap((line) =>
      fitted(line, layout.columns),
    ),
    ...tableLines(dryRows(summary), layout),
  ];
}

/** "5,012 of 40,000 rows of csv (shard 3/8)", or all rows. */
function rowsText(summary: ImportSummary | ValidateSummary): string {
  const { read, source, shard } = summary;
  // All rows are read before the first is counted.
  if (summary.interrupted && read === 0) return source;
  const rows = summary.command === "import" ? rowsOfImport(summary) : read;
  if (shard === null) return `${count(rows, "row")} of ${source}`;
  const { index, count: shards, exportRows } = shard;
  return `${grouped(rows)} of ${count(exportRows, "row")} of ${source} (shard ${index}/${shards})`;
}

/** "Proved at the core: 2 of 2 test users signed in." */
function signInsText({ users, signedIn }: NonNullable<ImportSummary["signIns"]>): string {
  const asked = count(users, "test user");
  if (signedIn === users) return `Proved at the core: ${signedIn} of ${asked} signed in.`;
  const what = signedIn === 0 ? "Nothing is proved" : "Not proved";
  return `${what} at the core: ${signedIn} of ${asked} signed in as users of this migration.`;
}

/** Which core, in words. */
export function coreText(core: ImportSummary["core"]): string {
  if (core.kind === "remote") return `the core at ${core.url}`;
  return `the embedded core ${"file" in core ? core.file : core.database}`;
}

/** A list behind its head, in as few lines as it needs; nothing where it is empty. */
function countLines(
  head: string,
  counts: readonly (readonly [string, number])[],
  { columns }: Layout,
): string[] {
  return counts.length === 0 ? [] : listed(head, counts.map(counted), columns);
}

/** What an import would call; empty where it would call nothing. */
function callLines(
  calls: ValidateSummary["plannedCalls"],
  layout: Layout,
  rate: number | undefined,
): string[] {
  const all = sum(calls);
  if (all === 0) return [];
  const made = CALLS.filter((name) => calls[name] > 0).map(
    (name) => [name === "part" ? "parts of accounts" : name, calls[name]] as const,
  );
  const lines = countLines(`  in ${count(all, "call")}: `, made, layout);
  if (rate === undefined) return lines;
  const time = durationOf((all / rate) * 1000);
  return [...lines, ...fitted(`  at --rate ${rate} in about ${time}`, layout.columns)];
}

/** The calls in the order in which a user's are made. */
const CALLS: readonly CallName[] = ["lookup", "import", "code", "consume", "update", "map", "part"];
