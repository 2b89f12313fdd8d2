/** A summary as text for people: how many users are at the core, what was left out and why. */

import type { CallName } from "../events/events.js";
import type { ImportSummary, ValidateSummary } from "../events/summary.js";
import { firstLines, PROVED, readyHeadline } from "./headline.js";
import { type Issues, issueLines } from "./issues-text.js";
import { count, grouped, sum } from "./text.js";
import { type Layout, fitted, listed, mostFirst, tableLines } from "./layout.js";
import { coverageLines } from "./input-text.js";
import {
  certaintyLines,
  counted,
  predictionLines,
  skipsText,
  WOULD_BRIDGE,
} from "./prediction-text.js";
import { durationOf, queuedRow } from "./status-text.js";

interface SummarySetting {
  readonly layout: Layout;
  /** Lines of the layout that stand under the text. */
  readonly below: number;
  /** The lines that say where to find what didn't fit. */
  readonly more: readonly string[];
}

/** The lines of an import's summary. */
export function importText(
  summary: ImportSummary,
  issues: Issues,
  setting: SummarySetting,
): string[] {
  const { imported, created, existed, unchanged, skipped, rejected, failed, pending, queued } =
    summary;
  const { mapped, importedAlgorithms, bridged, standing } = summary;
  const unread = standing.unread ?? 0;
  const open = standing.cut === null ? 0 : standing.pending + standing.unknown;
  const table: [string, number, string][] = [
    ["imported", imported - bridged, `with their password (${algorithmList(importedAlgorithms)})`],
    ["bridged", bridged, "imported; the bridge brings their password at the first sign-in"],
    ["created", created, "without a password"],
    ["  changed", summary.notices.account_updated ?? 0, "of those came by an earlier run"],
    ["existed", existed, "at the core already, left as they were"],
    ["unchanged", unchanged, "finished by an earlier run"],
    ["skipped", skipped, `left out on purpose${skipsText(summary)}`],
    ["rejected", rejected, "can't be migrated as they are"],
    ["failed", failed, "not reached; running again tries them again"],
    ...(queued === 0 ? [] : [queuedRow(queued)]),
    ["pending", Math.max(open, pending - queued), "not begun when the run was stopped"],
    ["unread", unread, "users of rows that weren't read"],
    lostRow(summary),
    ["ids kept", mapped, "of those at the core are known by the vendor's id"],
  ];
  const [first = "", ...beside] = firstLines(summary.standing);
  const head = `${rowsText(summary)} into ${coreText(summary.core)}, ${durationOf(summary.elapsedMs)}`;
  const { layout } = setting;
  const { signIns: asked } = summary;
  const holds = standing.proved && !issues.findings.some(({ code }) => code === "unproved");
  const signIns = asked !== null ? signInsText(asked) : holds ? PROVED : "";
  // What isn't proved matters more than what was counted.
  const isProved = asked === null || asked.signedIn === asked.users;
  const lines = [
    ...(first === "" ? [] : fitted(layout.strong(first), layout.columns)),
    ...beside.flatMap((line) => fitted(line, layout.columns)),
    ...(isProved ? [] : fitted(signIns, layout.columns)),
    ...fitted(head, layout.columns),
    ...apart(tableLines(table, layout)),
    ...(isProved && signIns !== "" ? ["", ...fitted(signIns, layout.columns)] : []),
  ];
  return withIssues(lines, { summary, issues, setting });
}

/**
 * The lines of a dry run's summary.
 *
 * @param rate calls a second, where they are bounded
 */
