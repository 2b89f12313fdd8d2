/** Describes runs in words, for every format of the report. */

import type { RunRecord } from "../events/run-record.js";
import { PAUSE_REASONS, type Report, type RunSums, WAITED_FOR } from "./report.js";

/** A run without an end is going on only if it is the latest and the checkpoint is locked. */
export function endingText(
  run: RunRecord,
  { runs, status }: Pick<Report, "runs" | "status">,
): string {
  const { ending, reason } = run;
  if (ending === "finished") return "finished";
  if (ending === "stopped") return STOPPED[reason ?? ""] ?? "stopped";
  if (ending === "failed") return `ended by ${reason}`;
  return status.running && run === runs?.at(-1) ? "going on" : "killed";
}

const STOPPED: Readonly<Record<string, string>> = {
  signal: "stopped by hand",
  max_duration: "stopped by --max-duration",
  max_rejects: "stopped by --max-rejects",
};

/** Name, number and meaning of what was called and waited for. */
export function callTable(sums: RunSums): [name: string, number: number, meaning: string][] {
  const { calls } = sums;
  return [
    ["import", calls.import, "a user with a password hash"],
    ["code", calls.code, "a code for a user without one"],
    ["consume", calls.consume, "which creates that user"],
    ["update", calls.update, "a second or a changed contact"],
    ["lookup", calls.lookup, "who is there already"],
    ["map", calls.map, "a vendor's id to be kept"],
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
  return number === 1 ? "once" : `${number.toLocaleString("en-US")} times`;
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
