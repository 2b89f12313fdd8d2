/** What a run or a checkpoint came to, as one value: where users stand, and every number with its word. The summary, `status`, the report, its page and the metrics write it, so that one number can't be two. Pure. */

import type { CheckpointStatus } from "../checkpoint/status.js";
import type { ProvedUsers, Standings } from "../events/standing.js";
import type { ImportSummary, ValidateSummary } from "../events/summary.js";
import { mostFirst } from "./layout.js";
import { count, grouped, sum } from "./text.js";

/** Where users stand; `users` is the sum of the numbers from `there` to `open`. */
export type Standing = ReturnType<typeof standingOf>;

/** @param of what is known of a whole migration, or what a dry run says of its rows */
export function standingOf(of: Standings | ValidateSummary) {
  const { rejects, skips, failures } = of.otherRows;
  /** Rows beside the users, of {@link OTHER_ROWS}. */
  const beside = { rejected: sum(rejects), skipped: sum(skips), failed: sum(failures) };
  return "prediction" in of ? { ...foreseen(of, beside), beside } : { ...found(of), beside };
}

function found(of: Standings) {
  const { skipped, rejected, failed, written, unread, stillThere, cut } = of;
  return {
    /** All that are known; each row that no run has taken counts as one. */
    users: of.users + (unread ?? 0),
    there: of.imported + of.created + of.existed,
    /** Of a dry run those who are at the core already; else null, and `there` says who is. */
    already: null,
    skipped,
    rejected,
    failed,
    /** By the core's queue, and not read back yet. */
    written,
    queued: of.queued - written,
    /** Without an outcome. */
    open: of.pending + of.unknown + (unread ?? 0),
    /** Those of `open` whose rows no run has taken; null where there are more, and nobody knows how many. */
    unread,
    stillThere,
    cut,
  };
}

/** `there` are those who are ready: of whom the core wasn't asked, their rows say so. */
function foreseen(
  { prediction, ready, read, skipped, rejected, interrupted, limited, truncated }: ValidateSummary,
  beside: Readonly<Record<"rejected" | "skipped" | "failed", number>>,
) {
  const { outcomes, stops = {}, unasked = 0, kept = {}, stillThere = {} } = prediction ?? {};
  const again = prediction?.again ?? 0;
  const keeps = (...states: readonly string[]): number =>
    states.reduce((all, state) => all + (kept[state] ?? 0), 0);
  const isTruncated = truncated.length > 0 ? "truncated" : null;
  const cut = interrupted ? "stopped" : limited ? "limited" : isTruncated;
  return {
    users: read - beside.rejected - beside.skipped - beside.failed - again + sum(kept),
    there: outcomes === undefined ? sum(ready) : outcomes.imported + outcomes.created + unasked,
    already:
      outcomes === undefined
        ? 0
        : outcomes.existed +
          outcomes.unchanged -
          again +
          sum(stops) +
          keeps("imported", "created", "existed"),
    skipped: skipped - beside.skipped + keeps("skipped"),
    rejected: rejected - beside.rejected + keeps("rejected"),
    failed: (outcomes?.failed ?? 0) + keeps("failed"),
    written: 0,
    queued: keeps("queued"),
    open: keeps("pending", "unknown"),
    unread: cut === null ? 0 : null,
    stillThere,
    cut,
  } as const;
}

/** What each number means. A new one is a row here, in its place. */
const MEANINGS = {
  imported: "with their password",
  bridged: "imported; the bridge brings their password at the first sign-in",
  created: "without a password",
  "  social": "of those sign in by a social account",
  "  changed": "of those came by an earlier run",
  "  no hash": "of those brought leave a password at the vendor: see docs/vendors",
  existed: "at the core already, left as they are",
  unchanged: "finished by an earlier run",
  skipped: "left out on purpose",
  rejected: "can't be migrated as they are",
  failed: "not reached; running again tries them again",
  stop: "at the core already: the import would stop at the first",
  "not asked": "not looked up: what becomes of them isn't known",
  written: "by the core's queue, and not read back yet",
  queued:
    "in the core's queue when last asked; reconcile counts who is there, importing again reads them back",
  open: "without an outcome yet",
  "ids kept": "of those at the core are known by the vendor's id",
  incomplete: "of those at the core lack the vendor's id or a part",
} as const;

/** A word, its number, also 0, and what it means. */
export type ResultRow = readonly [label: string, number: number, meaning: string];

type Counted = Readonly<
  Partial<Record<keyof typeof MEANINGS, number | readonly [number, more: string]>>
>;

function rowsOf(counted: Counted): ResultRow[] {
  return Object.entries(MEANINGS).flatMap(([label, meaning]) => {
    const found = counted[label as keyof typeof MEANINGS];
    if (found === undefined) return [];
    const [number, more] = typeof found === "number" ? [found, ""] : found;
    return [[label, number, meaning + more] as const];
  });
}

type Codes = Readonly<Record<string, number>>;

