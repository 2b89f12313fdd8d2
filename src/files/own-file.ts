/** Checks who owns a file and who else may read it. */

import { chmodSync, existsSync, lstatSync, realpathSync, statSync, type Stats } from "node:fs";
import { optionName } from "../errors/option-name.js";
import { RunError } from "../errors/run-error.js";

const OTHERS = 0o077;

/** Whether other users of this machine may read a file, or write to it. */
export function isOpenToOthers(path: string): boolean {
  const stats = statsOf(path);
  return hasOwners() && stats?.isFile() === true && (stats.mode & OTHERS) !== 0;
}

/**
 * Who has a file, where it is neither this user nor one of `trusted`.
 *
 * @returns the user's number, or null, also where there is no such file or the system has no owners
 */
export function otherOwner(path: string, trusted: readonly number[] = []): number | null {
  const owner = statsOf(path)?.uid;
  if (!hasOwners() || owner === undefined) return null;
  return owner === process.geteuid?.() || trusted.includes(owner) ? null : owner;
}

/** @throws RunError `file_not_private` for a file of another user's */
export function requireOwn(path: string): void {
  const owner = otherOwner(path);
  if (owner !== null) throw new NotPrivate(path, `belongs to another user (uid ${owner})`);
}

/** The file that a path leads to, through a link. */
export function realPathOf(path: string): string {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink && existsSync(path) ? realpathSync(path) : path;
}

/**
 * Makes a file of this user's unreadable for other users.
 *
 * @throws RunError `file_not_private` for another user's, and on a file system without permissions
 */
export function tighten(path: string): void {
  requireOwn(path);
  if (!isOpenToOthers(path)) return;
  const mode = statsOf(path)?.mode ?? 0;
  try {
    chmodSync(path, mode & 0o700);
  } catch {
    // Whether it had an effect is what counts.
  }
  if (isOpenToOthers(path))
    throw new NotPrivate(
      path,
      "can be read by others, and can't be kept from them on this file system",
    );
}

/** Of the file that a link leads to. */
export function statsOf(path: string): Stats | null {
  return statSync(path, { throwIfNoEntry: false }) ?? null;
}

/** Windows has no such owners and modes: there a file inherits the rights of its folder. */
function hasOwners(): boolean {
  return process.geteuid !== undefined;
}

class NotPrivate extends RunError {
  constructor(path: string, why: string) {
    super(
      "file_not_private",
      `${path} ${why}, and what is written into it must be its owner's alone.`,
      {
        hint: `Work in a folder of your own, or name another file with ${optionName("--checkpoint")} or ${optionName("--data")}; to go on with this one, run as the user who owns it.`,
      },
    );
  }
}

/** Another file stands where one was checked: of a stranger's, or another process has removed ours. */
export class ReplacedFile extends NotPrivate {
  constructor(path: string) {
    super(path, "was replaced by another file");
  }
}
