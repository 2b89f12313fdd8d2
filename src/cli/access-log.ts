/** The access log of `serve`: a JSON line for every answered call, and nothing personal in it. It never holds up a call and never stops the service: what can't be written is counted and told. */

import type { ServedCall } from "../core/http/app.js";
import { systemErrorCode } from "../errors/run-error.js";
import { count } from "../report/text.js";
import type { LogTarget } from "./log-target.js";

export interface AccessLog {
  /** Notes a call. Returns at once and never throws. */
  add(call: ServedCall): void;
  /** Writes what waits, then goes on in a file of the same name, made anew if need be: for rotation. */
  reopen(): void;
  /** Writes what is left, as far as the target takes it within two seconds. */
  close(): Promise<void>;
}

interface AccessLogOptions {
  readonly target: LogTarget;
  /** Told once when lines begin to be lost, and once when they are written again. */
  readonly onProblem: (line: string) => void;
  /** The clock, in epoch milliseconds; `Date.now` by default. */
  readonly now?: () => number;
}

/** Lines are gathered for so long, so that a thousand calls cost a few writes. */
const GATHER_MS = 100;
/** Characters that may wait for a target that takes nothing; then lines are dropped. */
const MAX_WAITING = 4 * 1024 * 1024;
const CLOSE_GRACE_MS = 2000;

export function openAccessLog({ target, onProblem, now = Date.now }: AccessLogOptions): AccessLog {
  let waiting = "";
  let lines = 0;
  let missing = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function lose(held: number, why: string): void {
    if (missing === 0) {
      onProblem(`The access log can't be written (${why}); the core goes on without it.`);
    }
    missing += held;
  }

  async function writeOut(): Promise<void> {
    const [text, held] = [waiting, lines];
    waiting = "";
    lines = 0;
    if (text === "") return;
    try {
      await target.write(text);
    } catch (error) {
      lose(held, systemErrorCode(error) || "no reason given");
      return;
    }
    if (missing === 0) return;
    onProblem(
      `The access log is written again; up to ${count(missing, "call")} are missing in it.`,
    );
    missing = 0;
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(writeOut);
    return writing;
  }

  return {
    add(call) {
      if (waiting.length > MAX_WAITING) return lose(1, "its target takes nothing");
      waiting += lineOf(call, now());
      lines += 1;
      timer ??= setTimeout(flush, GATHER_MS);
    },
    reopen() {
      writing = flush()
        .then(target.reopen)
        .catch((error) => {
          const why = systemErrorCode(error);
          onProblem(`The access log can't be opened anew (${why}); it goes on in the old file.`);
        });
    },
    async close() {
      await within(CLOSE_GRACE_MS, flush());
      await target.close();
    },
  };
}

/** What every line begins with, and so the file. */
export const ACCESS_LOG_BEGIN = '{"time":"';

/** A line for programs; `ms` is how long the answer took. */
function lineOf({ method, path, status, elapsedMs }: ServedCall, nowMs: number): string {
  const ms = Math.round(elapsedMs * 10) / 10;
  const time = new Date(nowMs).toISOString();
  return `${JSON.stringify({ time, method, path, status, ms })}\n`;
}

function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const grace = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return Promise.race([work, grace]).finally(() => clearTimeout(timer));
}
