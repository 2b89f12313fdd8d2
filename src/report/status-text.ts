/** A checkpoint's status and its runs as text for people. */

import type { RunProgress } from "../checkpoint/run-progress.js";
import type { CheckpointStatus, Statuses } from "../checkpoint/status.js";
import { unfinishedUsers } from "../errors/unfinished.js";
import type { RunRecord, RunSums } from "../events/run-record.js";
import { percentOf, standingLines } from "./headline.js";
import { codeLines, fitted, type Layout, PLAIN_LAYOUT, tableLines } from "./layout.js";
import { PAUSE_REASONS, type Report, WAITED_FOR } from "./report.js";
import { count, grouped } from "./text.js";

/** The checkpoint's counts; what matters most comes first. */
export function statusText(status: CheckpointStatus, layout: Layout = PLAIN_LAYOUT): string[] {
  return [
    ...standingLines(status).flatMap((line) => fitted(line, layout.columns)),
    "",
    ...statusHead(status),
    "",
    ...tableLines(outcomeTable(status), layout),
    ...codeLines("Rejected", status.rejects),
    ...codeLines("Skipped", status.skips),
    ...codeLines("Failed", status.failures),
    ...codeLines("Rows not counted as users", {
      ...status.otherRows.rejects,
      ...status.otherRows.skips,
      ...status.otherRows.failures,
    }),
  ];
}

/** Several checkpoints: a line each, then their sums. */
export function statusesText({ sum, each }: Statuses, layout: Layout = PLAIN_LAYOUT): string[] {
  const width = Math.max(...each.map(({ checkpoint }) => checkpoint.length));
  const lines = each.map(
    ({ checkpoint, status }) => `${checkpoint.padEnd(width)}   ${partText(status)}`,
  );
  const all = statusText(sum, layout);
  return each.length === 1 ? all : [...lines, "", ...all];
}

function partText(status: CheckpointStatus | null): string {
  if (status === null) return "not begun";
  const unfinished = unfinishedUsers(status);
  const { progress, running, users } = status;
  const far = progress === null ? count(users, "user") : progressText(progress);
  if (running) return `going on: ${far}`;
  return unfinished === 0 ? `finished: ${far}` : `${far}; ${count(unfinished, "user")} unfinished`;
}

/** How far a run is, in a line for a log. */
export function standingLine(status: CheckpointStatus): string {
  const { progress, users, rejected, failed } = status;
  const far = progress === null ? count(users, "user") : progressText(progress);
  const flaws = [
    ...(rejected === 0 ? [] : [`${grouped(rejected)} rejected`]),
    ...(failed === 0 ? [] : [`${grouped(failed)} failed`]),
  ];
  return [far, ...flaws].join("; ");
}

/** How fast a run is that goes on. Its own counts are some seconds old, and another number beside that of its users. */
function paceText(progress: RunProgress): string {
  if (progress.done === 0) return "no row done yet";
  const parts = rateParts(progress);
  return parts.length === 0 ? "at work" : parts.join(", ");
}

function rateParts({ perSecond, leftMs }: RunProgress): string[] {
  const rate = perSecond ?? 0;
  return [
    ...(rate === 0 ? [] : [`${rate < 10 ? rate : grouped(Math.round(rate))} a second`]),
    ...(leftMs === null || leftMs === 0 ? [] : [`${durationOf(leftMs)} left`]),
  ];
}

/** "7,492 of 50,000 rows (14 %), 214 a second, 3 min 19 s left"; what isn't known is left out. */
function progressText(progress: RunProgress): string {
  const { done, total } = progress;
  if (done === 0 && total === null) return "no row done yet";
  const part = total === null || total === 0 ? "" : ` (${percentOf(done, total)} %)`;
  const far =
    total === null ? count(done, "row") : `${grouped(done)} of ${count(total, "row")}${part}`;
  return [far, ...rateParts(progress)].join(", ");
}

/** Whose checkpoint it is, its times, and how far a run is that goes on or came to no end. */
export function statusHead(status: CheckpointStatus): string[] {
  const { checkpoint, users, core, shard, begunAt, writtenAt, cutoverAt, progress } = status;
  const isOpen = progress !== null && (status.running || progress.done < (progress.total ?? 0));
  return [
    `${checkpoint}: ${count(users + (status.unread ?? 0), "user")}, ${boundCore(core)}`,
    ...(shard === null ? [] : [`  shard         ${shard.index} of ${shard.count}`]),
    ...(begunAt === null ? [] : [`  begun         ${momentOf(begunAt)}`]),
    `  last written  ${momentOf(writtenAt)}`,
    ...(cutoverAt === null ? [] : [`  cut over      ${momentOf(cutoverAt)}`]),
    ...(isOpen
      ? [`  latest run    ${status.running ? paceText(progress) : progressText(progress)}`]
      : []),
  ];
}

