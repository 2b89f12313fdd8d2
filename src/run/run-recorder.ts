/** Records a run for the report: listens to what it tells and notes now and then where it stands. It decides nothing and keeps nothing personal. */

import { carriedUsers } from "../plan/carried-users.js";
import { RunError } from "../errors/run-error.js";
import type { BeginRun, KeptRow, ReadRows, RunNote } from "../checkpoint/run-history.js";
import type {
  FindingEvent,
  HashCount,
  MigrationEvent,
  PauseEvent,
  ProgressEvent,
  RowEvent,
  RowRef,
} from "../events/events.js";
import type { ImportEnd } from "../events/summary.js";
import type { PauseCount, PauseSpan, RunCounts, RunSample } from "../events/run-record.js";
import { Tally } from "../events/tally.js";
import type { Timing } from "../events/timing.js";

/** How often at most the counts are written, so that little of them is lost with a run that is killed. */
const NOTE_INTERVAL_MS = 5000;

export interface RunRecorder {
  /** Told all that the run tells. */
  hear(event: MigrationEvent): void;
  /**
   * The run's own counts, which are noted from now on.
   *
   * @param hashes as far as they are known before the bulk
   * @param rows of all inputs; null where they weren't counted
   */
  watch(tally: Tally, hashes: readonly HashCount[], rows: number | null): void;
  /** Keeps rows that were refused or failed, and whose users' entries don't say so. */
  keepRows(read: ReadRows, rows: readonly KeptRow[]): Promise<void>;
  /** Forgets what earlier runs kept so of a file's rows. */
  readToEnd(file: string): Promise<void>;
  finished(summary: ImportEnd): Promise<void>;
  /** Notes as far as that is possible why the run couldn't go on. */
  failed(error: unknown): Promise<void>;
}

/** What a recorder needs of the run. */
interface Recording {
  readonly source: string;
  readonly timing: Timing;
  /** Told of a note that couldn't be written. */
  readonly onFailure: (error: unknown) => void;
}

export async function recordRun(
  begin: BeginRun,
  { source, timing, onFailure }: Recording,
): Promise<RunRecorder> {
  const start = timing.now();
  const log = await begin(source);
  const sampling = createSampling();
  const news = createNews();
  let tally = new Tally();
  let total: number | null = null;
  let notedMs = Number.NEGATIVE_INFINITY;
  const countsNow = (end: Partial<RunCounts> = {}): RunCounts =>
    Object.assign(countsOf(tally, news), { total, known: null }, end);
  const elapsed = (): number => Math.round(timing.now() - start);
  const noteProgress = (event: ProgressEvent): void => {
    const { elapsedMs } = event;
    const sample = sampling.take(sampleOf(elapsedMs, tally, event.inFlight));
    if (sample === null && elapsedMs - notedMs < NOTE_INTERVAL_MS && !news.isFull()) return;
    notedMs = elapsedMs;
    const note = { elapsedMs, counts: countsNow(), ...sample, ...news.take() };
    log.note(note).catch(onFailure);
  };
  const noteEnd = (
    ending: NonNullable<RunNote["ending"]>,
    { pending = 0, hashes, standing }: Partial<Pick<ImportEnd, "pending" | "hashes" | "standing">>,
  ): Promise<void> => {
    const elapsedMs = elapsed();
    const sample = sampling.last(sampleOf(elapsedMs, tally, 0));
    if (hashes !== undefined) news.hashes(hashes);
    const counts = countsNow({ pending, known: knownOf(standing) });
    return log.note({ elapsedMs, counts, ...sample, ...news.take(), ending });
  };

  return {
    hear(event) {
      if (event.type === "progress") noteProgress(event);
      else if (event.type === "pause") {
        news.pause(event);
        sampling.pause(elapsed(), event.waitMs);
      } else if (event.type === "finding") news.finding(event);
      else if ("row" in event) news.row(event);
    },
    watch(counted, hashes, rows) {
      tally = counted;
      total = rows;
      news.hashes(hashes);
    },
    keepRows: (read, rows) => log.keepRows(read, rows),
    readToEnd: (file) => log.readToEnd(file),
    finished: (summary) => noteEnd(endingOf(summary), summary),
    async failed(error) {
      const reason = error instanceof RunError ? error.code : "internal";
      try {
        await noteEnd({ kind: "failed", reason }, {});
      } catch {
        // Most likely its consequence; the error itself is told.
      }
    },
  };
}

