/** Classifies a database's failures by the error codes of PostgreSQL and of sockets, and puts them into the core's words. The server's own text is never passed on: it may hold what was sent. */

import { RunError, type RunErrorCode, systemErrorCode } from "../../../errors/run-error.js";
import { CoreFailure, type CoreFailureKind, type Reached } from "../../core-failure.js";

/** What a trouble is in a call's words, and where the database can't be opened. */
interface Meaning {
  readonly kind: CoreFailureKind;
  /** To stand behind "the core's". */
  readonly message: string;
  readonly opening: Opening;
}

/** What keeps a database from being opened. */
interface Opening {
  readonly code: RunErrorCode;
  /** To stand between "the database X" and the reason. */
  readonly what: string;
  readonly hint: string;
}

const AGAIN = "then run the same command again";
const LATER: Opening = {
  code: "outage",
  what: "takes no connection now",
  hint: `Wait until the server is up and has a connection to spare (max_connections), ${AGAIN}.`,
};
const INVALID: Opening = {
  code: "data_unusable",
  what: "has a schema auth_core that isn't this core's",
  hint: "Name another database, or move that schema away.",
};

/** Whatever passes with time is `busy`: it is waited for, however often it fails. */
const MEANINGS = {
  /** There is no connection, or there is none any more. */
  away: {
    kind: "busy",
    message: "database is away",
    opening: {
      code: "core_unreachable",
      what: "can't be reached",
      hint: `Check host, port and sslmode of the database's URL and that the server runs, ${AGAIN}.`,
    },
  },
  /** The server or the pool has no connection left, or the server no memory. */
  crowded: { kind: "busy", message: "database has no connection left", opening: LATER },
  /** A statement took longer than it may, most likely waiting for another one. */
  slow: { kind: "busy", message: "database is too slow", opening: LATER },
  /** Two transactions were in each other's way; this one was rolled back. */
  conflict: { kind: "busy", message: "database is busy with others", opening: LATER },
  read_only: {
    kind: "busy",
    message: "database takes no writes",
    opening: {
      code: "disk",
      what: "takes no writes",
      hint: `It is a standby, or default_transaction_read_only is on: name the primary, ${AGAIN}.`,
    },
  },
  disk: {
    kind: "disk",
    message: "database has no room left or a broken disk",
    opening: {
      code: "disk",
      what: "has no room left, or a broken disk",
      hint: `Make room on the server's disk, ${AGAIN}.`,
    },
  },
  /** The password, or who may connect. */
  login: {
    kind: "busy",
    message: "database refuses the login",
    opening: {
      code: "key_refused",
      what: "refuses the login",
      hint: "Check the user in the database's URL and the password: PGPASSWORD, a line of PGPASSFILE, or the URL where it isn't on the command line.",
    },
  },
  /** What the role may do. */
  denied: {
    kind: "broken",
    message: "database refuses its role something",
    opening: {
      code: "key_refused",
      what: "lets the role make or read no tables",
      hint: "Grant the role CREATE on the database, or on the schema auth_core; see docs/core/postgresql.md.",
    },
  },
  missing: {
    kind: "busy",
    message: "database is gone",
    opening: {
      code: "data_unusable",
      what: "doesn't exist",
      hint: "Check the name behind the last slash of the database's URL, or make the database with createdb.",
    },
  },
  /** It lacks tables or columns that a core has. */
  tables: { kind: "broken", message: "database lacks a table or a column", opening: INVALID },
  /** Another user has a unique value. */
  taken: { kind: "broken", message: "store failed", opening: INVALID },
  /** The server can't take a value. */
  data: {
    kind: "refused",
    message: "database can't take a value of the request",
    opening: INVALID,
  },
  /** Anything else that the server says about a statement. */
  bug: { kind: "broken", message: "store failed", opening: INVALID },
} as const satisfies Record<string, Meaning>;
type TroubleKind = keyof typeof MEANINGS;

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
  const { kind, message }: Meaning = MEANINGS[trouble.kind];
  const reached = kind === "refused" ? "yes" : trouble.isConnectionLost ? lost : "no";
  return new CoreFailure(kind, `the core's ${message} (${trouble.what})`, {
    reached,
    cause: error,
    ...(kind === "busy" ? { retryAfterMs: RETRY_MS } : {}),
    ...(kind === "refused" ? { status: 400 } : {}),
  });
}

/** The server is there, and on its way up or down. */
const PASSING = new Set(["PostgreSQL 57P01", "PostgreSQL 57P02", "PostgreSQL 57P03"]);

/**
 * A database that could not be opened, as a `RunError` that says what to do about it.
 *
 * @param name as the target has it
 */
export function asOpenError(error: unknown, name: string): unknown {
  // It comes in a call's words.
  const trouble = troubleOf(error instanceof CoreFailure ? error.cause : error);
  if (trouble === null) return error;
  const { code, what, hint } = PASSING.has(trouble.what) ? LATER : MEANINGS[trouble.kind].opening;
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