/** " (disabled 5, sso_only 2)". */
function named(counts: readonly (readonly [string, number])[]): string {
  return counts.length === 0 ? "" : ` (${counts.map(counted).join(", ")})`;
}

/** "bcrypt 1,200". */
export function counted([name, number]: readonly [string, number]): string {
  return `${name} ${grouped(number)}`;
}

const withCodes = (number: number, codes: Codes) => [number, named(mostFirst(codes))] as const;

/** An import's rows by their outcome, beside all who are open. */
export function importRows(summary: ImportSummary): ResultRow[] {
  const { importedAlgorithms, mapped, notices, standing } = summary;
  const { open, written, queued } = standingOf(standing);
  return rowsOf({
    ...summary,
    ...sharedBy(summary, importedAlgorithms),
    "  changed": notices.account_updated ?? 0,
    written,
    queued,
    open,
    "ids kept": mapped,
  });
}

/** The sum of {@link importRows}: `pending` has but those of the run's rows who are open or queued. */
export function rowsOfImport({ read, pending, standing }: ImportSummary): number {
  const { open, written, queued } = standingOf(standing);
  return read - pending + written + queued + open;
}

/** The rows of a dry run's inputs by the outcome that an import would give them. */
export function dryRows(summary: ValidateSummary): ResultRow[] {
  const { ready, prediction, algorithms, rejected, mapped } = summary;
  const alone = { imported: ready.import, created: ready.passwordless + ready.thirdparty };
  const outcomes = prediction?.outcomes ?? alone;
  return rowsOf({
    ...outcomes,
    ...sharedBy({ ...summary, ...outcomes }, algorithms),
    rejected,
    stop: sum(prediction?.stops ?? {}),
    "not asked": prediction?.unasked ?? 0,
    "ids kept": mapped,
  });
}

/** What a dry run, an import and a checkpoint count alike. */
interface Shared
  extends Pick<
    CheckpointStatus,
    "imported" | "bridged" | "created" | "social" | "skipped" | "skips" | "notices"
  > {
  readonly source?: string;
}

function sharedBy({ source = ",", ...of }: Shared, algorithms: Codes = {}): Counted {
  const { imported, bridged, created, social, skipped, skips, notices } = of;
  // Another file of the vendor's may have the password; of some a social account hides that it is lost.
  const guide = source.includes(",") ? "" : `/${source}.md`;
  return {
    imported: [imported - bridged, named(Object.entries(algorithms))],
    bridged,
    created,
    "  social": social,
    "  no hash": [notices.password_not_exported ?? 0, guide],
    skipped: withCodes(skipped, skips),
  };
}

/** A checkpoint's users by where they stand; all but those "of those" add up to them. */
export function statusRows(status: CheckpointStatus): ResultRow[] {
  const { existed, unknown, unmapped, rejected, failed, rejects, failures } = status;
  const { written, queued, open } = standingOf(status);
  // A stop comes between the note and its call as well, and leaves them alike.
  const noted = `${grouped(unknown)} noted for a call: the next run looks them up first`;
  return rowsOf({
    ...sharedBy(status),
    existed,
    written,
    queued,
    rejected: withCodes(rejected, rejects),
    failed: withCodes(failed, failures),
    open: [open, unknown === 0 ? "" : ` (${noted})`],
    incomplete: unmapped,
  });
}

/** What known passwords have shown, whether or not the core was asked to sign their users in; empty where there are none. */
export function provedText(
  { sent, bridged }: ProvedUsers,
  got = "against what the core gets",
  proved = "Proved",
): string {
  const verified = (users: number, how: string): string[] => {
    const verify = users === 1 ? "verifies" : "verify";
    return users === 0 ? [] : [`${count(users, "known password")} ${verify} ${how}`];
  };
  const told = [...verified(sent, got), ...verified(bridged, "against what the vault keeps")];
  return told.length === 0 ? "" : `${proved}: ${told.join(". ")}.`;
}

/** A proof counts for the kinds of hashes that it has tried; what the signer key needs is told apart. */
export function untriedTexts({ untried = {} }: Pick<ProvedUsers, "untried">): string[] {
  const { vendor_scrypt: _, ...others } = untried;
  const kinds = Object.entries(others).flatMap((kind) => (kind[1] === 0 ? [] : counted(kind)));
  if (kinds.length === 0) return [];
  return [`Not tried, since no test user has such a hash: ${kinds.join(", ")}.`];
}

/** What a proof has shown, and for what it doesn't count. */
export function proofTexts(proved: ProvedUsers): string[] {
  return [provedText(proved), ...untriedTexts(proved)].filter((text) => text !== "");
}

/** Who was at the core before, and keeps the password there; empty for nobody. */
export function unvaultedText({ unvaulted: users }: Pick<Standings, "unvaulted">): string {
  const what = "doesn't have the old passwords of users who were at the core already";
  return users === 0 ? "" : `The vault of this import ${what}: ${grouped(users)}.`;
}
