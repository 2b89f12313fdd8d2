/** The access log of `serve`: a JSON line for every answered call, and nothing personal in it. It never holds up a call and never stops the service: what can't be written is counted and told. */

import type { ServedCall } from "../core/http/listener.js";
import { systemErrorCode, RunError } from "../errors/run-error.js";
import { count } from "../report/text.js";
import { closeSync, constants, existsSync, openSync, readSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Terminal } from "./terminal.js";
import { requireOwn } from "../files/own-file.js";

/** Lines are gathered for so long, so that a thousand calls cost a few writes. */
const GATHER_MS = 100;
/** Characters that may wait for a target that takes nothing; then lines are dropped. */
const MAX_WAITING = 4 * 1024 * 1024;
const CLOSE_GRACE_MS = 2000;

export class AccessLog {
  readonly #target: LogTarget;
  readonly #onProblem: (line: string) => void;
  readonly #now: () => number;
  #waiting = "";
  #lines = 0;
  #missing = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  /**
   * @param onProblem told once when lines begin to be lost, and once when they are written again
   * @param now the clock, in epoch milliseconds
   */
  constructor(target: LogTarget, onProblem: (line: string) => void, now = Date.now) {
    this.#target = target;
    this.#onProblem = onProblem;
    this.#now = now;
  }

  /** Notes a call. Returns at once and never throws. */
  readonly add = (call: ServedCall): void => {
    if (this.#waiting.length > MAX_WAITING) {
      this.#lose(1, "its target takes nothing");
      return;
    }
    this.#waiting += lineOf(call, this.#now());
    this.#lines += 1;
    this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS);
  };

  /** Writes what waits, then goes on in a file of the same name, made anew if need be: for rotation. */
  readonly reopen = (): void => {
    this.#writing = this.#flush()
      .then(() => this.#target.reopen())
      .catch((error) => {
        const why = systemErrorCode(error);
        this.#onProblem(
          `The access log can't be opened anew (${why}); it goes on in the old file.`,
        );
      });
  };

  /** Writes what is left, as far as the target takes it within two seconds. */
  async close(): Promise<void> {
    const end = new AbortController();
    const grace = sleep(CLOSE_GRACE_MS, undefined, { signal: end.signal }).catch(() => {});
    await Promise.race([this.#flush(), grace]).finally(() => end.abort());
    await this.#target.close();
  }

  #lose(held: number, why: string): void {
    if (this.#missing === 0) {
      this.#onProblem(`The access log can't be written (${why}); the core goes on without it.`);
    }
    this.#missing += held;
  }

  async #writeOut(): Promise<void> {
    const [text, held] = [this.#waiting, this.#lines];
    this.#waiting = "";
    this.#lines = 0;
    if (text === "") return;
    try {
      await this.#target.write(text);
    } catch (error) {
      this.#lose(held, systemErrorCode(error) || "no reason given");
      return;
    }
    if (this.#missing === 0) return;
    this.#onProblem(
      `The access log is written again; up to ${count(this.#missing, "call")} are missing in it.`,
    );
    this.#missing = 0;
  }

  #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#writeOut());
    return this.#writing;
  }
}

/** What every line begins with, and so the file. */
export const ACCESS_LOG_BEGIN = '{"time":"';

/** A line for programs; `ms` is how long the answer took. */
function lineOf({ method, path, status, elapsedMs }: ServedCall, nowMs: number): string {
  const ms = Math.round(elapsedMs * 10) / 10;
  const time = new Date(nowMs).toISOString();
  return `${JSON.stringify({ time, method, path, status, ms })}\n`;
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
  // A write that broke off leaves a piece of a line. The next line must not go on with it.
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

/** Lines that are appended to a data file or to a key would destroy it. */
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
 * Lets `work` have the access log of a service, and closes it behind that; null where none is named.
 * A SIGHUP means, as for other services, that the log was moved away.
 *
 * @throws RunError as {@link openLogTarget}
 */
export async function withServiceLog(
  name: string | undefined,
  terminal: Terminal,
  work: (log: AccessLog | null) => Promise<void>,
): Promise<void> {
  if (name === undefined) return work(null);
  const target = await openLogTarget(name, ACCESS_LOG_BEGIN, terminal.io.stderr);
  const log = new AccessLog(target, terminal.problem);
  const { events } = terminal.io;
  events.removeAllListeners("SIGHUP").on("SIGHUP", log.reopen);
  try {
    await work(log);
  } finally {
    events.off("SIGHUP", log.reopen);
    await log.close();
  }
}
