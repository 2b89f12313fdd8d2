/** What a run is held to and tells at its end: the sum, users who are missing from a newer export, and runs that migrated no user. */

import { optionName } from "../errors/option-name.js";
import {
  countExample,
  type ExampleCounter,
  finding,
  newExampleCounter,
} from "../events/findings.js";
import type { Finding, Outcome, RowRef } from "../events/events.js";
import type { ImportEnd, ValidateEnd } from "../events/summary.js";
import { RunError } from "../errors/run-error.js";
import type { Absent } from "../checkpoint/earlier-users.js";
import type { Task } from "../plan/action.js";
import { INCLUDED, type Included } from "../plan/policy.js";
import { lackedOption } from "../plan/notices.js";

/** Skips of rows that are no person's, and of users who are at the core. */
const NO_PERSON = ["service_account", "other_model"];
const AT_CORE = ["changed_after_cutover", "older_export"];

/**
 * Whether a run has read users, and none of them is at the core for it, or would be. Of a shard the
 * others know more.
 */
export function isNoneMigrated(summary: ImportEnd | ValidateEnd): boolean {
  if (summary.interrupted || summary.shard !== null) return false;
  const { read, skips } = summary;
  const sum = (codes: readonly string[]): number =>
    codes.reduce((all, code) => all + (skips[code] ?? 0), 0);
  return read > sum(NO_PERSON) && reached(summary) + sum(AT_CORE) === 0;
}

/** What is told of such a run, with its main reasons. Where all are rejects, these say it. */
export function noneMigratedFindings(summary: ImportEnd | ValidateEnd): Finding[] {
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

function reached(summary: ImportEnd | ValidateEnd): number {
  if (summary.command === "import") return finished(summary) + failedOf(summary);
  const { ready, prediction } = summary;
  if (prediction === null) return ready.import + ready.passwordless + ready.thirdparty;
  const { outcomes, stops, unasked } = prediction;
  const stopping = Object.values(stops).reduce((sum, users) => sum + users, 0);
  return finished(outcomes) + outcomes.failed + stopping + unasked;
}

function finished({
  imported,
  created,
  existed,
  unchanged,
}: Pick<Record<Outcome, number>, "imported" | "created" | "existed" | "unchanged">): number {
  return imported + created + existed + unchanged;
}

/** Users who failed for now, or are in the core's queue still; of a dry run those who couldn't be looked up. */
export function failedOf(summary: ImportEnd | ValidateEnd): number {
  if (summary.command === "import") return summary.failed + summary.queued;
  return summary.prediction?.outcomes.failed ?? 0;
}

/**
 * Holds the promise that every record read ends in exactly one place.
 *
 * @throws RunError `internal`: a sum that doesn't add up is a bug of ours and must not look like success
 */
export function checkSum(read: number, accountedFor: number): void {
  if (read === accountedFor) return;
  throw new RunError("internal", `${read} rows were read, but ${accountedFor} are accounted for.`, {
    hint: "This is a bug in auth-migrate; please report it. The checkpoint is intact.",
  });
}

/** What a run notes on its way. */
export interface MissingUsers {
  /** Finished users whose rows are left out now: the vendor keeps them out since. */
  readonly disabled: ExampleCounter;
  /** Those who came in by an option that the run lacks. */
  readonly leftOut: ExampleCounter;
  /** How many of these by which. */
  readonly lacking: Partial<Record<Included, number>>;
  /** Finished users who keep a part of their account that no row of the run has. */
  readonly unshown: ExampleCounter;
  /** Rows that couldn't be read; any user may stand in one. */
  unreadable: number;
  /** Whether a row is of a file of rejects, which names some of an export's users. */
  isPartial: boolean;
}

export function newMissingUsers(): MissingUsers {
  return {
    disabled: newExampleCounter(),
    leftOut: newExampleCounter(),
    unshown: newExampleCounter(),
    lacking: {},
    unreadable: 0,
    isPartial: false,
  };
}

/** Notes a finished user whose row is left out now, and why they are at the core all the same. */
export function noteLeftOut(
  user: Pick<Task, "plan" | "entry" | "keys">,
  noted: MissingUsers,
): void {
  const { disabled, leftOut, lacking } = noted;
  const option = lackedOption(user);
  countExample(option === null ? disabled : leftOut, user.keys.row);
  if (option !== null) lacking[option] = (lacking[option] ?? 0) + 1;
}

/** The finding on users who came in by an option that the run lacks. */
export function stillThereFindings({ leftOut, lacking }: MissingUsers): Finding[] {
  const reasons = INCLUDED.flatMap((option) => {
    const users = (lacking[option] ?? 0).toLocaleString("en-US");
    return users === "0"
      ? []
      : [`${users} came in by ${optionName("--include")} ${option}, which this run lacks.`];
  });
  return reasons.length === 0 ? [] : [finding("still_there", leftOut, reasons.join(" "))];
}

const SINCE = "The vendor has disabled these users since, or the like.";

/**
 * @param absent the users whom the run hasn't met, after it has read everything
 * @param unread rows that earlier runs have left unread, and at which the last of these ended
 */
export function missingUserFindings(
  { brought, open }: Absent,
  { disabled, unshown, unreadable, isPartial }: MissingUsers,
  unread: { readonly count: number; readonly after: RowRef | null } = { count: 0, after: null },
): Finding[] {
  const findings: Finding[] = [];
  if (disabled.count > 0) findings.push(finding("still_there", disabled, SINCE));
  if (unshown.count > 0) findings.push(finding("part_not_shown", unshown));
  const gone = isPartial ? 0 : brought.count;
  const without = open.count + unread.count;
  if (gone + without === 0) return findings;
  const named = open.count > 0 || without === 0 ? { ...(without === 0 ? brought : open) } : null;
  const rows = named?.rows ?? (unread.after === null ? [] : [unread.after]);
  const details = [
    ...(without === 0 ? [] : [openText(without, rows)]),
    ...(unreadable === 0 ? [] : ["Some of them may be in rows of it that couldn't be read."]),
  ];
  const count = gone + without;
  const told = finding("gone_since_last_export", { count, rows: [...rows] }, details.join(" "));
  return [...findings, { ...told, sourceIds: named?.sourceIds ?? [] }];
}

/** Users whom a run was stopped before, which the import of their file brings. */
function openText(users: number, rows: readonly RowRef[]): string {
  const files = [...new Set(rows.map(({ file }) => file))].join(", ");
  const has = users === 1 ? "has" : "have";
  return `${users.toLocaleString("en-US")} of them ${has} no outcome, since an earlier run ended before: import ${files === "" ? "their file" : files} to bring them.`;
}
