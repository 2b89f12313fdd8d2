/** A result in a new file of its own, mode 0600. Where it can't be written whole, no file is left. */

import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { RunError, systemErrorCode } from "../errors/run-error.js";
import { once } from "node:events";
import type { Writable } from "node:stream";

/**
 * Writes pieces of text into a new file and makes it durable.
 *
 * @throws RunError `usage` where the file is there already, `disk`, or what `pieces` throws; then
 *   there is no file
 */
export function writeNewFile(path: string, pieces: Iterable<string>): void {
  let file: number;
  try {
    file = openSync(path, "wx", 0o600);
  } catch (error) {
    throw systemErrorCode(error) === "EEXIST" ? isThere(path) : notWritten(path, error);
  }
  try {
    try {
      for (const piece of pieces) writeFileSync(file, piece);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    unlinkSync(path);
    throw error instanceof RunError ? error : notWritten(path, error);
  }
}

/**
 * Writes pieces of text in place of a file, which stays as it is until they are whole.
 *
 * @throws RunError `disk`
 */
export function replaceFile(path: string, pieces: Iterable<string>): void {
  const fresh = `${path}.new`;
  try {
    rmSync(fresh, { force: true });
    writeNewFile(fresh, pieces);
    renameSync(fresh, path);
  } catch (error) {
    throw error instanceof RunError ? error : notWritten(path, error);
  }
}

/** @throws RunError `usage` where the file is there already */
export function requireNew(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw isThere(path);
}

function isThere(path: string): RunError {
  return new RunError("usage", `${path} is there already, and nothing is written over it.`, {
    hint: "Name a new file, or move that one away.",
  });
}

function notWritten(path: string, cause: unknown): RunError {
  return new RunError("disk", `${path} can't be written (${systemErrorCode(cause)}).`, {
    hint: "Check that its folder is there and writable and the disk has room, then run the same command again.",
    cause,
  });
}

/**
 * Writes pieces of text until they end, or until the reader of `output` closes it: then no more of
 * them are made.
 *
 * @returns whether all of them were written
 * @throws what `pieces` throws, after all before it were written
 */
export async function writePieces(
  pieces: AsyncIterable<string> | Iterable<string>,
  output: Writable,
): Promise<boolean> {
  let open = true;
  const onError = (): void => {
    open = false;
  };
  // What the error was is main's business; process.stdout itself forgets it.
  output.on("error", onError);
  try {
    for await (const piece of pieces) {
      // An error ends the wait as well; `onError` has seen it.
      if (!output.write(piece)) await once(output, "drain").catch(() => {});
      if (!open) return false;
    }
    return true;
  } finally {
    output.off("error", onError);
  }
}
