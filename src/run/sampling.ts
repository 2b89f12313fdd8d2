/** A series of samples in constant space: where it is full, every other one is forgotten and the next ones come half as often. Pure. */

import type { RunNote } from "../checkpoint/run-log.js";
import type { PauseSpan, RunSample } from "../events/run-record.js";

/** Most samples of a run, and most pauses. */
export const MOST_SAMPLES = 400;
const FIRST_INTERVAL_MS = 1000;

/** What is to be written of the series. */
type Change = Pick<RunNote, "sample" | "thinned" | "pauseSpans">;

interface Sampling {
  /** Null where it isn't time for a sample yet. */
  take(sample: RunSample): Change | null;
  /** The sample at a run's end, whenever the one before was. */
  last(sample: RunSample): Change;
  /** All calls wait from a moment on. */
  pause(beganMs: number, waitMs: number): void;
}

export function createSampling(): Sampling {
  let times: number[] = [];
  let intervalMs = FIRST_INTERVAL_MS;
  let spans: PauseSpan[] = [];
  let gapMs = FIRST_INTERVAL_MS;
  let hasPaused = false;

  const add = (sample: RunSample): Change => {
    const thinned = times.length < MOST_SAMPLES ? [] : times.filter((_time, at) => at % 2 === 1);
    if (thinned.length > 0) {
      times = times.filter((_time, at) => at % 2 === 0);
      intervalMs *= 2;
    }
    times.push(sample.elapsedMs);
    const pauseSpans = hasPaused ? { pauseSpans: [...spans] } : {};
    hasPaused = false;
    return { sample, thinned, ...pauseSpans };
  };

  return {
    take: (sample) =>
      sample.elapsedMs - (times.at(-1) ?? Number.NEGATIVE_INFINITY) < intervalMs
        ? null
        : add(sample),
    last: add,
    pause(beganMs, waitMs) {
      hasPaused = true;
      spans = joined([...spans, { beganMs, endedMs: beganMs + waitMs }], gapMs);
      while (spans.length > MOST_SAMPLES) {
        gapMs *= 2;
        spans = joined(spans, gapMs);
      }
    },
  };
}

/** Pauses that follow each other closely are one. */
function joined(spans: readonly PauseSpan[], gapMs: number): PauseSpan[] {
  const result: PauseSpan[] = [];
  for (const span of spans) {
    const before = result.at(-1);
    if (before === undefined || span.beganMs - before.endedMs > gapMs) result.push(span);
    else {
      const endedMs = Math.max(before.endedMs, span.endedMs);
      result.splice(-1, 1, { ...before, endedMs });
    }
  }
  return result;
}
