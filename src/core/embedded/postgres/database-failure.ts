/** Classifies a database's failures by the error codes of PostgreSQL and of sockets, and puts them into the core's words. The server's own text is never passed on: it may hold what was sent. */

import { RunError, type RunErrorCode, systemErrorCode } from "../../../errors/run-error.js";
import { CoreFailure, type CoreFailureKind, type Reached } from "../../core-failure.js";

/**
 * - `away`: there is no connection, or there is none any more.
 * - `crowded`: the server or the pool has no connection left, or the server no memory.
 * - `slow`: a statement took longer than it may, most likely waiting for another one.
 * - `conflict`: two transactions were in each other's way; this one was rolled back.
 * - `login`: the password, or who may connect; `denied`: what the role may do.
 * - `missing`: no such database; `tables`: it lacks tables or columns that a core has.
 * - `taken`: another user has a unique value; `data`: the server can't take a value.
 * - `bug`: anything else that the server says about a statement.
 */
type TroubleKind =
  | "away"
  | "crowded"
  | "slow"
  | "conflict"
  | "read_only"
  | "disk"
  | "login"
  | "denied"
  | "missing"
  | "tables"
  | "taken"
  | "data"
  | "bug";

interface Trouble {
  readonly kind: TroubleKind;
  /** In words, to follow a colon or stand in parentheses. */
  readonly what: string;
  /** The connection can't be used any more. */
  readonly isConnectionLost: boolean;
}

/** What neither the driver nor a socket throws, be there a code on it or not. */
const OURS = [RunError, CoreFailure, TypeError, RangeError, ReferenceError, SyntaxError] as const;

/** PostgreSQL's error codes, whole or by their class, the first two characters (its manual, appendix A). */
const BY_STATE: Readonly<Record<string, TroubleKind>> = {
  "08": "away",
  "57P01": "away",
  "57P02": "away",
  "57P03": "away",
  "57P05": "away",
  "25P03": "away",
  "53100": "disk",
  "53": "crowded",
  "58": "disk",
  "57014": "slow",
  "55P03": "slow",
  "25006": "read_only",
  "28": "login",
  "42501": "denied",
  "3D000": "missing",
  "3F000": "tables",
  "42P01": "tables",
  "42703": "tables",
  "42P07": "tables",
  "40": "conflict",
  "23505": "taken",
  "22": "data",
};

/**
 * @returns null for what is no failure of a database: a bug of ours, which must not be mended by
 *   trying again
 */
export function troubleOf(error: unknown): Trouble | null {
  if (!(error instanceof Error) || OURS.some((kind) => error instanceof kind)) return null;
  const code = systemErrorCode(error);
  if ("severity" in error) {
    const kind = BY_STATE[code] ?? BY_STATE[code.slice(0, 2)] ?? "bug";
    const isConnectionLost = kind === "away" || error.severity !== "ERROR";
    return { kind, what: `PostgreSQL ${code}`, isConnectionLost };
  }
  const lost = { isConnectionLost: true };
  if (code !== "") return { kind: "away", what: code, ...lost };
  if (/password/.test(error.message)) {
    return { kind: "login", what: "the server asks for a password", ...lost };
  }
  if (/timeout exceeded when trying to connect/.test(error.message)) {
    return { kind: "crowded", what: "no connection of the pool became free", ...lost };
  }
  if (/does not support SSL/.test(error.message)) {
    return { kind: "away", what: "the server doesn't offer TLS", ...lost };
  }
  const isLate = /timeout/i.test(error.message);
  return { kind: "away", what: isLate ? "no answer in time" : "the connection ended", ...lost };
}

/** When a call that found no database should come again, in milliseconds. */
const RETRY_MS = 1000;

/** Whatever passes with time is `busy`: it is waited for, however often it fails. */
const BY_TROUBLE: Readonly<
  Record<TroubleKind, { readonly kind: CoreFailureKind; readonly message: string }>
> = {
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
  code: "core_unreachable",
  what: "can't be reached",
  hint: `Check host, port and sslmode of the database's URL and that the server runs, ${AGAIN}.`,
};
const LATER: Opening = {
  code: "outage",
  what: "takes no connection now",
  hint: `Wait until the server is up and has a connection to spare (max_connections), ${AGAIN}.`,
};
const DENIED: Opening = {
  code: "key_refused",
  what: "lets the role make or read no tables",
  hint: "Grant the role CREATE on the database, or on the schema auth_core; see docs/core/postgresql.md.",
};
const INVALID: Opening = {
  code: "data_unusable",
  what: "has a schema auth_core that isn't this core's",
  hint: "Name another database, or move that schema away.",
};

const BY_OPENING: Readonly<Record<TroubleKind, Opening>> = {
  away: UNREACHABLE,
  crowded: LATER,
  slow: LATER,
  conflict: LATER,
  login: {
    code: "key_refused",
    what: "refuses the login",
    hint: "Check the user in the database's URL and the password: PGPASSWORD, a line of PGPASSFILE, or the URL where it isn't on the command line.",
  },
  denied: DENIED,
  missing: {
    code: "data_unusable",
    what: "doesn't exist",
    hint: "Check the name behind the last slash of the database's URL, or make the database with createdb.",
  },
  read_only: {
    code: "disk",
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
  const { code, what, hint } = PASSING.has(trouble.what) ? LATER : BY_OPENING[trouble.kind];
  return new RunError(code, `the database ${name} ${what} (${trouble.what})`, {
    hint,
    cause: error,
  });
}

/** Whether one of several values in a statement was its fault, so that the others may go on without it. */
export function isOnesFault(error: unknown): boolean {
  if (!(error instanceof CoreFailure)) return false;
  const kind = troubleOf(error.cause)?.kind;
  return kind === "data" || kind === "taken" || kind === "bug";
}
