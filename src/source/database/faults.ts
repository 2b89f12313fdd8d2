/** What keeps a database from being read, with what to do about it. A server's own text is passed on where it holds names alone: about values it may hold what was read. */

import { optionName } from "../../errors/option-name.js";
import { RunError, type RunErrorCode, systemErrorCode } from "../../errors/run-error.js";
import type { DatabaseLogin } from "./database.js";

/** A trouble: what it is, to stand behind "the database X", and what to do. */
interface Fault {
  readonly code: RunErrorCode;
  readonly what: string;
  readonly hint: string;
  /** Whether the server's text holds nothing but names. */
  readonly isSaid?: boolean;
}

const AGAIN = "then run the same command again";

export const FAULTS = {
  login: {
    code: "key_refused",
    what: "refuses the login",
    hint: `Check the user in the URL, and the password: ${optionName("--input-password-file")}, PGPASSWORD or ~/.pgpass, for MySQL MYSQL_PWD; ${AGAIN}.`,
  },
  missing: {
    code: "input_unreadable",
    what: "doesn't exist",
    hint: "Check the name behind the last slash of its URL.",
  },
  away: {
    code: "input_unreadable",
    what: "can't be reached",
    hint: `Check host, port and sslmode of its URL and that the server runs, ${AGAIN}.`,
  },
  untrusted: {
    code: "input_unreadable",
    what: "is at a server whose certificate can't be trusted",
    hint: `Name the authority that signed it, as in ?sslrootcert=ca.pem, and the host as the certificate does; ${AGAIN}.`,
    isSaid: true,
  },
  lost: {
    code: "outage",
    what: "was lost while its users were read",
    hint: "None of them was sent. Wait until the server is up, then run the same command again.",
  },
  crowded: {
    code: "outage",
    what: "takes no connection now",
    hint: `Wait until it has one to spare, ${AGAIN}.`,
  },
  locked: {
    code: "in_use",
    what: "has a table that another transaction has locked",
    hint: `Wait until that transaction has ended, a change of the schema most likely, ${AGAIN}.`,
  },
  slow: {
    code: "outage",
    what: "has ended the query, which took longer than the server allows",
    hint: `Have the server allow it more time (statement_timeout, max_statement_time), or read a replica; ${AGAIN}.`,
  },
  denied: {
    code: "input_unreadable",
    what: "doesn't let this user read a table whole",
    hint: `Grant the user SELECT on it, and USAGE on its schema; where rows are hidden by row-level security, BYPASSRLS as well; ${AGAIN}.`,
    isSaid: true,
  },
  writes: {
    code: "usage",
    what: "is only read, and the query would write",
    hint: `Give ${optionName("--query")} a file with one SELECT.`,
  },
  query: {
    code: "input_unrecognized",
    what: "can't answer the query",
    hint: "It names a table or a column that isn't there, or isn't SQL of this server: auth-migrate check-source --print-query shows a query that is.",
    isSaid: true,
  },
  value: {
    code: "input_damaged",
    what: "has a value that can't be read as the query asks",
    hint: `A text isn't of the database's encoding, or isn't the JSON, time or number that it should be: mend it, or leave the column out by a ${optionName("--query")} of your own.`,
  },
} as const satisfies Record<string, Fault>;

/** PostgreSQL's error codes, whole or by their class, the first two characters (its manual, appendix A). */
const BY_STATE: Readonly<Record<string, keyof typeof FAULTS>> = {
  "08": "lost",
  "57": "lost",
  "57P03": "crowded",
  "57014": "slow",
  "25P02": "query",
  "53": "crowded",
  "55P03": "locked",
  "25006": "writes",
  "28": "login",
  "3D000": "missing",
  "42501": "denied",
  "42": "query",
  // "COPY query must have a RETURNING clause", "COPY (SELECT INTO) is not supported".
  "0A": "writes",
  "22": "value",
};

/** MySQL's and MariaDB's error numbers. */
const BY_NUMBER: Readonly<Record<number, keyof typeof FAULTS>> = {
  1044: "missing",
  1045: "login",
  1049: "missing",
  1040: "crowded",
  1203: "crowded",
  1226: "crowded",
  1698: "login",
  1205: "locked",
  1969: "slow",
  3024: "slow",
  1317: "lost",
  1053: "lost",
  1142: "denied",
  1143: "denied",
  1227: "denied",
  1370: "denied",
  1792: "writes",
  1290: "writes",
  1054: "query",
  1064: "query",
  1146: "query",
  1305: "query",
};

/**
 * A driver's error as what stops a run; any other stays as it is.
 *
 * @param moment whether the connection was there already
 */
export function asFault(
  error: unknown,
  { database }: Pick<DatabaseLogin, "database">,
  moment: "connecting" | "reading",
): unknown {
  if (
    !(error instanceof Error) ||
    error instanceof RunError ||
    BUGS.some((kind) => error instanceof kind)
  )
    return error;
  const { kind, detail } = kindOf(error, moment);
  const { code, what, hint, isSaid = false }: Fault = FAULTS[kind];
  const said = isSaid ? `: ${error.message}` : ` (${detail})`;
  return new RunError(code, `The database ${database} ${what}${said}`, { hint, cause: error });
}

/** Throws what a query has failed of, as {@link asFault} has it. */
export function throwFault(login: DatabaseLogin): (error: unknown) => never {
  return (error) => {
    throw asFault(error, login, "reading");
  };
}

/** A query's rows, behind which the connection is closed; throws as {@link throwFault}. */
export async function* closing(
  rows: AsyncIterable<Buffer>,
  login: DatabaseLogin,
  close: () => Promise<void>,
): AsyncGenerator<Buffer> {
  try {
    yield* rows;
  } catch (error) {
    throwFault(login)(error);
  } finally {
    await close();
  }
}

/** What a query is that has no rows to give. */
export function noRows({ database }: Pick<DatabaseLogin, "database">): RunError {
  const { code, what, hint } = FAULTS.writes;
  return new RunError(code, `The database ${database} ${what}`, { hint });
}

const BUGS = [TypeError, RangeError, ReferenceError, SyntaxError];

function kindOf(error: Error, moment: "connecting" | "reading") {
  const code = systemErrorCode(error);
  if ("severity" in error) {
    const kind = BY_STATE[code] ?? BY_STATE[code.slice(0, 2)] ?? "query";
    const isEarly = kind === "lost" && moment === "connecting";
    return { kind: isEarly ? "crowded" : kind, detail: `PostgreSQL ${code}` } as const;
  }
  if ("errno" in error && "sqlState" in error && typeof error.errno === "number") {
    return { kind: BY_NUMBER[error.errno] ?? "query", detail: `MySQL ${error.errno}` } as const;
  }
  // PostgreSQL's driver asks for a password that nobody gave.
  if (/password/.test(error.message)) {
    return { kind: "login", detail: "the server asks for a password" } as const;
  }
  if (/certificate/.test(error.message)) return { kind: "untrusted", detail: code } as const;
  const kind = moment === "connecting" ? "away" : "lost";
  if (/SSL|secure connection/.test(error.message)) {
    return { kind, detail: "the server doesn't offer TLS" } as const;
  }
  return { kind, detail: code || "the connection ended" } as const;
}
