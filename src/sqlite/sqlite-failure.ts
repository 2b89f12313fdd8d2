/** The failures of a SQLite file, by what its owner must do about each. */

import { systemErrorCode } from "../errors/run-error.js";

/**
 * - `missing`: no such file, and it was not to be created.
 * - `foreign`: not SQLite, another application's, or of another version.
 * - `busy`: another process holds the lock.
 * - `constraint`: a uniqueness or check constraint.
 * - `damaged`: SQLite's, and parts of it are overwritten.
 * - `disk`: full, read-only, unreadable.
 * - `bug`: anything else, a wrong statement among them.
 */
export type SqliteFailureKind =
  | "missing"
  | "foreign"
  | "damaged"
  | "busy"
  | "constraint"
  | "disk"
  | "bug";

const KIND_BY_CODE: readonly (readonly [string, SqliteFailureKind])[] = [
  ["SQLITE_BUSY", "busy"],
  ["SQLITE_LOCKED", "busy"],
  ["SQLITE_CONSTRAINT", "constraint"],
  ["SQLITE_NOTADB", "foreign"],
  ["SQLITE_FULL", "disk"],
  ["SQLITE_IOERR", "disk"],
  ["SQLITE_READONLY", "disk"],
  ["SQLITE_CANTOPEN", "disk"],
  ["SQLITE_CORRUPT", "damaged"],
  ["SQLITE_PERM", "disk"],
];

/** A SQLite file that can't be used, or a statement that failed. Never holds bound values. */
export class SqliteFailure extends Error {
  override readonly name = "SqliteFailure";
  readonly kind: SqliteFailureKind;

  constructor(kind: SqliteFailureKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }

  /** Types whatever the driver threw; a failure that is typed already passes through. */
  static from(error: unknown, path: string): SqliteFailure {
    if (error instanceof SqliteFailure) return error;
    const code = systemErrorCode(error);
    const text = error instanceof Error ? error.message : String(error);
    const kind = KIND_BY_CODE.find(([prefix]) => code.startsWith(prefix))?.[1];
    if (kind !== undefined) {
      return new SqliteFailure(kind, `${path || "the database"}: ${code}: ${text}`, error);
    }
    // The driver reports a failed open without a code.
    if (text.startsWith("ConnectionFailed")) {
      return new SqliteFailure("disk", `cannot open ${path}`, error);
    }
    return new SqliteFailure("bug", `${path || "the database"}: ${text}`, error);
  }
}

/** Whether another process holds the lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof SqliteFailure && error.kind === "busy";
}
