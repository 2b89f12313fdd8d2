/** Writes several files or none: all are written beside their places first, then moved there one after the other; where one move fails, those before it are taken back. */

import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { RunError, systemErrorCode } from "../../errors/run-error.js";
import { requireOwn } from "../../files/own-file.js";

/** One file to write. */
export interface FileToWrite {
  readonly path: string;
  readonly content: string;
  /** Whether a file that is there already may be replaced. */
  readonly replace: boolean;
}

interface Staged extends FileToWrite {
  /** Where the content lies until all of them do. */
  readonly temporary: string;
  /** The content that is replaced, or null where nothing is. */
  readonly previous: Buffer | null;
}

/**
 * Files come to be with mode 0600, also those that are replaced.
 *
 * @throws RunError `config_invalid` for a file that came to be in the meantime; `file_not_private` for
 *   another user's; `disk`
 */
export function writeTogether(files: readonly FileToWrite[]): void {
  const staged: Staged[] = [];
  const moved: Staged[] = [];
  try {
    for (const file of files) staged.push(stage(file));
    for (const file of staged) {
      if (!file.replace && existsSync(file.path)) throw isThereAlready(file.path);
      renameSync(file.temporary, file.path);
      moved.push(file);
    }
  } catch (error) {
    for (const file of staged) rmSync(file.temporary, { force: true });
    for (const file of moved) takeBack(file);
    if (error instanceof RunError) throw error;
    const why = systemErrorCode(error);
    throw new RunError("disk", `The configuration can't be written (${why})`, {
      hint: "Make room, or make the folder writable, and run auth-migrate setup again; nothing was written.",
      cause: error,
    });
  }
}

function stage(file: FileToWrite): Staged {
  const isThere = existsSync(file.path);
  if (isThere && !file.replace) throw isThereAlready(file.path);
  // A link stays one: what it leads to is written.
  const path = isThere ? realpathSync(file.path) : file.path;
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  if (isThere) requireOwn(path);
  const previous = isThere ? readFileSync(path) : null;
  writePrivately(temporary, file.content);
  return { ...file, path, temporary, previous };
}

/** What can't be taken back either is left: the first error is the one to tell. */
function takeBack({ path, previous }: Staged): void {
  try {
    if (previous === null) rmSync(path, { force: true });
    else writeFileSync(path, previous);
  } catch {
    return;
  }
}

function writePrivately(path: string, content: string): void {
  try {
    writeFileSync(path, content, { mode: 0o600, flag: "wx", flush: true });
  } catch (error) {
    // A part of it may be there: a full disk lets the file be made and not filled.
    if (systemErrorCode(error) !== "EEXIST") rmSync(path, { force: true });
    throw error;
  }
}

function isThereAlready(path: string): RunError {
  return new RunError("config_invalid", `${path} is there already`, {
    hint: "Run auth-migrate setup again: it asks before it changes what is there.",
  });
}
