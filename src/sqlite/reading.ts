/** Opens a SQLite file beside the process that writes to it. It creates and writes nothing. */

import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { systemErrorCode } from "../errors/run-error.js";
import {
  type Database,
  openDriver,
  wrap,
  checkOwner,
  isEmpty,
  type OwnerOptions,
} from "./driver.js";
import { isBusy, SqliteFailure } from "./sqlite-failure.js";

/**
 * Opens a file to read it as it is. In the writer's own process the connection outlives `close` until
 * its statements are collected, and until then the writer can't fold the file.
 *
 * @throws SqliteFailure `missing`, `foreign` (not SQLite, another application's, another
 *   version's, or empty), `busy`, `disk`
 */
export function openForReading(path: string, options: OwnerOptions): Database {
  try {
    return open(path, options, readOnly(path));
  } catch (error) {
    if (!existsSync(path)) throw new SqliteFailure("missing", `${path} does not exist`, error);
    if (!hasWorkLeft(error)) throw error;
    return open(path, options, path);
  }
}

/**
 * Whether another process has locked a file exclusively. It keeps no lock and creates nothing.
 *
 * @throws SqliteFailure `disk`
 */
export function isLockedExclusively(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    const driver = openDriver(path, 0, readOnly(path));
    try {
      isEmpty(wrap(driver, path));
      return false;
    } finally {
      driver.close();
    }
  } catch (error) {
    if (isBusy(error)) return true;
    if (!existsSync(path)) return false;
    throw error;
  }
}

function readOnly(path: string): string {
  return `${pathToFileURL(path).href}?mode=ro`;
}

function open(path: string, options: OwnerOptions, address: string): Database {
  const driver = openDriver(path, undefined, address);
  try {
    const database = wrap(driver, path);
    if (isEmpty(database)) throw new SqliteFailure("foreign", `${path} is empty`);
    checkOwner(database, options);
    return database;
  } catch (error) {
    driver.close();
    throw error;
  }
}

/** A writer was killed in the middle of a change; the next writer undoes it. */
function hasWorkLeft(error: unknown): boolean {
  const code = error instanceof SqliteFailure ? systemErrorCode(error.cause) : "";
  return code === "SQLITE_READONLY_ROLLBACK" || code === "SQLITE_READONLY_RECOVERY";
}