function knownOf(standing: ImportEnd["standing"] | undefined): number | null {
  return typeof standing?.unread === "number" ? standing.users + standing.unread : null;
}

function endingOf({ interrupted, standing }: ImportEnd): NonNullable<RunNote["ending"]> {
  return interrupted
    ? { kind: "stopped", reason: null }
    : { kind: "finished", reason: standing.cut };
}

function sampleOf(elapsedMs: number, tally: Tally, inFlight: number): RunSample {
  const { outcomes, calls, retries, pauses, pausedMs } = tally;
  const { rejected, failed } = outcomes;
  return {
    elapsedMs,
    done: tally.done(),
    rejected,
    failed,
    retries,
    pauses,
    pausedMs,
    inFlight,
    calls: { ...calls },
  };
}

function countsOf(tally: Tally, { failures, waits }: News): Omit<RunCounts, "total" | "known"> {
  const { rejects, skips, notices, algorithms, read } = tally.counts();
  const { outcomes, calls, mapped, retries, pauses, pausedMs } = tally;
  return {
    read,
    pending: 0,
    mapped,
    retries,
    pauses,
    pausedMs,
    // Copies: the note is written later, and perhaps twice.
    outcomes: { ...outcomes },
    calls: { ...calls },
    rejects: { ...rejects },
    skips: { ...skips },
    failures: { ...failures },
    notices: { ...notices },
    carriedUsers: carriedUsers(tally.carried.brought),
    algorithms: { ...algorithms },
    waits: { ...waits },
  };
}

/** What was told and isn't in the tally. */
interface News {
  readonly failures: Readonly<Record<string, number>>;
  readonly waits: Readonly<Partial<Record<PauseEvent["reason"], PauseCount>>>;
  row(event: RowEvent): void;
  pause(event: PauseEvent): void;
  finding(event: FindingEvent): void;
  hashes(counts: readonly HashCount[]): void;
  /** Whether what wasn't taken should be, lest it grow. */
  isFull(): boolean;
  /** What wasn't taken before. */
  take(): Pick<RunNote, "hints" | "findings" | "hashes" | "rows">;
}

/** Most rows whose lines wait to be noted. */
const MOST_ROWS = 10_000;

function createNews(): News {
  const failures: Record<string, number> = {};
  const waits: Partial<Record<PauseEvent["reason"], PauseCount>> = {};
  const hinted = new Set<string>();
  const findings: FindingEvent[] = [];
  let hints: RowEvent[] = [];
  let hashes: readonly HashCount[] = [];
  let rows: RowRef[] = [];
  return {
    failures,
    waits,
    isFull: () => rows.length > MOST_ROWS,
    row(event) {
      const { type, code, row } = event;
      // The checkpoint keeps a row of a file of rejects as itself or as the export's.
      if (row.line !== undefined) rows.push(row);
      if (row.origin?.line !== undefined) rows.push(row.origin);
      if (type === "failure") failures[code] = (failures[code] ?? 0) + 1;
      const key = `${type} ${code}`;
      if (hinted.has(key)) return;
      hinted.add(key);
      hints.push(event);
    },
    pause({ reason, waitMs }) {
      const { count, ms } = waits[reason] ?? { count: 0, ms: 0 };
      waits[reason] = { count: count + 1, ms: ms + waitMs };
    },
    finding: (event) => void findings.push(event),
    hashes(counts) {
      hashes = counts;
    },
    take() {
      const taken = { hints, findings: [...findings], hashes, rows };
      hints = [];
      rows = [];
      hashes = [];
      return taken;
    },
  };
}

/** Most samples of a run, and most pauses. */
export const MOST_SAMPLES = 400;
const FIRST_INTERVAL_MS = 1000;

/** What is to be written of the series. */
type Change = Pick<RunNote, "sample" | "thinned" | "pauseSpans">;

/**
 * A series of samples in constant space: where it is full, every other one is forgotten and the
 * next ones come half as often.
 */
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
