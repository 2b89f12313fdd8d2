/** The bar on a terminal. The one place that knows cli-progress. */

import { clearScreenDown, cursorTo, moveCursor } from "node:readline";
import { SingleBar } from "cli-progress";
import type { PauseEvent, ProgressEvent, QueueEvent } from "../events/events.js";
import { columnsOf, cutTo } from "../report/layout.js";
import type { Io, Output } from "./io.js";
import {
  detailText,
  followRun,
  partOf,
  pauseText,
  plainLine,
  queueText,
  type Standing,
} from "./progress-line.js";
import { drawn, eraseDrawing, type Terminal } from "./terminal.js";

/** What stands before the text, in cli-progress's tokens. */
interface Head {
  readonly format: string;
  readonly barsize: number;
  readonly columns: number;
}

/** The bar for a screen of so many columns and more: the text is to keep room for what matters. */
const HEADS: readonly (Head & { readonly from: number })[] = [
  { from: 100, barsize: 24, format: "[{bar}]  {percentage}%  ", columns: 34 },
  { from: 60, barsize: 16, format: "[{bar}]  {percentage}%  ", columns: 26 },
  { from: 0, barsize: 0, format: "{percentage}%  ", columns: 6 },
];
const NO_HEAD: Head = { format: "", barsize: 0, columns: 0 };

/**
 * It leaves the cursor and the terminal's modes as they are, so that a process that is killed leaves
 * no terminal behind that has to be mended.
 */
export class ProgressBar {
  readonly #screen: Output;
  readonly #events: Io["events"];
  readonly #unicode: boolean;
  readonly #follow = followRun();
  #bar: SingleBar | null = null;
  #head = NO_HEAD;
  /** How wide the line is that is drawn. */
  #columns = 0;
  #redraw = (): void => {};

  /** @param unicode whether the screen can show blocks */
  constructor({ stderr, events }: Pick<Io, "stderr" | "events">, unicode: boolean) {
    this.#screen = stderr;
    this.#events = events;
    this.#unicode = unicode;
  }

  show(event: ProgressEvent): void {
    const standing = this.#follow(event);
    this.#draw(partOf(event), (room) => detailText(standing, room));
  }

  /** Says that all calls wait, and why. */
  pause(event: PauseEvent): void {
    this.#draw(null, (room) => cutTo(pauseText(event), room));
  }

  /** Says how far the core's queue is. */
  queue(event: QueueEvent): void {
    this.#draw(null, (room) => cutTo(queueText(event), room));
  }

  /** Clears the line, so that what follows starts on a clean one. More may be shown later. */
  end(): void {
    this.#erase();
  }

  /** @param part that is done, from 0 to 1; null where it isn't known */
  #draw(part: number | null, text: (room: number) => string): void {
    this.#redraw = () => this.#draw(part, text);
    // The last column stays free: behind it the cursor would be on the next line already.
    const columns = (this.#screen.columns || 80) - 1;
    const head = part === null ? NO_HEAD : (HEADS.find(({ from }) => columns >= from) ?? NO_HEAD);
    const detail = text(columns - head.columns);
    this.#columns = head.columns + columnsOf(detail);
    if (this.#bar !== null && head === this.#head) this.#bar.update(part ?? 0, { detail });
    else this.#open(head).start(1, part ?? 0, { detail });
  }

  #open(head: Head): SingleBar {
    if (this.#bar !== null) this.#erase();
    this.#head = head;
    this.#bar = new SingleBar({
      format: `${head.format}{detail}`,
      barsize: head.barsize,
      barCompleteChar: this.#unicode ? "█" : "#",
      barIncompleteChar: " ",
      autopadding: true,
      fps: 5,
      stream: this.#screen,
      clearOnComplete: true,
      linewrap: true,
      // What a signal means, the run decides.
      gracefulExit: false,
    });
    this.#screen.on("resize", this.#onResize);
    this.#events.on("exit", this.#erase);
    drawn(this.#screen, () => this.#close());
    return this.#bar;
  }

  #close(): void {
    this.#screen.off("resize", this.#onResize);
    this.#events.off("exit", this.#erase);
    this.#bar?.stop();
    this.#bar = null;
  }

  readonly #erase = (): void => eraseDrawing(this.#screen);

  /** Terminals break a line that has become too long; all its pieces go. */
  readonly #onResize = (): void => {
    const pieces = Math.ceil(this.#columns / (this.#screen.columns || 80));
    if (pieces > 1) moveCursor(this.#screen, 0, 1 - pieces);
    cursorTo(this.#screen, 0);
    clearScreenDown(this.#screen);
    // Where cli-progress returns to when it stops.
    this.#screen.write("\u001b7");
    this.#erase();
    this.#redraw();
  };
}

/** In a log: a line at every so many percent, at least so often, and not more often than that. */
const STEP = 0.05;
const LONGEST_SILENCE_MS = 30_000;
const SHORTEST_SILENCE_MS = 10_000;

interface ProgressDisplay {
  show(event: ProgressEvent): void;
  /** Says that all calls wait, and why. */
  pause(event: PauseEvent): void;
  /** Says how far the core's queue is. */
  queue(event: QueueEvent): void;
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
  let queueAt = Number.NEGATIVE_INFINITY;
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
    queue(event) {
      if (now() - queueAt < SHORTEST_SILENCE_MS) return;
      queueAt = now();
      terminal.note(queueText(event));
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
