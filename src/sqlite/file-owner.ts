/** Reads which application a SQLite file belongs to, and its schema version, from its header. */

import type { Database, SqlValue } from "./driver.js";
import { SqliteFailure } from "./sqlite-failure.js";

/** How a file of ours is recognized. */
export interface OwnerOptions {
  /** Marks whose file this is (SQLite's `application_id`); a file with another mark is refused. */
  readonly applicationId: number;
  /** `migrations[n]` brings a file from schema version n to n + 1. */
  readonly migrations: readonly string[];
}

/**
 * Refuses another application's file and one of a newer version, and returns its version.
 *
 * @throws SqliteFailure `foreign`
 */
export function checkOwner(database: Database, options: OwnerOptions): number {
  const owner = Number(pragma(database, "application_id"));
  if (owner !== options.applicationId && !isEmpty(database)) {
    throw new SqliteFailure("foreign", `${database.path} is a SQLite file of another application`);
  }
  return schemaVersion(database, options);
}

/** @throws SqliteFailure `foreign` for a newer one */
export function schemaVersion(database: Database, { migrations }: OwnerOptions): number {
  const version = Number(pragma(database, "user_version"));
  if (version <= migrations.length) return version;
  throw new SqliteFailure(
    "foreign",
    `${database.path} was written by a newer version of auth-migrate`,
  );
}

/** True for a file without a single table. */
export function isEmpty(database: Database): boolean {
  return database.prepare<[number]>("SELECT count(*) FROM sqlite_master").all()[0]?.[0] === 0;
}

/** A setting's value, or its new one. Read by `all`, which leaves no read lock behind as `get` does. */
export function pragma(database: Database, name: string): SqlValue | undefined {
  return database.prepare(`PRAGMA ${name}`).all()[0]?.[0];
}
