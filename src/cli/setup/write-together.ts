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
    for (const file of files) {
      const one = stage(file);
      // Before it is written: a full disk lets a file be made and not filled.
      staged.push(one);
      writeFileSync(one.temporary, one.content, { mode: 0o600, flag: "wx", flush: true });
    }
    for (const file of staged) {
      requireReplaceable(file);
      renameSync(file.temporary, file.path);
      moved.push(file);
    }
  } catch (error) {
    for (const file of staged) rmSync(file.temporary, { force: true });
    for (const file of moved) takeBack(file);
    if (error instanceof RunError) throw error;
    const why = systemErrorCode(error);
    throw new RunError("disk", `The configuration can't be written (${why})`, {
      hint: "Make room, make the folder writable, or name another place with --config and --core-config; nothing was written.",
      cause: error,
    });
  }
}

function stage(file: FileToWrite): Staged {
  requireReplaceable(file);
  const isThere = existsSync(file.path);
  // A link stays one: what it leads to is written.
  const path = isThere ? realpathSync(file.path) : file.path;
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  if (isThere) requireOwn(path);
  return { ...file, path, temporary, previous: isThere ? readFileSync(path) : null };
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

function requireReplaceable({ path, replace }: FileToWrite): void {
  if (replace || !existsSync(path)) return;
  throw new RunError("config_invalid", `${path} is there already`, {
    hint: "It came to be in the meantime, and nothing was written. Look at it, or name another file with --config or --core-config.",
  });
}
