/** Throughput over time, from a run's samples. Pure. */

import type { RunRecord } from "../events/run-record.js";

/** A stretch of a run. */
export interface Stretch {
  /** Milliseconds since the run's begin. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly perSecond: number;
  /** All calls waited during a part of it. */
  readonly paused: boolean;
}

/**
 * A run in stretches of equal length; where it has fewer samples than that, from sample to sample.
 *
 * @returns empty where fewer than two samples were taken
 */
export function stretchesOf(run: RunRecord, most: number): Stretch[] {
  const points = run.samples.map(({ elapsedMs, done }) => ({ at: elapsedMs, done }));
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined || last.at <= first.at) return [];
  const start = first.done === 0 ? first : { at: 0, done: 0 };
  const whole = start === first ? points : [start, ...points];
  const bounds =
    whole.length <= most + 1
      ? whole.map(({ at }) => at)
      : Array.from(
          { length: most + 1 },
          (_bound, at) => start.at + ((last.at - start.at) * at) / most,
        );
  return bounds.slice(1).flatMap((toMs, at) => {
    const fromMs = bounds[at] ?? 0;
    if (toMs <= fromMs) return [];
    const done = doneAt(whole, toMs) - doneAt(whole, fromMs);
    const paused = run.samples.some(({ elapsedMs, pausedMs }, of) => {
      const before = run.samples[of - 1];
      const hasWaited = pausedMs > (before?.pausedMs ?? 0);
      return hasWaited && (before?.elapsedMs ?? 0) < toMs && elapsedMs > fromMs;
    });
    return [{ fromMs, toMs, perSecond: (done / (toMs - fromMs)) * 1000, paused }];
  });
}

/** Stretches of a run that a text shows. */
const MOST_STRETCHES = 12;

/** The throughput of the latest run that took long enough to show one; null where none did. */
export function latestThroughput(
  runs: readonly RunRecord[],
): { readonly number: number; readonly stretches: readonly Stretch[] } | null {
  for (const run of runs.toReversed()) {
    const stretches = stretchesOf(run, MOST_STRETCHES);
    if (stretches.length >= 2) return { number: run.number, stretches };
  }
  return null;
}

/** Between two samples the run is taken to have gone evenly. */
function doneAt(
  points: readonly { readonly at: number; readonly done: number }[],
  time: number,
): number {
  const next = points.findIndex(({ at }) => at >= time);
  const after = points[next];
  const before = points[next - 1];
  if (after === undefined) return points.at(-1)?.done ?? 0;
  if (before === undefined || after.at === before.at) return after.done;
  return before.done + ((after.done - before.done) * (time - before.at)) / (after.at - before.at);
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
