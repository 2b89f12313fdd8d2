/** Recognizes that a file has changed since it was looked at: what was found in it and what was sent from it may be of two exports. Pure. */

import { RunError } from "../../errors/run-error.js";

/**
 * What shows a change. The inode isn't here: on some file systems it differs from one opening to
 * the next. Another file in this one's place has another time anyway.
 */
export interface FileState {
  readonly size: number;
  readonly mtimeMs: number;
  /** When contents or attributes changed last: what writes in place can put back the other time, not this one. */
  readonly ctimeMs: number;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** How many names it has. */
  readonly nlink: number;
  isFile(): boolean;
}

const CONTENTS = ["size", "mtimeMs"] as const;
/** Any of these explains another ctime: the rights were changed, or a name came or went. */
const ATTRIBUTES = ["mode", "uid", "gid", "nlink"] as const;

/**
 * @param path for the message
 * @param isNamed false where nothing has that name any more: it was moved away, which is no change
 * @throws RunError `input_changed`
 */
export function requireUnchanged(
  path: string,
  before: FileState,
  now: FileState,
  isNamed = true,
): void {
  if (!before.isFile()) return;
  const isSame = (part: keyof FileState): boolean => before[part] === now[part];
  const isTouched = isNamed && !isSame("ctimeMs") && ATTRIBUTES.every(isSame);
  if (CONTENTS.every(isSame) && !isTouched) return;
  throw new RunError("input_changed", `${path} has changed since it was first looked at`, {
    hint: "Wait until the export is written whole, then run the same command again: it goes on where it stopped, with the file as it is then.",
  });
}
