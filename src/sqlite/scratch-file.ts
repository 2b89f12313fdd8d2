/** A private file for data that doesn't fit into memory. It is gone when the process ends, also by a kill. */

import { closeSync, mkdtempSync, openSync, readSync, rmSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { RunError, systemErrorCode } from "../errors/run-error.js";
import type { Database } from "./driver.js";
import { SqliteFailure } from "./sqlite-failure.js";

export type ScratchFile = ReturnType<typeof createScratchFile>;

/** @param directory where it is made, once something is written */
export function createScratchFile(directory: string) {
  let file: { readonly descriptor: number; remove(): void } | null = null;
  let taken = 0;

  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw scratchFailure(directory, taken, error);
    }
  };
  return {
    /** @throws RunError `disk` */
    write(bytes: Uint8Array, position: number): void {
      attempt(() => {
        file ??= openUnnamed(directory);
        for (let done = 0; done < bytes.length; ) {
          done += writeSync(file.descriptor, bytes, done, bytes.length - done, position + done);
          taken = Math.max(taken, position + done);
        }
      });
    },
    /** Fills `bytes` with what was written there. @throws RunError `disk` */
    read(bytes: Uint8Array, position: number): void {
      attempt(() => {
        if (file !== null) readSync(file.descriptor, bytes, 0, bytes.length, position);
      });
    },
    close(): void {
      if (file === null) return;
      closeSync(file.descriptor);
      file.remove();
      file = null;
    },
  };
}

/**
 * Asks a connection of `openScratch`.
 *
 * @param database null where it isn't open yet
 * @throws RunError `disk` where what it spills can't be written
 */
export function inScratch<T>(directory: string, database: () => Database | null, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SqliteFailure) || error.kind !== "disk") throw error;
    throw scratchFailure(directory, bytesOf(database()), error);
  }
}

/** What its tables have taken, as far as SQLite can still tell. */
function bytesOf(database: Database | null): number {
  try {
    return database?.prepare<[number]>(SIZE).get()?.[0] ?? 0;
  } catch {
    return 0;
  }
}

const SIZE =
  "SELECT page_count * page_size FROM pragma_page_count('temp'), pragma_page_size('temp')";

/**
 * Says what room a temporary file has taken, and what is left.
 *
 * @param taken bytes
 */
function scratchFailure(directory: string, taken: number, cause: unknown): RunError {
  const code = systemErrorCode(cause instanceof SqliteFailure ? cause.cause : cause);
  return new RunError(
    "disk",
    `A temporary file in ${directory} can't be used (${code}): it has taken ${megabytes(taken)}, and ${freeIn(directory)} free there.`,
    { hint: "Make room there, then run the same command again.", cause },
  );
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}

/** What an ordinary user may still take: "3 MB are". */
function freeIn(directory: string): string {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return `${megabytes(bavail * bsize)} are`;
  } catch {
    return "it isn't known how much is";
  }
}

/** Without a name from the start, where the system has such files. */
function openUnnamed(directory: string): { readonly descriptor: number; remove(): void } {
  const folder = mkdtempSync(join(directory, ".auth-migrate-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const descriptor = openSync(join(folder, "scratch"), "wx+", 0o600);
    if (process.platform !== "win32") remove();
    return { descriptor, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
