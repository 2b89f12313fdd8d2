/** Progress for people: one bar on a terminal, a plain line now and then elsewhere. */

import type { PauseEvent, ProgressEvent } from "../events/events.js";
import { ProgressBar } from "./progress-bar.js";
import { followRun, partOf, pauseText, plainLine, type Standing } from "./progress-line.js";
import type { Terminal } from "./terminal.js";

/** In a log: a line at every so many percent, at least so often, and not more often than that. */
const STEP = 0.05;
const LONGEST_SILENCE_MS = 30_000;
const SHORTEST_SILENCE_MS = 10_000;

interface ProgressDisplay {
  show(event: ProgressEvent): void;
  /** Says that everybody waits, and why. */
  pause(event: PauseEvent): void;
  /** Clears the bar, so that what follows starts on a clean line. More may be shown later. */
  end(): void;
}

export function createProgressDisplay(terminal: Terminal): ProgressDisplay {
  return terminal.interactive
    ? new ProgressBar(terminal.io, terminal.layout.unicode)
    : plain(terminal);
}

/** What this needs of a terminal to write lines into a log. */
type Log = Pick<Terminal, "note" | "messageColumns">;

/** @param now milliseconds of a clock that never goes back */
export function plain(terminal: Log, now: () => number = () => performance.now()): ProgressDisplay {
  const follow = followRun();
  let last: Standing | null = null;
  let pausedAt = Number.NEGATIVE_INFINITY;
  return {
    show(event) {
      const standing = follow(event);
      if (!isWorthALine(event, last?.event ?? null)) return;
      last = standing;
      terminal.note(plainLine(standing, terminal.messageColumns));
    },
    pause(event) {
      // A core that asks for a second at every tenth call would fill the log.
      if (event.waitMs < SHORTEST_SILENCE_MS && now() - pausedAt < SHORTEST_SILENCE_MS) return;
      pausedAt = now();
      terminal.note(pauseText(event));
    },
    end() {},
  };
}

function isWorthALine(event: ProgressEvent, last: ProgressEvent | null): boolean {
  const silence = event.elapsedMs - (last?.elapsedMs ?? 0);
  if (silence >= LONGEST_SILENCE_MS) return true;
  if (silence < SHORTEST_SILENCE_MS) return false;
  const before = last === null || last.phase !== event.phase ? 0 : (partOf(last) ?? 0);
  return (partOf(event) ?? 0) - before >= STEP;
}