export function validateText(
  summary: ValidateSummary,
  issues: Issues,
  setting: SummarySetting,
  rate?: number | undefined,
): string[] {
  const { core, prediction, plannedCalls } = summary;
  const { layout } = setting;
  const isAsked = prediction !== null;
  const asked = core === null ? "no core asked" : `by the answers of ${coreText(core)}`;
  const head = `${rowsText(summary)}, ${asked}, nothing sent, ${durationOf(summary.elapsedMs)}`;
  const above = [
    ...fitted(layout.strong(readyHeadline(summary)), layout.columns),
    ...fitted(head, layout.columns),
    ...apart(
      prediction === null
        ? readyLines(summary, layout)
        : predictionLines(prediction, summary, algorithmList(summary.algorithms), layout),
    ),
    ...(isAsked || rate !== undefined ? callLines(plannedCalls, layout, rate) : []),
    ...(prediction === null ? [] : certaintyLines(prediction, summary, issues, layout)),
  ];
  return withIssues(above, { summary, issues, setting });
}

/** A table below what stands above it; a run that was stopped before its first row has none. */
function apart(table: readonly string[]): readonly string[] {
  return table.length === 0 ? [] : ["", ...table];
}

/** How many users an import would bring, and which way each would come; no core was asked. */
export function readyText(summary: ValidateSummary, layout: Layout): string[] {
  return [...fitted(readyHeadline(summary), layout.columns), ...readyLines(summary, layout)];
}

function readyLines(summary: ValidateSummary, layout: Layout): string[] {
  const { ready, bridged, skipped, rejected, mapped, algorithms, skips } = summary;
  const table: [string, number, string][] = [
    ["import", ready.import - bridged, `would keep their password (${algorithmList(algorithms)})`],
    ["bridged", bridged, WOULD_BRIDGE],
    ["passwordless", ready.passwordless, "would be created without a password"],
    ["social", ready.thirdparty, "would be created without a password, with a social account"],
    ["skipped", skipped, `would be left out on purpose${skipsText({ skips })}`],
    ["rejected", rejected, "can't be migrated as they are"],
    lostRow(summary),
    ["ids kept", mapped, "of those brought would be known by the vendor's id"],
  ];
  return tableLines(table, layout);
}

/**
 * Users whose password the files don't have: another file of the vendor's may. Some of them come with a
 * social account, so that no other row can count them.
 */
function lostRow({
  notices,
  source,
}: Pick<ImportSummary, "notices" | "source">): [string, number, string] {
  const guide = source.includes(",") ? "" : `/${source}.md`;
  const text = `of those brought leave a password at the vendor: see docs/vendors${guide}`;
  return ["  no hash", notices.password_not_exported ?? 0, text];
}

/** "5,012 of 40,000 rows of csv (shard 3/8)", or all rows. */
function rowsText(summary: ImportSummary | ValidateSummary): string {
  const { read, source, shard } = summary;
  // All rows are read before the first is counted.
  if (summary.interrupted && read === 0) return source;
  if (shard === null) return `${count(read, "row")} of ${source}`;
  const { index, count: shards, exportRows } = shard;
  return `${grouped(read)} of ${count(exportRows, "row")} of ${source} (shard ${index}/${shards})`;
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

/** The end of every summary; the findings come last, next to the verdict. */
function withIssues(
  above: readonly string[],
  {
    summary,
    issues,
    setting: { layout, below, more },
  }: {
    readonly summary: ImportSummary | ValidateSummary;
    readonly issues: Issues;
    readonly setting: SummarySetting;
  },
): string[] {
  const { carriedUsers, notices } = summary;
  const found = new Set(issues.findings.map(({ code }) => code));
  const told = mostFirst(notices).filter(([code]) => !found.has(code));
  const lines = [
    ...above,
    ...apart([
      ...countLines("Carried along: ", Object.entries(carriedUsers), layout),
      ...countLines("Notices (help CODE): ", told, layout),
    ]),
    ...coverageLines(summary.passwordExport).flatMap((line) => fitted(line, layout.columns)),
  ];
  const groups = issues.groups.filter(({ type }) => type !== "skip");
  const room = layout.lines - lines.length - below;
  return [...lines, ...issueLines({ ...issues, groups }, layout, room, more)];
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

function algorithmList(algorithms: ImportSummary["algorithms"]): string {
  const parts = Object.entries(algorithms).map(counted);
  return parts.length === 0 ? "no hashes" : parts.join(", ");
}