/** The same as one sentence, for a page. */
export function headText(status: CheckpointStatus): string {
  return statusHead(status)
    .map((line) => line.trim().replace(/ {2,}/g, " "))
    .join(" · ");
}

/** Name, number and meaning of every state, also of states without a user. */
export function outcomeTable(status: CheckpointStatus): [string, number, string][] {
  return [
    ["imported", status.imported - status.bridged, "at the core, with their password"],
    [
      "bridged",
      status.bridged,
      "at the core; the bridge brings their password at the first sign-in",
    ],
    ["created", status.created, "at the core, without a password"],
    ["existed", status.existed, "were at the core already, left as they were"],
    ["skipped", status.skipped, "left out on purpose"],
    ["rejected", status.rejected, "can't be migrated as they are"],
    ["failed", status.failed, "not reached; running again tries them again"],
    ...(status.queued === 0 ? [] : [queuedRow(status.queued)]),
    ["pending", status.pending, "known, and not at the core"],
    ["unread", status.unread ?? 0, "users of rows that weren't read yet"],
    [status.running ? "in flight" : "unknown", status.unknown, unknownText(status)],
    ["incomplete", status.unmapped, "of those at the core lack the vendor's id or a part"],
  ];
}

/** A line of users whom the core has only taken. */
export function queuedRow(users: number): [string, number, string] {
  return ["queued", users, "in the core's queue, which writes them later"];
}

function unknownText({ running }: CheckpointStatus): string {
  return running
    ? "begun, and not answered yet"
    : "begun by a run that has ended; the next one finds out what became of them";
}

/** The core that a checkpoint belongs to, in words. */
export function boundCore(core: CheckpointStatus["core"]): string {
  if (core === null) return "no user at a core";
  return core.kind === "remote"
    ? `core ${core.url}`
    : `embedded core (id ${core.coreId.slice(0, 8)}…)`;
}

/** A run without an end is going on only if it is the latest and the checkpoint is locked. */
export function endingText(
  run: RunRecord,
  { runs, status }: Pick<Report, "runs" | "status">,
): string {
  const { ending, reason, proof } = run;
  if (ending === "finished") return proof ? "finished, a proof" : "finished";
  if (ending === "stopped") return "stopped by a signal";
  if (ending === "failed") return `ended by ${reason}`;
  return status.running && run === runs.at(-1) ? "going on" : "killed";
}

/** Name, number and meaning of what was called and waited for. */
export function callTable(sums: RunSums): [name: string, number: number, meaning: string][] {
  const { calls } = sums;
  return [
    ["import", calls.import, "a user with a password hash, or a whole account"],
    ["code", calls.code, "a code for a user without one"],
    ["consume", calls.consume, "which creates that user"],
    ["update", calls.update, "a second or a changed contact"],
    ["lookup", calls.lookup, "who is there already"],
    ["map", calls.map, "a vendor's id to be kept"],
    ["part", calls.part, "another part of an account"],
    ["made again", sums.retries, "of all these calls"],
  ];
}

/** How often and how long all calls waited, and why; empty where they never did. */
export function pauseLines({ pauses, pausedMs, waits }: RunSums): string[] {
  if (pauses === 0) return [];
  const reasons = PAUSE_REASONS.flatMap((reason) => {
    const wait = waits[reason];
    if (wait === undefined) return [];
    return [`${WAITED_FOR[reason]}: ${times(wait.count)}, ${durationOf(wait.ms)}`];
  });
  const all = `all calls waited ${times(pauses)}, ${durationOf(pausedMs)} in all`;
  return reasons.length === 0
    ? [all]
    : [`${all}; of a second and more:`, ...reasons.map((line) => `  ${line}`)];
}

function times(number: number): string {
  return number === 1 ? "once" : `${grouped(number)} times`;
}

/** "0.4 s", "41 s", "12 min 5 s", "3 h 20 min". */
export function durationOf(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A moment as "2026-11-21 06:40 UTC". */
export function momentOf(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
