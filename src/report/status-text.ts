/** A checkpoint's status and its runs as text for people. */

import type { CheckpointStatus, Statuses } from "../checkpoint/status.js";
import type { PauseEvent } from "../events/events.js";
import { tookNothing } from "../errors/unfinished.js";
import type { RunRecord, RunSums } from "../events/run-record.js";
import { standingLine, standingLines } from "./headline.js";
import { fitted, type Layout, PLAIN_LAYOUT, tableLines } from "./layout.js";
import type { Report } from "./report.js";
import { type ResultRow, statusRows } from "./results.js";
import { count, durationOf, grouped } from "./text.js";

/** The checkpoint's counts; what matters most comes first. */
export function statusText(status: CheckpointStatus, layout: Layout = PLAIN_LAYOUT): string[] {
  return [
    ...standingLines(status).flatMap((line) => fitted(line, layout.columns)),
    "",
    ...statusHead(status),
    "",
    ...tableLines(statusRows(status), layout),
  ];
}

/** Several checkpoints: a line each, then their sums. */
export function statusesText({ sum, each }: Statuses, layout: Layout = PLAIN_LAYOUT): string[] {
  const all = statusText(sum, layout);
  if (each.length === 1) return all;
  const lines = each.map(({ checkpoint, status }) => {
    return `${checkpoint}: ${status === null ? "not begun" : standingLine(status)}`;
  });
  return [...lines.flatMap((line) => fitted(line, layout.columns)), "", ...all];
}

/** Whose checkpoint it is, and its times. */
export function statusHead(status: CheckpointStatus): string[] {
  const { checkpoint, users, core, shard, begunAt, writtenAt, cutoverAt } = status;
  return [
    `${checkpoint}: ${count(users + (status.unread ?? 0), "user")}, ${boundCore(core)}`,
    ...(shard === null ? [] : [`  shard         ${shard.index} of ${shard.count}`]),
    ...(begunAt === null ? [] : [`  begun         ${momentOf(begunAt)}`]),
    `  last written  ${momentOf(writtenAt)}`,
    ...(cutoverAt === null ? [] : [`  cut over      ${momentOf(cutoverAt)}`]),
  ];
}

/** The same as one sentence, for a page. */
export function headText(status: CheckpointStatus): string {
  return statusHead(status)
    .map((line) => line.trim().replace(/ {2,}/g, " "))
    .join(" · ");
}

/** The core that a checkpoint belongs to, in words. */
export function boundCore(core: CheckpointStatus["core"]): string {
  if (core === null) return "no user at a core";
  return core.kind === "remote"
    ? `core ${core.url}`
    : `embedded core (id ${core.coreId.slice(0, 8)}…)`;
}

type Runs = Pick<Report, "runs" | "status">;

/** The latest run does where the checkpoint is locked. */
function goesOn(run: RunRecord, { runs, status }: Runs): boolean {
  return run.ending === null && status.running && run === runs.at(-1);
}

/** Whether a run broke off that may have brought more than it has noted. */
export function isKilled(run: RunRecord, report: Runs): boolean {
  return run.ending === null && !goesOn(run, report) && !tookNothing(run);
}

export function endingText(run: RunRecord, report: Runs): string {
  const { ending, reason, proof } = run;
  if (ending === "finished") return proof ? "finished, a proof" : "finished";
  if (ending === "failed") return `ended by ${reason}`;
  if (goesOn(run, report)) return "going on";
  if (tookNothing(run)) return "ended before anything was sent";
  // What it counted last is some seconds older than its users.
  return ending === "stopped" ? "stopped by a signal" : "killed, rows as noted last";
}

/** Name, number and meaning of what was called and waited for. */
export function callTable(sums: RunSums): ResultRow[] {
  const { calls } = sums;
  return [
    ["import", calls.import, "a user with a hash, a whole account or a queue's batch"],
    ["code", calls.code, "a code for a user without one"],
    ["consume", calls.consume, "which creates that user"],
    ["update", calls.update, "a second or a changed contact"],
    ["lookup", calls.lookup, "who is there already"],
    ["map", calls.map, "a vendor's id to be kept"],
    ["part", calls.part, "another part of an account"],
    ["made again", sums.retries, "of all these calls"],
  ];
}

/** The reasons for which all calls wait in words, in the order of a report. */
const WAITED_FOR: Readonly<Record<PauseEvent["reason"], string>> = {
  retry_after: "the core asked for it (Retry-After)",
  busy: "the core was overloaded",
  outage: "the core didn't answer",
};

/** How often and how long all calls waited, and why; empty where they never did. */
export function pauseLines({ pauses, pausedMs, waits }: RunSums): string[] {
  if (pauses === 0) return [];
  const reasons = Object.entries(WAITED_FOR).flatMap(([reason, why]) => {
    const wait = waits[reason as PauseEvent["reason"]];
    if (wait === undefined) return [];
    return [`${why}: ${times(wait.count)}, ${durationOf(wait.ms)}`];
  });
  const all = `all calls waited ${times(pauses)}, ${durationOf(pausedMs)} in all`;
  return reasons.length === 0
    ? [all]
    : [`${all}; of a second and more:`, ...reasons.map((line) => `  ${line}`)];
}

function times(number: number): string {
  return number === 1 ? "once" : `${grouped(number)} times`;
}

/** A moment as "2026-11-21 06:40 UTC". */
export function momentOf(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
