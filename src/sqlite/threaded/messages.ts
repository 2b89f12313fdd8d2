/** The messages between a writing thread and its caller. */

import type { MessagePort } from "node:worker_threads";
import type { OpenOptions } from "../database.js";
import type { SqlValue } from "../driver.js";
import type { SqliteFailureKind } from "../sqlite-failure.js";

/** A statement that is to be run: its number, and its parameters. */
export type Operation = readonly [statement: number, parameters: readonly SqlValue[]];

/** Pieces of work that are to share a transaction. */
export interface Group {
  /** Statements that the thread doesn't know yet. */
  readonly statements: readonly (readonly [number: number, sql: string])[];
  readonly pieces: readonly (readonly Operation[])[];
}

/** A failure as it is handed over: its class doesn't cross a thread. */
export interface FailureParts {
  readonly kind: SqliteFailureKind;
  readonly message: string;
  /** The driver's own code; `""` where there is none. */
  readonly code: string;
}

/** What became of a group: null where all of it is durable, else of each piece. */
export type GroupEnd = null | readonly (FailureParts | null)[];

/** Sent in place of a group: it ends the thread once everything before it is written. */
export const END = "end";

/** What the thread starts with. */
export interface ThreadStart {
  readonly path: string;
  readonly options: OpenOptions;
  readonly port: MessagePort;
  /** One number of 32 bits: set to {@link ENDED} and notified when the file is closed. */
  readonly state: Int32Array;
}

export const ENDED = 1;
