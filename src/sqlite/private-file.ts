/** Keeps a file to its owner: what is written into it, other users of the machine must not read. SQLite opens files by their names alone, so what stands behind a name is looked at before it opens one and again afterwards. */

import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  realpathSync,
  statSync,
  type Stats,
} from "node:fs";
import { RunError, systemErrorCode } from "../errors/run-error.js";
import { SqliteFailure } from "./sqlite-failure.js";

const OTHERS = 0o077;
/** What SQLite writes beside a file: pages of it, or what it undoes changes by. */
const COMPANIONS = ["-journal", "-wal", "-shm"];

/**
 * A file of this user's, and what SQLite has beside it, made ready to be opened; created, mode
 * 0600, where it isn't there. No descriptor of it is kept: closing one would give back the locks
 * that SQLite holds on the file in this process.
 *
 * @returns what is to be called once SQLite has opened it, before anything secret is written: it
 *   takes the file from others who may read it
 * @throws RunError `file_not_private` (also by what is returned) for a file of another user's, root
 *   included, one that has been replaced meanwhile, and one on a file system without permissions
 * @throws SqliteFailure `missing`, `disk`
 */
export function claimFile(path: string, mustExist: boolean): () => void {
  const claimed = create(path, mustExist) ?? statsOf(path);
  const all = (): string[] => {
    const file = realPathOf(path);
    return [file, ...COMPANIONS.map((suffix) => file + suffix)];
  };
  for (const each of all()) requireOwn(each);
  return () => {
    if (statsOf(path)?.ino !== claimed?.ino) throw notPrivate(path, "was replaced by another file");
    for (const each of all()) tighten(each);
  };
}

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
  if (owner !== null) throw notPrivate(path, `belongs to another user (uid ${owner})`);
}

/** The file that a path leads to, beside which SQLite puts its own. */
export function realPathOf(path: string): string {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink && existsSync(path) ? realpathSync(path) : path;
}

/** Null where the file was there already. */
function create(path: string, mustExist: boolean): Stats | null {
  if (existsSync(path)) return null;
  if (mustExist) throw new SqliteFailure("missing", `${path} does not exist`);
  try {
    closeSync(openSync(path, "wx", 0o600));
    return statsOf(path);
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") {
      // Another process was faster. Behind a link SQLite would make a file that others can read.
      if (existsSync(path)) return null;
      throw new SqliteFailure("disk", `${path} is a link that leads nowhere`, error);
    }
    throw new SqliteFailure("disk", `cannot create ${path} (${systemErrorCode(error)})`, error);
  }
}

function tighten(path: string): void {
  requireOwn(path);
  if (!isOpenToOthers(path)) return;
  const mode = statsOf(path)?.mode ?? 0;
  try {
    chmodSync(path, mode & 0o700);
  } catch {
    // Whether it had an effect is what counts.
  }
  if (isOpenToOthers(path))
    throw notPrivate(
      path,
      "can be read by others, and can't be kept from them on this file system",
    );
}

/** Of the file that a link leads to. */
function statsOf(path: string): Stats | null {
  return statSync(path, { throwIfNoEntry: false }) ?? null;
}

/** Windows has no such owners and modes: there a file inherits the rights of its folder. */
function hasOwners(): boolean {
  return process.geteuid !== undefined;
}

function notPrivate(path: string, why: string): RunError {
  return new RunError(
    "file_not_private",
    `${path} ${why}, and what is written into it must be its owner's alone.`,
    {
      hint: "Work in a folder of your own, or name another file with --checkpoint or --data; to go on with this one, run as the user who owns it.",
    },
  );
}
