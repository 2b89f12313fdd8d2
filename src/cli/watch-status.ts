/** Shows again and again where a migration stands, until no run is going on: on a screen in one place, elsewhere by a line now and then. */

import { clearScreenDown, cursorTo } from "node:readline";
import type { Timing } from "../events/timing.js";
import type { Statuses } from "../checkpoint/status.js";
import { fitted } from "../report/layout.js";
import { standingLine } from "../report/headline.js";
import { statusesText } from "../report/status-text.js";
import type { Terminal } from "./terminal.js";
import { printableStyled } from "../report/text.js";

const SCREEN_INTERVAL_MS = 2000;
const LOG_INTERVAL_MS = 10_000;
/** Reading millions of entries takes seconds; it must not be all that the machine does. */
const REST = 4;

interface Display {
  readonly intervalMs: number;
  show(statuses: Statuses): void;
  /** The last reading: no run is going on. */
  end(statuses: Statuses): void;
}

/**
 * @param signal aborted, it ends the watching
 * @throws what `read` throws
 */
export async function watchStatus(
  read: () => Statuses,
  display: Display,
  timing: Timing,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const began = timing.now();
    const statuses = read();
    if (!statuses.sum.running) {
      display.end(statuses);
      return;
    }
    display.show(statuses);
    const took = timing.now() - began;
    await timing.sleep(Math.max(display.intervalMs, REST * took), signal);
  }
}

/** @param print the whole of it, as `status` does it once */
export function createDisplay(terminal: Terminal, print: (statuses: Statuses) => void): Display {
  const { io, outputMode } = terminal;
  if (outputMode.json) return { intervalMs: LOG_INTERVAL_MS, show: print, end: print };
  if (io.stdout.isTTY === true && process.env.TERM !== "dumb") {
    const show = (statuses: Statuses): void => {
      const { layout } = terminal;
      const lines = statusesText(statuses, layout).flatMap((line) =>
        fitted(printableStyled(line), layout.columns),
      );
      // What has scrolled away can't be drawn over.
      const shown = lines.slice(0, (io.stdout.rows ?? 24) - 1);
      cursorTo(io.stdout, 0, 0);
      clearScreenDown(io.stdout);
      io.stdout.write(shown.map((line) => `${line}\n`).join(""));
    };
    return { intervalMs: SCREEN_INTERVAL_MS, show, end: show };
  }
  const show = ({ sum }: Statuses): void => terminal.result(standingLine(sum));
  return { intervalMs: LOG_INTERVAL_MS, show, end: print };
}
