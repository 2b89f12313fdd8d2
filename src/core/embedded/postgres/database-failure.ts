/** Turns a database's failures into the core's: for a call, and for opening the database. */

import { RunError, type RunErrorCode } from "../../../errors/run-error.js";
import { CoreFailure, type CoreFailureKind, type Reached } from "../../core-failure.js";
import { type Trouble, type TroubleKind, troubleOf } from "./trouble.js";

/** When a call that found no database should come again, in milliseconds. */
const RETRY_MS = 1000;

interface Told {
  readonly kind: CoreFailureKind;
  readonly message: string;
}

/** Whatever passes with time is `busy`: it is waited for, however often it fails. */
const BY_TROUBLE: Readonly<Record<TroubleKind, Told>> = {
  away: { kind: "busy", message: "the core's database is away" },
  crowded: { kind: "busy", message: "the core's database has no connection left" },
  slow: { kind: "busy", message: "the core's database is too slow" },
  conflict: { kind: "busy", message: "the core's database is busy with others" },
  read_only: { kind: "busy", message: "the core's database takes no writes" },
  login: { kind: "busy", message: "the core's database refuses the login" },
  missing: { kind: "busy", message: "the core's database is gone" },
  disk: { kind: "disk", message: "the core's database has no room left or a broken disk" },
  denied: { kind: "broken", message: "the core's database refuses its role something" },
  tables: { kind: "broken", message: "the core's database lacks a table or a column" },
  taken: { kind: "broken", message: "the core's store failed" },
  data: { kind: "refused", message: "the core's database can't take a value of the request" },
  bug: { kind: "broken", message: "the core's store failed" },
};

/**
 * Turns a failed call into a `CoreFailure`; errors that aren't the database's pass through.
 *
 * @param lost what became of the call where the connection was lost under it
 */
export function asCoreFailure(error: unknown, lost: Reached): unknown {
  if (error instanceof CoreFailure) return error;
  const trouble = troubleOf(error);
  if (trouble === null) return error;
  if (trouble.kind === "away" && lost === "unknown") {
    const message = `the core's database went away under the call (${trouble.what})`;
    return new CoreFailure("unreachable", message, { reached: "unknown", cause: error });
  }
  const { kind, message } = BY_TROUBLE[trouble.kind];
  const reached = kind === "refused" ? "yes" : trouble.isConnectionLost ? lost : "no";
  return new CoreFailure(kind, `${message} (${trouble.what})`, {
    reached,
    cause: error,
    ...(kind === "busy" ? { retryAfterMs: RETRY_MS } : {}),
    ...(kind === "refused" ? { status: 400 } : {}),
  });
}

const AGAIN = "then run the same command again";

interface Opening {
  readonly code: RunErrorCode;
  /** To stand between "the database X" and the reason. */
  readonly what: string;
  readonly hint: string;
}

const UNREACHABLE: Opening = {
  code: "database_unreachable",
  what: "can't be reached",
  hint: `Check host, port and sslmode of --database-url and that the server runs, ${AGAIN}.`,
};
const LATER: Opening = {
  code: "outage",
  what: "takes no connection now",
  hint: `Wait until the server is up and has a connection to spare (max_connections), ${AGAIN}.`,
};
const DENIED: Opening = {
  code: "database_refused",
  what: "lets the role make or read no tables",
  hint: "Grant the role CREATE on the database, or on the schema auth_core; see docs/postgresql.md.",
};
const INVALID: Opening = {
  code: "database_invalid",
  what: "has a schema auth_core that isn't this core's",
  hint: "Name another database, or move that schema away.",
};

const BY_OPENING: Readonly<Record<TroubleKind, Opening>> = {
  away: UNREACHABLE,
  crowded: LATER,
  slow: LATER,
  conflict: LATER,
  login: {
    code: "database_refused",
    what: "refuses the login",
    hint: "Check the user of --database-url and the password: PGPASSWORD, a line of PGPASSFILE, or the URL where it isn't on the command line.",
  },
  denied: DENIED,
  missing: {
    code: "database_missing",
    what: "doesn't exist",
    hint: "Check the name behind the last slash of --database-url, or make the database with createdb.",
  },
  read_only: {
    code: "database_read_only",
    what: "takes no writes",
    hint: `It is a standby, or default_transaction_read_only is on: name the primary, ${AGAIN}.`,
  },
  disk: {
    code: "disk",
    what: "has no room left, or a broken disk",
    hint: `Make room on the server's disk, ${AGAIN}.`,
  },
  tables: INVALID,
  taken: INVALID,
  data: INVALID,
  bug: INVALID,
};

/** The server is there, and on its way up or down. */
const PASSING = new Set(["PostgreSQL 57P01", "PostgreSQL 57P02", "PostgreSQL 57P03"]);

/**
 * A database that could not be opened, as a `RunError` that says what to do about it.
 *
 * @param name as the target has it
 */
export function asOpenError(error: unknown, name: string): unknown {
  // A commit that failed comes in a call's words.
  const trouble = troubleOf(error instanceof CoreFailure ? error.cause : error);
  if (trouble === null) return error;
  const { code, what, hint } = openingOf(trouble);
  return new RunError(code, `the database ${name} ${what} (${trouble.what})`, {
    hint,
    cause: error,
  });
}

function openingOf({ kind, what }: Trouble): Opening {
  return PASSING.has(what) ? LATER : BY_OPENING[kind];
}

/** The unique index that a call failed at, or null. */
export function takenIndex(error: unknown): string | null {
  if (!(error instanceof CoreFailure)) return null;
  const trouble = troubleOf(error.cause);
  return trouble?.kind === "taken" ? trouble.constraint : null;
}

/** Whether one of several values in a statement was its fault, so that the others may go on without it. */
export function isOnesFault(error: unknown): boolean {
  if (!(error instanceof CoreFailure)) return false;
  const kind = troubleOf(error.cause)?.kind;
  return kind === "data" || kind === "taken" || kind === "bug";
}
