/** Where a log goes: a file that is only ever appended to, or the error stream. It waits for no reader: a pipe that takes nothing makes a failed write. */

import { closeSync, constants, existsSync, openSync, readSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Writable } from "node:stream";
import { RunError, systemErrorCode } from "../errors/run-error.js";
import { requireOwn } from "../files/own-file.js";

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
