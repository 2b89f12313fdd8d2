/** How far runs have come, how fast the latest one is and what they have left unread, from what the checkpoint keeps of them. A row that no run has read counts as a user who is still open. Pure. */

import type { Field } from "../events/lines/lines.js";
import { tookNothing } from "../errors/unfinished.js";
import type { RunRecord } from "../events/run-record.js";
import type { Cut } from "../events/standing.js";

/** How far the latest run has come. */
export type RunProgress = NonNullable<Field<"status", "progress">>;

/** A rate of a shorter time is worth nothing. */
const LEAST_MS = 5000;
/** A run that has written nothing for so long stands still, whatever its rate was. */
const STALE_MS = 60_000;

/**
 * @param run the latest one of a checkpoint
 * @param silentMs how long ago the checkpoint was written, of one whose run goes on; null for others
 * @param queue how many users it has, or had until they are read back, and has written of them
 * @param before rows whose users an earlier run has brought that this one goes on with
 */
export function progressOf(
  run: RunRecord,
  silentMs: number | null,
  { queued, written } = { queued: 0, written: 0 },
  before = 0,
): RunProgress {
  const done = sumOf(Object.values(run.outcomes));
  const isWhole = run.ending === "finished" && run.reason === null;
  const total = isWhole ? done : run.total;
  const isLive = silentMs !== null && silentMs < STALE_MS;
  // What the core's queue has written has no outcome yet.
  const through = Math.max(done, run.samples.at(-1)?.done ?? 0);
  // Until it has written some, nothing says how long it takes.
  const isHeld = queued > 0 && written === 0;
  const perSecond = isLive && !isHeld ? rateOf(run, through - before) : null;
  const isKnown = perSecond !== null && perSecond > 0 && total !== null;
  // Those who are there already take no time.
  const left = isKnown ? Math.max(0, total - through - run.ahead) : 0;
  const leftMs = isKnown ? Math.round((left / perSecond) * 1000) : null;
  return { done, total, perSecond, leftMs };
}

/** Over the whole run: a burst or a stall of the last seconds says nothing of the rest. */
function rateOf({ elapsedMs, samples }: RunRecord, done: number): number | null {
  // While a run reads its files, no row is done.
  const begun = samples.findLast((sample) => sample.done === 0)?.elapsedMs ?? 0;
  const workedMs = elapsedMs - begun;
  return workedMs < LEAST_MS ? null : Math.round((done / workedMs) * 10_000) / 10;
}

/**
 * The progress of several runs as that of one; those that go on end with the slowest.
 *
 * @param rows in all, where they are known otherwise
 */
export function addProgress(
  all: readonly (RunProgress | null)[],
  rows: number | null = null,
): RunProgress | null {
  const known = all.filter((one) => one !== null);
  if (known.length === 0) return null;
  const totals = known.map(({ total }) => total);
  const live = known.filter(({ perSecond }) => perSecond !== null);
  const lefts = live.map((one) => one.leftMs);
  return {
    done: sumOf(known.map(({ done }) => done)),
    total: rows ?? (areKnown(totals) ? sumOf(totals) : null),
    perSecond: live.length === 0 ? null : sumOf(live.map((one) => one.perSecond ?? 0)),
    leftMs: lefts.length > 0 && areKnown(lefts) ? Math.max(...lefts) : null,
  };
}

function areKnown(numbers: readonly (number | null)[]): numbers is readonly number[] {
  return numbers.every((number) => number !== null);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

type Run = Pick<RunRecord, "ending" | "reason" | "known" | "total" | "read" | "proof" | "calls">;

/**
 * The latest run that read more than the test users of a proof; undefined where none has. One that
 * took no row changes nothing of what those before it left.
 */
export function latestImport<R extends Run>(runs: readonly R[]): R | undefined {
  const imports = runs.filter(({ proof }) => !proof);
  return imports.findLast((run) => !tookNothing(run)) ?? imports.at(-1);
}

/**
 * How many users the latest import has left unread; null where it isn't known.
 *
 * @param runs in their order
 * @param users whom the checkpoint knows
 * @param beside rows that it keeps and that no user stands for
 */
export function unreadBy(runs: readonly Run[], users: number, beside: number): number | null {
  const run = latestImport(runs);
  if (run === undefined) return runs.length === 0 ? 0 : null;
  const { ending, reason, known, total, read } = run;
  if (known !== null) return Math.max(0, known - users);
  if (ending === "finished" && reason === null) return 0;
  if (ending === "finished" || ending === "stopped") return null;
  // It goes on, or has broken off: it has read rows whose users aren't written.
  const before = unreadBy(runs.slice(0, runs.indexOf(run)), users, beside);
  if (total !== null) return Math.max(before ?? 0, total - users - beside);
  return read === 0 ? before : null;
}

/**
 * Why the latest import has left rows unread; null where it hasn't.
 *
 * @param runs in their order; the latest one has ended, or was killed
 */
export function cutBy(runs: readonly Run[]): Cut | null {
  const run = latestImport(runs);
  if (run === undefined) return runs.length === 0 ? null : "proof";
  const { ending, reason, read, total } = run;
  if (ending === "finished") return reason === "limited" || reason === "truncated" ? reason : null;
  const hasBegun = read > 0 || (ending === null && total !== null);
  return ending === "stopped" || hasBegun ? "stopped" : cutBy(runs.slice(0, runs.indexOf(run)));
}
