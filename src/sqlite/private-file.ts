/** Keeps a file private to its owner. SQLite opens files by name, so the file is checked before SQLite opens it and again afterwards. */

import { closeSync, existsSync, openSync, type Stats } from "node:fs";
import { systemErrorCode } from "../errors/run-error.js";
import { ReplacedFile, realPathOf, requireOwn, statsOf, tighten } from "../files/own-file.js";
import { SqliteFailure } from "./sqlite-failure.js";

/** What SQLite writes beside a file: pages of it, or what it undoes changes by. */
const COMPANIONS = ["-journal", "-wal", "-shm"];

/**
 * A file of this user's, and what SQLite has beside it, made ready to be opened; created, mode
 * 0600, where it isn't there. No descriptor of it is kept: closing one would give back the locks
 * that SQLite holds on the file in this process.
 *
 * @returns a function to call once SQLite has opened the file and before a secret is written: it
 *   takes other users' rights to the file away
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
    if (statsOf(path)?.ino !== claimed?.ino) throw new ReplacedFile(path);
    for (const each of all()) tighten(each);
  };
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
