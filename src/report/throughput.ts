/** Throughput over time, from a run's samples. Pure. */

import type { RunRecord, RunSample } from "../events/run-record.js";

/** A stretch of a run. */
export interface Stretch {
  /** Milliseconds since the run's begin. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly perSecond: number;
  /** All calls waited during a part of it. */
  readonly paused: boolean;
}

const SECOND = 1000;

/** Where every run begins. */
const BEGIN: RunSample = { elapsedMs: 0, done: 0, pausedMs: 0 };

/**
 * A run from sample to sample; some are passed over where there are more than are wanted, or less than a second lies between them.
 *
 * @returns empty where fewer than two samples were taken
 */
export function stretchesOf({ samples }: Pick<RunRecord, "samples">, most: number): Stretch[] {
  const [first] = samples;
  if (first === undefined || samples.length < 2) return [];
  const all = first.done === 0 ? samples : [BEGIN, ...samples];
  // Of a shorter stretch a rate reads as more rows than there are.
  const whole: RunSample[] = [];
  for (const [at, sample] of all.entries()) {
    const isWhole = sample.elapsedMs - (whole.at(-1)?.elapsedMs ?? -SECOND) >= SECOND;
    const isLast = at === all.length - 1;
    if (!isWhole && isLast && whole.length > 1) whole.pop();
    if (isWhole || isLast) whole.push(sample);
  }
  const last = whole.length - 1;
  const step = Math.ceil(last / most);
  const bounds = whole.filter((_sample, at) => at % step === 0 || at === last);
  return bounds.slice(1).flatMap((to, at) => {
    const from = bounds[at] ?? BEGIN;
    const [fromMs, toMs] = [from.elapsedMs, to.elapsedMs];
    if (toMs <= fromMs) return [];
    const perSecond = ((to.done - from.done) / (toMs - fromMs)) * 1000;
    return [{ fromMs, toMs, perSecond, paused: to.pausedMs > from.pausedMs }];
  });
}

/** Stretches of a run that a text shows. */
const MOST_STRETCHES = 12;

/** The throughput of the latest run that has finished users and took long enough to show one; null where none did. */
export function latestThroughput(
  runs: readonly RunRecord[],
): { readonly number: number; readonly stretches: readonly Stretch[] } | null {
  for (const run of runs.toReversed()) {
    const stretches = stretchesOf(run, MOST_STRETCHES);
    const hasDone = stretches.some(({ perSecond }) => perSecond > 0);
    if (stretches.length >= 2 && hasDone) return { number: run.number, stretches };
  }
  return null;
}

/** "0:07", "12:30", "1:02:00": hours and minutes only where there are so many. */
export function clockText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const two = (number: number): string => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  const rest = two(seconds % 60);
  return minutes < 60
    ? `${minutes}:${rest}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
}
