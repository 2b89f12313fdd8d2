/** Tells a file that has changed since it was looked at: what was found out of it, and what was sent from it, may be of two exports. Pure. */

import { RunError } from "../../errors/run-error.js";

/**
 * What tells. No inode: on some file systems it differs from one opening to the next, and whoever
 * puts another file in this one's place gives it another time.
 */
export interface FileState {
  readonly size: number;
  readonly mtimeMs: number;
  isFile(): boolean;
}

/**
 * @param path for the message
 * @throws RunError `input_changed`
 */
export function requireUnchanged(path: string, before: FileState, now: FileState): void {
  if (!before.isFile()) return;
  if (before.size === now.size && before.mtimeMs === now.mtimeMs) return;
  throw new RunError("input_changed", `${path} has changed since it was first looked at`, {
    hint: "Wait until the export is written whole, then run the same command again: it goes on where it stopped, with the file as it is then.",
  });
}
