/** How far a run is: a bar on a screen, lines in a log. The one place that knows cli-progress. */

import { clearScreenDown, cursorTo, moveCursor } from "node:readline";
import { SingleBar } from "cli-progress";
import type { PauseEvent, ProgressEvent, QueueEvent } from "../events/events.js";
import { columnsOf, cutTo } from "../report/layout.js";
import type { Io, Output } from "./io.js";
import { detailText, followRun, partOf, pauseText, plainLine } from "./progress-line.js";
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
 * It leaves the cursor and the terminal's modes as they are: nobody has to mend the terminal after a
 * kill.
 */
export class ProgressBar {
  readonly #screen: Output;
  readonly #events: Io["events"];
  readonly #unicode: boolean;
  readonly #follow = followRun();
  #bar: SingleBar | null = null;
  #head = NO_HEAD;
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

  pause(event: PauseEvent): void {
    this.#draw(null, (room) => cutTo(pauseText(event), room));
  }

  queue(event: QueueEvent): void {
    this.#draw(partOf(event), (room) => detailText(event, room));
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
    this.#erase();
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

/** Progress where no person watches a screen. */
export class ProgressLog {
  readonly #terminal: Pick<Terminal, "note" | "messageColumns">;
  readonly #now: () => number;
  readonly #follow = followRun();
  #last: ProgressEvent | null = null;
  #pausedAt = Number.NEGATIVE_INFINITY;
  #queueAt = Number.NEGATIVE_INFINITY;
  #isQueueOver = false;

  /** @param now milliseconds of a clock that never goes back */
  constructor(
    terminal: Pick<Terminal, "note" | "messageColumns">,
    now: () => number = () => performance.now(),
  ) {
    this.#terminal = terminal;
    this.#now = now;
  }

  show(event: ProgressEvent): void {
    const standing = this.#follow(event);
    const last = this.#last;
    const silence = event.elapsedMs - (last?.elapsedMs ?? 0);
    const before = last?.phase === event.phase ? (partOf(last) ?? 0) : 0;
    const isStep = (partOf(event) ?? 0) - before >= STEP;
    if (silence < (isStep ? SHORTEST_SILENCE_MS : LONGEST_SILENCE_MS)) return;
    this.#last = event;
    this.#terminal.note(plainLine(standing, this.#terminal.messageColumns));
  }

  pause(event: PauseEvent): void {
    // A core that asks for a second at every tenth call would fill the log.
    const isShort = event.waitMs < SHORTEST_SILENCE_MS;
    if (isShort && this.#now() - this.#pausedAt < SHORTEST_SILENCE_MS) return;
    this.#pausedAt = this.#now();
    this.#terminal.note(pauseText(event));
  }

  /** The end of the queue is told at once: that is its last line. */
  queue(event: QueueEvent): void {
    const isOver = event.queued === 0;
    const isNews = isOver && !this.#isQueueOver;
    if (!isNews && this.#now() - this.#queueAt < SHORTEST_SILENCE_MS) return;
    this.#isQueueOver = isOver;
    this.#queueAt = this.#now();
    this.#terminal.note(plainLine(event, this.#terminal.messageColumns));
  }
}
