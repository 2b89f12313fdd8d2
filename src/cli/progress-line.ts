/** What a line of progress says: what is most worth knowing, as far as there is room. Pure; it draws nothing. */

import { durationText } from "../events/duration.js";
import type { PauseEvent, ProgressEvent, QueueEvent } from "../events/events.js";
import { columnsOf, cutTo } from "../report/layout.js";
import { grouped, printable } from "../report/text.js";

/** Where a run stands, and how fast it has been of late. */
export interface Standing {
  readonly event: ProgressEvent;
  /** Null where a count has just begun. */
  readonly perSecond: number | null;
  /** Null where it can't be told. */
  readonly leftMs: number | null;
}

/** Paces are those of the last half minute: short enough for a pause to show, long enough to be calm. Before that they are those of a phase's later half: its first calls find a core and connections that are cold. */
const WINDOW_MS = 30_000;
/** An estimate after less than this is worth nothing. */
const LEAST_MS = 5000;
/** So is one from less of the whole. */
const LEAST_PART = 0.01;

const GAP = "  ";

/** Follows a run's events and says how fast it is in each phase, since its first event: that has what earlier runs have done as well. */
export function followRun(): (event: ProgressEvent) => Standing {
  let last: ProgressEvent | null = null;
  let begun = { at: 0, rows: 0, part: 0 };
  let points: (typeof begun)[] = [];
  return (event) => {
    const now = event.elapsedMs;
    const point = { at: now, rows: rowsOf(event), part: partOf(event) ?? 0 };
    // What is read back are other rows, and the core's queue has taken its time before.
    const isOther = event.phase !== last?.phase || (isReadBack(event) && !isReadBack(last));
    if (isOther || now < (last?.elapsedMs ?? 0)) {
      begun = point;
      points = [];
    }
    last = event;
    points.push(point);
    const since = Math.max(now - WINDOW_MS, (begun.at + now) / 2);
    while ((points[1]?.at ?? now) <= since && points.length > 2) points.shift();
    const first = points[0] ?? point;
    const elapsed = now - first.at;
    const partPerMs = elapsed > 0 ? (point.part - first.part) / elapsed : 0;
    const isKnown =
      now - begun.at >= LEAST_MS && point.part - begun.part >= LEAST_PART * (1 - begun.part);
    return {
      event,
      perSecond: elapsed > 0 ? ((point.rows - first.rows) / elapsed) * 1000 : null,
      // How long the core takes to write what it was handed, its queue tells.
      leftMs:
        !isHandingOver(event) && partPerMs > 0 && isKnown ? (1 - point.part) / partPerMs : null,
    };
  };
}

/**
 * How much of a phase is done, from 0 to 1; null where it isn't known how much is to come, and where
 * a whole would be taken for the run's: users who were sent are still to be written, and those who
 * are written to be read back.
 */
export function partOf(event: ProgressEvent | QueueEvent): number | null {
  if (event.type === "queue") {
    return event.queued === 0 ? null : (event.written + event.failed) / sizeOf(event);
  }
  if (isHandingOver(event)) return null;
  const { total, bytes, totalBytes } = event;
  if (countsTowards(event)) return total === 0 ? 1 : Math.min(1, rowsOf(event) / (total ?? 1));
  return totalBytes === null || totalBytes === 0 ? null : Math.min(1, bytes / totalBytes);
}

/** Whether `total` is of what {@link rowsOf} counts. */
function countsTowards({ phase, total }: ProgressEvent): boolean {
  return total !== null && (phase === "run" || phase === "list");
}

/** Reading runs only a small window ahead of the calls, so users with an outcome are what counts, and those in the core's queue until all are there. */
function rowsOf(event: ProgressEvent): number {
  const { phase, read, done, queued } = event;
  return phase === "run" ? done + (isHandingOver(event) ? queued : 0) : read;
}

/** Whether users are sent, some of them to the core's queue. */
function isHandingOver({ read, done, queued, total }: ProgressEvent): boolean {
  return queued > 0 && done + queued < (total ?? read);
}

/** Whether all were sent, and the core's queue has had some of them. */
function isReadBack(event: ProgressEvent): boolean {
  return event.queued > 0 && !isHandingOver(event);
}

/** Users whom the core's queue was given. */
function sizeOf({ queued, written, failed }: QueueEvent): number {
  return queued + written + failed;
}

/** The line beside a bar, which says the part that is done. */
export function detailText(shown: Standing | QueueEvent, columns: number): string {
  return cutTo(fittingParts(partsOf(shown), columns).join(GAP), columns);
}

