/** Runs whose users are all left out: each row has its outcome, and no user was migrated. */

import { finding } from "../events/findings.js";
import type { Finding, ImportSummary, ValidateSummary } from "../events/events.js";

type Summary = Omit<ImportSummary, "rejectsFiles"> | Omit<ValidateSummary, "rejectsFiles">;

/** Skips of rows that are no person's, and of users who are at the core. */
const NO_PERSON = ["service_account", "other_model"];
const AT_CORE = ["changed_after_cutover", "older_export"];

/**
 * Whether a run has read users, and none of them is at the core for it, or would be. Of a shard the
 * others know more.
 */
export function isNoneMigrated(summary: Summary): boolean {
  if (summary.interrupted || summary.shard !== null) return false;
  const { read, skips } = summary;
  const sum = (codes: readonly string[]): number =>
    codes.reduce((all, code) => all + (skips[code] ?? 0), 0);
  return read > sum(NO_PERSON) && reached(summary) + sum(AT_CORE) === 0;
}

/** What is told of such a run, with its main reasons. Where all are rejects, these say it. */
export function noneMigratedFindings(summary: Summary): Finding[] {
  if (!isNoneMigrated(summary) || summary.skipped === 0) return [];
  const reasons = Object.entries({ ...summary.skips, ...summary.rejects })
    .filter(([code]) => !NO_PERSON.includes(code))
    .sort(([, one], [, other]) => other - one)
    .map(([code, users]) => `${code} ${users.toLocaleString("en-US")}`);
  const users = summary.skipped + summary.rejected;
  return [
    finding("nobody_migrated", { count: users, rows: [] }, `Their codes: ${reasons.join(", ")}.`),
  ];
}

function reached(summary: Summary): number {
  if (summary.command === "validate") return summary.ready.import + summary.ready.passwordless;
  const { imported, created, existed, failed, unchanged } = summary;
  return imported + created + existed + failed + unchanged;
}
