/** The access log of `serve`: a JSON line for every answered call, and nothing personal in it. It never holds up a call and never stops the service: what can't be written is counted and told. */

import type { ServedCall } from "../core/http/listener.js";
import { systemErrorCode, RunError } from "../errors/run-error.js";
import { count } from "../report/text.js";
import { closeSync, constants, existsSync, openSync, readSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Writable } from "node:stream";
import type { Terminal } from "./terminal.js";
import { requireOwn } from "../files/own-file.js";

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

export interface LogTarget {
  /** Writes whole lines. Rejects with a system error where not all of them could be written. */
  write(text: string): Promise<void>;
  /** Opens the file by its name again. Rejects, and keeps the open one, where that fails. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

/** Without O_NONBLOCK, which Windows doesn't have, a pipe without a reader would hold up the start. */
const APPEND =
  constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a log.
 *
 * @param name a file, created with mode 0600, or `-` for the error stream
 * @param begin what every log's first line begins with; a file that has another one is none
 * @throws RunError `config_invalid` for a file that can't be opened or is none
 */
export async function openLogTarget(
  name: string,
  begin: string,
  stderr: Writable = process.stderr,
): Promise<LogTarget> {
  return name === "-" ? errorStream(stderr) : fileTarget(name, begin);
}

async function fileTarget(path: string, begin: string): Promise<LogTarget> {
  let file = await openFile(path, begin);
  // A write that broke off leaves a piece of a line, which the next one must not go on with.
  let torn = false;

  return {
    async write(text) {
      const bytes = Buffer.from(torn ? `\n${text}` : text);
      let done = 0;
      try {
        while (done < bytes.length) done += (await file.write(bytes, done)).bytesWritten;
        torn = false;
      } catch (error) {
        if (done > 0) torn = bytes[done - 1] !== NEWLINE;
        throw error;
      }
    },
    async reopen() {
      const old = file;
      file = await open(path, APPEND, 0o600);
      torn = false;
      await old.close();
    },
    close: () => file.close(),
  };
}

const NEWLINE = 10;

async function openFile(path: string, begin: string): Promise<FileHandle> {
  try {
    requireLog(path, begin);
    return await open(path, APPEND, 0o600);
  } catch (cause) {
    if (cause instanceof RunError) throw cause;
    const why = systemErrorCode(cause);
    throw new RunError("config_invalid", `The access log ${path} can't be opened (${why})`, {
      hint: "Name a file in a folder that is there and that this user may write to, or - for the error stream.",
      cause,
    });
  }
}

/** Lines appended to a data file or to a key would be the end of it. */
function requireLog(path: string, begin: string): void {
  if (!existsSync(path) || !statSync(path).isFile()) return;
  requireOwn(path);
  const file = openSync(path, "r");
  try {
    const first = Buffer.alloc(begin.length);
    const size = readSync(file, first);
    if (size === 0 || first.toString("latin1") === begin) return;
  } finally {
    closeSync(file);
  }
  throw new RunError("config_invalid", `${path} is another file than an access log`, {
    hint: "Name one that isn't there yet, or that an earlier access log was written to.",
  });
}

function errorStream(stderr: Writable): LogTarget {
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        stderr.write(text, (error) => (error ? reject(error) : resolve()));
      }),
    reopen: async () => {},
    close: async () => {},
  };
}

/**
 * The access log of a service; null where none is named. A SIGHUP means, as for other services, that
 * the log was moved away.
 *
 * @throws RunError as {@link openLogTarget}
 */
export async function openServiceLog(
  name: string | undefined,
  terminal: Terminal,
): Promise<AccessLog | null> {
  if (name === undefined) return null;
  const target = await openLogTarget(name, ACCESS_LOG_BEGIN, terminal.io.stderr);
  const log = openAccessLog({ target, onProblem: terminal.problem });
  const { events } = terminal.io;
  const onHangUp = (): void => log.reopen();
  events.removeAllListeners("SIGHUP").on("SIGHUP", onHangUp);
  return {
    ...log,
    async close() {
      events.off("SIGHUP", onHangUp);
      await log.close();
    },
  };
}
