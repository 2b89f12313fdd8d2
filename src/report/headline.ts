/** What matters most, in a sentence that stands first: how many users are at the core, of how many, and what became of the others. Pure. */

import type { ShardsProof } from "../checkpoint/prove-shards.js";
import type { CheckpointStatus } from "../checkpoint/status.js";
import type { ImportSummary, ValidateSummary } from "../events/summary.js";
import { shardsVerdict } from "./shards-text.js";
import { count, grouped, sum } from "./text.js";

/** How many users or rows ended how. */
type Ended = Pick<
  ImportSummary,
  "imported" | "created" | "existed" | "skipped" | "rejected" | "failed"
>;

/** "47,953 of 50,000 users are at the core (96 %), 1,367 rejected, 680 left out"; empty where there is no user. */
function headline(ended: Ended, users: number, open: number): string {
  if (users === 0) return "";
  const { imported, created, existed, skipped, rejected, failed } = ended;
  const there = imported + created + existed;
  const are = users === 1 ? "is" : "are";
  const rest = [
    ...part(rejected, "rejected"),
    ...part(skipped, "left out"),
    ...part(failed, "not reached"),
    ...part(open, "still open"),
  ];
  const of = `${grouped(there)} of ${count(users, "user")} ${are} at the core`;
  // 100 only where all are.
  const percent = there === users ? 100 : Math.min(99, Math.round((there / users) * 100));
  return `${[`${of} (${percent} %)`, ...rest].join(", ")}.`;
}

function part(users: number, how: string): string[] {
  return users === 0 ? [] : [`${grouped(users)} ${how}`];
}

/** The same of a run, whose users are the rows that it has read. */
export function runHeadline(summary: ImportSummary): string {
  const { unchanged, pending, read } = summary;
  return headline({ ...summary, existed: summary.existed + unchanged }, read, pending);
}

/** "240 of 245 users are ready, 5 are skipped"; where a core was asked, those who are there aren't. */
export function readyHeadline({
  ready,
  prediction,
  read,
  skipped,
  rejected,
}: ValidateSummary): string {
  const { outcomes, unasked = 0 } = prediction ?? {};
  const users =
    outcomes === undefined
      ? ready.import + ready.passwordless + ready.thirdparty
      : outcomes.imported + outcomes.created + unasked;
  const there = (outcomes?.existed ?? 0) + (outcomes?.unchanged ?? 0);
  const parts = [
    are(users, `of ${count(read, "user")}`, "ready", read),
    ...(there > 0 ? [are(there, "", "there already")] : []),
    ...(skipped > 0 ? [are(skipped, "", "skipped")] : []),
    ...(rejected > 0 ? [are(rejected, "", "rejected")] : []),
  ];
  return `${parts.join(", ")}.`;
}

/** @param all of whom the number is a part: "0 of 1 user is", "0 of 2 users are" */
function are(number: number, of: string, what: string, all = number): string {
  const is = number === 1 || all === 1;
  const words = [grouped(number), of, is ? "is" : "are", what];
  return words.filter((word) => word !== "").join(" ");
}

/**
 * The first line of a run that goes on from earlier ones: what is done, and what is left.
 *
 * @param rows of the files that it reads; null where they weren't counted
 */
export function resumedText(earlier: CheckpointStatus, rows: number | null): string {
  const { imported, created, existed } = earlier;
  const there = imported + created + existed;
  const are = there === 1 ? "is" : "are";
  const done = `Going on: ${count(there, "user")} ${are} at the core by earlier runs`;
  const open = rows === null ? null : rows - there;
  if (open === null || open <= 0 || !isCutShort(earlier))
    return `${done}; what is new or changed is sent.`;
  return `${done}, ${grouped(open)} of ${count(rows ?? 0, "row")} ${open === 1 ? "isn't" : "aren't"} there yet.`;
}

/**
 * What stands first of a checkpoint: where its users are, which rows aren't among them, and what is next.
 *
 * @param shards of a split export, whether its parts are one whole import
 */
export function standingLines(
  status: CheckpointStatus,
  shards: ShardsProof | null = null,
): string[] {
  const first = headline(status, status.users, openUsers(status));
  return [first, ...unprovedTexts(status), besideText(status), nextText(status, shards)].filter(
    (line) => line !== "",
  );
}

/** A wrong key looks like success. */
export function unprovedTexts({ unproved }: Pick<CheckpointStatus, "unproved">): string[] {
  if (unproved === 0) return [];
  return [
    `Nothing has proved the signer key, and ${count(unproved, "user")} can sign in only if it is right (unproved).`,
  ];
}

/** Rows that no user stands for, so that rows and users add up. */
function besideText({ otherRows: { rejects, skips, failures } }: CheckpointStatus): string {
  const parts = [
    ...part(sum(rejects), "rejected"),
    ...part(sum(skips), "left out"),
    ...part(sum(failures), "not reached"),
  ];
  if (parts.length === 0) return "";
  return `Rows beside them: ${parts.join(", ")} (duplicates, rows that can't be read, changes of users at the core).`;
}

/** Users and changes that a run that is over has still to bring to an end. */
export function unfinishedUsers({
  failed,
  unmapped,
  otherRows,
  ...open
}: CheckpointStatus): number {
  return failed + openUsers(open) + unmapped + sum(otherRows.failures);
}

/** Users without an outcome. */
function openUsers({
  queued,
  pending,
  unknown,
}: Pick<CheckpointStatus, "queued" | "pending" | "unknown">): number {
  return queued + pending + unknown;
}

function nextText(status: CheckpointStatus, shards: ShardsProof | null): string {
  if (status.running) return "A run is going on.";
  const unfinished = unfinishedUsers(status);
  if (unfinished > 0) {
    const are = unfinished === 1 ? "is" : "are";
    return `No run is going on, and ${count(unfinished, "user")} ${are} unfinished: the same import again goes on.`;
  }
  if (shards?.proved === false) return `No run is going on. ${shardsVerdict(shards)}`;
  // Rows that it never read may be of further users.
  if (isCutShort(status)) {
    return "No run is going on, and the latest one is unfinished: the same import again goes on.";
  }
  if (status.unproved > 0) {
    return "No run is going on. Next: prove the signer key by one user's password, with prove or by the same import with --prove FILE.";
  }
  if (status.rejected + sum(status.otherRows.rejects) > 0) {
    return "No run is going on. Next: mend what was rejected, as its code says, and import it.";
  }
  const next = status.cutoverAt === null ? " Next: compare them with the core by reconcile." : "";
  return `No run is going on, and every user is finished.${next}`;
}

function isCutShort({ progress }: CheckpointStatus): boolean {
  return progress !== null && progress.done < (progress.total ?? Infinity);
}
