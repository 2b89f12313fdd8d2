/** The entry of a writing thread: it writes groups of statements into one file, each group in one transaction. */

import { workerData } from "node:worker_threads";
import { systemErrorCode } from "../../errors/run-error.js";
import { openDatabase } from "../database.js";
import type { Database, SqlValue, Statement } from "../driver.js";
import { isWholeFile, transact } from "../group-commit.js";
import { SqliteFailure } from "../sqlite-failure.js";
import {
  END,
  ENDED,
  type FailureParts,
  type Group,
  type GroupEnd,
  type Operation,
  type ThreadStart,
} from "./messages.js";

// Without these data the module does nothing.
if (workerData?.port !== undefined) writeFor(workerData as ThreadStart);

function writeFor({ path, options, port, state }: ThreadStart): void {
  let write: (group: Group) => GroupEnd;
  let close = (): void => {};
  try {
    const database = openDatabase(path, options);
    write = writerOn(database);
    close = () => database.close();
  } catch (error) {
    const failure = partsOf(SqliteFailure.from(error, path));
    write = ({ pieces }) => pieces.map(() => failure);
  }
  port.on("message", (message: Group | typeof END) => {
    if (message !== END) {
      port.postMessage(write(message));
      return;
    }
    try {
      close();
    } finally {
      Atomics.store(state, 0, ENDED);
      Atomics.notify(state, 0);
      port.close();
    }
  });
}

function writerOn(database: Database): (group: Group) => GroupEnd {
  const known = new Map<number, Statement>();
  const workOf = (operations: readonly Operation[]) => ({
    work: () => {
      for (const [number, parameters] of operations) {
        known.get(number)?.run(...parameters.map(asBound));
      }
    },
  });
  return ({ statements, pieces }) => {
    try {
      for (const [number, sql] of statements) known.set(number, database.prepare(sql));
      transact(database, pieces.map(workOf));
      return null;
    } catch (error) {
      const failure = partsOf(SqliteFailure.from(error, database.path));
      if (pieces.length === 1 || isWholeFile(error)) return pieces.map(() => failure);
      return pieces.map((piece) => alone(database, workOf(piece)));
    }
  };
}

function alone(database: Database, piece: { readonly work: () => void }): FailureParts | null {
  try {
    transact(database, [piece]);
    return null;
  } catch (error) {
    return partsOf(SqliteFailure.from(error, database.path));
  }
}

/** A Buffer arrives as bytes alone, which the driver doesn't take. */
function asBound(value: SqlValue): SqlValue {
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : value;
}

function partsOf({ kind, message, cause }: SqliteFailure): FailureParts {
  return { kind, message, code: systemErrorCode(cause) };
}
