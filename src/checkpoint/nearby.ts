/** Names the checkpoints that lie in a folder, for the operator who named another one. It opens none of them as a database, and none that a process may have open. */

import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { dirname, join } from "node:path";
import { CHECKPOINT_FILE } from "./schema.js";

/** Entries of a folder that are looked at: a folder of exports may have many. */
const MOST_LOOKED_AT = 1000;
/** SQLite's file header holds the application's number here (sqlite.org/fileformat2.html, 1.3). */
const ID_AT = 68;
const MAGIC = "SQLite format 3\0";

/** What SQLite has beside a file that a process may have open. */
const COMPANION = /-(?:wal|shm|journal)$/;

/** The paths of checkpoints beside a path where there is none, in the order of their names. */
function checkpointsBeside(path: string): string[] {
  const folder = dirname(path);
  try {
    const names = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
    // A file that this process has open would lose its locks when a second descriptor is closed.
    const companions = names.filter((name) => COMPANION.test(name));
    const untouched = new Set([
      ...companions,
      ...companions.map((name) => name.replace(COMPANION, "")),
    ]);
    return names
      .filter((name) => !name.endsWith(".lock") && !untouched.has(name))
      .slice(0, MOST_LOOKED_AT)
      .map((name) => join(folder, name))
      .filter(isCheckpoint)
      .sort();
  } catch {
    // The path itself can't be right then, and that it isn't there is told.
    return [];
  }
}

function isCheckpoint(file: string): boolean {
  const header = Buffer.alloc(ID_AT + 4);
  try {
    const descriptor = openSync(file, "r");
    try {
      readSync(descriptor, header, 0, header.length, 0);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return false;
  }
  const isSqlite = header.toString("latin1", 0, MAGIC.length) === MAGIC;
  return isSqlite && header.readUInt32BE(ID_AT) === CHECKPOINT_FILE.applicationId;
}

/** `; there is a.checkpoint`, `; there are a.checkpoint and 3 more`, or nothing. */
export function besideText(path: string): string {
  const [first, ...others] = checkpointsBeside(path);
  if (first === undefined) return "";
  return others.length === 0
    ? `; there is ${first}`
    : `; there are ${first} and ${others.length} more`;
}