/** The whole line for a log: no bar. */
export function plainLine(shown: Standing | QueueEvent, columns: number | null): string {
  const part = partOf("event" in shown ? shown.event : shown);
  const percentage = part === null ? "" : `${`${Math.floor(part * 100)}%`.padStart(3)}${GAP}`;
  const room = (columns ?? Number.POSITIVE_INFINITY) - percentage.length;
  return percentage + fittingParts(partsOf(shown), room).join(GAP);
}

const PAUSES: Readonly<Record<PauseEvent["reason"], string>> = {
  retry_after: "as the core asks",
  busy: "the core is overloaded",
  outage: "the core doesn't answer",
};

/** "Pausing 30s, as the core asks: the core is busy (HTTP 429)". */
export function pauseText({ reason, waitMs, message }: PauseEvent): string {
  return printable(`Pausing ${durationText(waitMs)}, ${PAUSES[reason]}: ${message}`);
}

/** A part of the line; the lower its rank, the longer it stays. */
interface Part {
  readonly text: string;
  readonly rank: number;
}

function partsOf(shown: Standing | QueueEvent): Part[] {
  const parts = "event" in shown ? runParts(shown) : queueParts(shown);
  return parts.filter(({ text }) => text !== "");
}

function runParts({ event, perSecond, leftMs }: Standing): Part[] {
  const { queued, written, rejected, failed, retries, mapped, callsInFlight, callLimit } = event;
  const isOver = isReadBack(event);
  const through = isOver ? 0 : written;
  // It writes those of before first.
  const before = isOver ? 0 : Math.max(0, event.queuedBefore - through);
  const now = Math.max(0, queued - through - before);
  const calls = callLimit === null ? "" : `${callsInFlight} of ${callLimit} calls in flight`;
  return [
    { text: rowsText(event), rank: 1 },
    { text: perSecond === null ? "" : `${grouped(Math.round(perSecond))}/s`, rank: 6 },
    { text: leftText(leftMs), rank: 5 },
    { text: calls, rank: 8 },
    { text: counted(now, isOver ? "to read back" : "in the core's queue"), rank: 2 },
    { text: counted(before, "in the core's queue since an earlier run"), rank: 2 },
    { text: counted(through, "written"), rank: 2 },
    { text: counted(rejected, "rejected"), rank: 4 },
    { text: counted(failed, "failed"), rank: 3 },
    { text: counted(retries, retries === 1 ? "retry" : "retries"), rank: 7 },
    { text: counted(mapped, "ids mapped"), rank: 9 },
  ];
}

/** "80,000 of 200,003 users written  ETA 6m  120,000 queued  3 failed". */
function queueParts(event: QueueEvent): Part[] {
  const { queued, written, failed, leftMs } = event;
  return [
    { text: `${grouped(written)} of ${grouped(sizeOf(event))} users written`, rank: 1 },
    { text: leftText(leftMs), rank: 5 },
    { text: counted(queued, "queued"), rank: 2 },
    { text: counted(failed, "failed"), rank: 3 },
  ];
}

function leftText(leftMs: number | null): string {
  return leftMs === null || leftMs === 0 ? "" : `ETA ${durationText(Math.max(1000, leftMs))}`;
}

const UNITS: Readonly<Record<ProgressEvent["phase"], string>> = {
  census: "rows looked at",
  list: "users listed",
  run: "users",
};

function rowsText(event: ProgressEvent): string {
  const { phase, total } = event;
  const of = countsTowards(event) ? ` of ${grouped(total ?? 0)}` : "";
  // Whom an earlier run has sent, this one finds in the queue.
  const isSent = isHandingOver(event) && event.queuedBefore === 0;
  return `${grouped(rowsOf(event))}${of} ${UNITS[phase]}${isSent ? " sent" : ""}`;
}

function counted(amount: number, what: string): string {
  return amount === 0 ? "" : `${grouped(amount)} ${what}`;
}

/** The parts of the lowest ranks, up to the first without room, in their own order. */
function fittingParts(parts: readonly Part[], columns: number): string[] {
  const kept = new Set<Part>();
  let taken = -GAP.length;
  for (const part of [...parts].sort((a, b) => a.rank - b.rank)) {
    taken += GAP.length + columnsOf(part.text);
    if (taken > columns && kept.size > 0) break;
    kept.add(part);
  }
  return parts.filter((part) => kept.has(part)).map(({ text }) => text);
}
