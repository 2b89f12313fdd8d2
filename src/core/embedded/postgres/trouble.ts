/** Classifies database failures by the error codes of PostgreSQL and of sockets. The server's own text is never passed on: it may hold what was sent. */

import { RunError, systemErrorCode } from "../../../errors/run-error.js";
import { CoreFailure } from "../../core-failure.js";

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
export type TroubleKind =
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

export interface Trouble {
  readonly kind: TroubleKind;
  /** In words, to follow a colon or stand in parentheses. */
  readonly what: string;
  /** The connection can't be used any more. */
  readonly isConnectionLost: boolean;
  /** The unique index that was violated, or "". */
  readonly constraint: string;
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
    return { kind, what: `PostgreSQL ${code}`, isConnectionLost, constraint: constraintOf(error) };
  }
  const lost = { isConnectionLost: true, constraint: "" };
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

function constraintOf(error: Error): string {
  return "constraint" in error && typeof error.constraint === "string" ? error.constraint : "";
}
