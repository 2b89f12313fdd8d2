/** Progress for people: one bar on a terminal, a plain line now and then elsewhere. The one place that knows cli-progress. */

import { clearScreenDown, cursorTo, moveCursor } from "node:readline";
import { SingleBar } from "cli-progress";
import type { PauseEvent, ProgressEvent } from "../events/events.js";
import { columnsOf, cutTo } from "../report/columns.js";
import {
  barLine,
  followRun,
  partOf,
  pauseText,
  plainLine,
  type Standing,
} from "./progress-line.js";
import { drawn, eraseDrawing, type Terminal } from "./terminal.js";

/** In a log: a line at every so many percent, at least so often, and not more often than that. */
const STEP = 0.05;
const LONGEST_SILENCE_MS = 30_000;
const SHORTEST_SILENCE_MS = 10_000;

export interface ProgressDisplay {
  show(event: ProgressEvent): void;
  /** Says that everybody waits, and why. */
  pause(event: PauseEvent): void;
  /** Clears the bar, so that what follows starts on a clean line. More may be shown later. */
  end(): void;
}

export function createProgressDisplay(terminal: Terminal): ProgressDisplay {
  return terminal.interactive ? bar(terminal) : plain(terminal);
}

/** What this needs of a terminal to write lines into a log. */
type Log = Pick<Terminal, "note" | "messageColumns">;

/**
 * A bar on the error stream. It leaves the cursor and the terminal's modes as they are, so that a
 * process that is killed leaves no terminal behind that has to be mended.
 */
function bar(terminal: Terminal): ProgressDisplay {
  const stream = process.stderr;
  const follow = followRun();
  let line: ((columns: number) => string) | null = null;
  let shown = "";
  const display = new SingleBar({
    format: () => {
      // The last column stays free: behind it the cursor would be on the next line already.
      shown = line?.((stream.columns || 80) - 1) ?? "";
      return shown;
    },
    fps: 5,
    stream,
    clearOnComplete: true,
    hideCursor: false,
    linewrap: true,
    // What a signal means, the run decides.
    gracefulExit: false,
  });

  const erase = (): void => {
    stream.off("resize", onResize);
    process.off("exit", eraseDrawing);
    display.stop();
  };
  const draw = (): void => {
    if (display.isActive) {
      display.update(0);
      return;
    }
    stream.on("resize", onResize);
    process.on("exit", eraseDrawing);
    drawn(erase);
    display.start(1, 0);
  };
  /** Terminals break a line that has become too long; all its pieces go. */
  function onResize(): void {
    const pieces = Math.ceil(columnsOf(shown) / (stream.columns || 80));
    if (pieces > 1) moveCursor(stream, 0, 1 - pieces);
    cursorTo(stream, 0);
    clearScreenDown(stream);
    // Where cli-progress returns to when it stops.
    stream.write("\u001b7");
    eraseDrawing();
    draw();
  }

  const { unicode } = terminal.page;
  return {
    show(event) {
      const standing = follow(event);
      line = (columns) => barLine(standing, columns, { unicode });
      draw();
    },
    pause(event) {
      line = (columns) => cutTo(pauseText(event), columns);
      draw();
    },
    end: eraseDrawing,
  };
}

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
