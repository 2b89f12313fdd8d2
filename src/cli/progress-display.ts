/** Progress for people: one bar on a terminal, a plain line now and then elsewhere. The one place that knows cli-progress. */

import { SingleBar } from "cli-progress";
import type { PauseEvent, ProgressEvent } from "../migration/events.js";
import { durationText } from "../migration/duration.js";
import { printable, type Terminal } from "./terminal.js";

const PLAIN_INTERVAL_MS = 10_000;

export interface ProgressDisplay {
  show(event: ProgressEvent): void;
  /** Says that everybody waits, and why. */
  pause(event: PauseEvent): void;
  /** Clears the bar, so that what follows starts on a clean line. */
  end(): void;
}

export function createProgressDisplay(terminal: Terminal): ProgressDisplay {
  return terminal.interactive ? bar() : plain(terminal);
}

function bar(): ProgressDisplay {
  const display = new SingleBar({
    format: "{bar} {part}{summary}",
    barsize: 24,
    clearOnComplete: true,
    hideCursor: true,
    stream: process.stderr,
    linewrap: false,
  });
  let started = false;
  const elapsed = phaseClock();
  return {
    show(event) {
      if (!started) display.start(1000, 0, { part: "", summary: "" });
      started = true;
      display.update(Math.floor(fraction(event) * 1000), {
        part: percentage(event),
        summary: summaryOf(event, elapsed(event)),
      });
    },
    pause(event) {
      if (started) display.update({ summary: pauseText(event) });
    },
    end() {
      if (started) display.stop();
      started = false;
    },
  };
}

function plain(terminal: Terminal): ProgressDisplay {
  let last = 0;
  const elapsed = phaseClock();
  return {
    show(event) {
      const inPhase = elapsed(event);
      if (event.elapsedMs - last < PLAIN_INTERVAL_MS) return;
      last = event.elapsedMs;
      terminal.note(`${percentage(event)}${summaryOf(event, inPhase)}`);
    },
    pause: (event) => terminal.note(pauseText(event)),
    end() {},
  };
}

function fraction({ bytes, totalBytes }: ProgressEvent): number {
  return totalBytes === null || totalBytes === 0 ? 0 : Math.min(1, bytes / totalBytes);
}

/** Nothing where nobody knows how much is to come. */
function percentage(event: ProgressEvent): string {
  return event.totalBytes === null ? "" : `${Math.floor(fraction(event) * 100)}%  `;
}

/** Milliseconds since an event's phase began: each has a pace of its own. */
function phaseClock(): (event: ProgressEvent) => number {
  let phase: ProgressEvent["phase"] | null = null;
  let began = 0;
  let last = 0;
  return (event) => {
    if (event.phase !== phase) began = last;
    ({ phase, elapsedMs: last } = event);
    return last - began;
  };
}

/** "12,000 users, 3,400/s, ETA 1m20s, 3 rejected": reading runs only a small window ahead. */
function summaryOf(event: ProgressEvent, elapsedMs: number): string {
  const { phase, read, done, rejected, failed, retries, mapped } = event;
  const part = fraction(event);
  const [number, what] = phase === "census" ? [read, "rows looked at"] : [done, "users"];
  const rate = elapsedMs === 0 ? 0 : Math.round((number / elapsedMs) * 1000);
  const parts = [`${number.toLocaleString("en-US")} ${what}`, `${rate.toLocaleString("en-US")}/s`];
  if (part > 0) parts.push(`ETA ${duration((elapsedMs * (1 - part)) / part)}`);
  if (mapped > 0) parts.push(`${mapped.toLocaleString("en-US")} ids mapped`);
  if (rejected > 0) parts.push(`${rejected.toLocaleString("en-US")} rejected`);
  if (failed > 0) parts.push(`${failed.toLocaleString("en-US")} failed`);
  if (retries > 0) parts.push(`${retries.toLocaleString("en-US")} retries`);
  return parts.join(", ");
}

const PAUSES: Readonly<Record<PauseEvent["reason"], string>> = {
  retry_after: "as the core asks",
  busy: "the core is overloaded",
  outage: "the core doesn't answer",
};

/** "Pausing 30s, as the core asks: the core is busy (HTTP 429)". */
function pauseText({ reason, waitMs, message }: PauseEvent): string {
  return printable(`Pausing ${durationText(waitMs)}, ${PAUSES[reason]}: ${message}`);
}

function duration(milliseconds: number): string {
  const total = Math.round(milliseconds / 1000);
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor((total % 3600) / 60);
  if (hours > 0) return `${hours}h${String(minutes).padStart(2, "0")}m`;
  return minutes > 0 ? `${minutes}m${String(total % 60).padStart(2, "0")}s` : `${total}s`;
}
