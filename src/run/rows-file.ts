/** A new file for rows that were rejected: 0600, written while the run goes on, durable at its end. It goes over no other file. */

import { closeSync, fsyncSync, lstatSync, openSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, format, parse } from "node:path";
import { exhausted, RunError, systemErrorCode } from "../errors/run-error.js";
import type { RawRow, Reason } from "../source/raw/raw-row.js";

/** Earlier runs' files of one name; more aren't intended. */
const MOST_FILES = 10_000;

/** A new file that rows are written to. */
interface RowsFile {
  readonly path: string;
  /**
   * Hands text to the system as soon as the code that is running has ended.
   *
   * @throws RunError `disk`, also for text of earlier calls
   */
  write(text: string): void;
  /**
   * Makes it durable; one that nothing was written to is removed.
   *
   * @throws RunError `disk`
   */
  close(): void;
}

/** What is said where a file can't be written, or its name can't be had. */
export interface RowsFileWords {
  /** What becomes of the rows when the command is run again, as a clause. */
  readonly again: string;
  /** The option that names the file. */
  readonly option: string;
}

/**
 * Creates the file, or, where an earlier run's is there, one with the next free number behind its
 * name: `rejects.csv`, `rejects-2.csv`. What is there may have been mended by hand.
 *
 * @throws RunError `usage` for a path that is something else than a file (a pipe, a device, a
 *   folder), `disk`, `out_of_resources`
 */
export function createRowsFile(wanted: string, words: RowsFileWords): RowsFile {
  const { path, file } = createNew(wanted, words);
  let isEmpty = true;
  let waiting: string[] = [];
  let problem: unknown = null;

  const flush = (): void => {
    const text = waiting.join("");
    waiting = [];
    writeFileSync(file, text);
  };
  const flushLater = (): void => {
    try {
      flush();
    } catch (error) {
      problem ??= error;
    }
  };
  const failIfBroken = (): void => {
    if (problem !== null) throw problem;
  };
  return {
    path,
    write(text) {
      attempt(path, words, failIfBroken);
      isEmpty = false;
      // Those of one batch are told one after the other, and written together behind the last one.
      if (waiting.push(text) === 1) queueMicrotask(flushLater);
    },
    close() {
      attempt(path, words, () => {
        try {
          flush();
          failIfBroken();
          fsyncSync(file);
        } finally {
          closeSync(file);
        }
        if (isEmpty) unlinkSync(path);
        else syncFolder(path);
      });
    },
  };
}

function createNew(
  wanted: string,
  words: RowsFileWords,
): { readonly path: string; readonly file: number } {
  for (let number = 1; number <= MOST_FILES; number += 1) {
    const path = number === 1 ? wanted : numbered(wanted, number);
    const file = attempt(path, words, () => createUnlessThere(path, words));
    if (file !== null) return { path, file };
  }
  throw new RunError("usage", `There are ${MOST_FILES} files named like ${wanted}.`, {
    hint: `Name another one with ${words.option}.`,
  });
}

/** @returns null where a file has the name */
function createUnlessThere(path: string, { option }: RowsFileWords): number | null {
  try {
    return openSync(path, "wx", 0o600);
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw error;
    if (lstatSync(path).isFile()) return null;
    throw new RunError("usage", `${path} is no file that rows can be written to.`, {
      hint: `Give ${option} the name of a new file; it can be no pipe, device, folder or link.`,
    });
  }
}

/** `rejects-2.csv` of `rejects.csv`. */
export function numbered(path: string, number: number): string {
  const { dir, name, ext } = parse(path);
  return format({ dir, name: `${name}-${number}`, ext });
}

/** Syncs the folder, so that the file's name survives a power cut as well. Not every system can. */
function syncFolder(path: string): void {
  try {
    const folder = openSync(dirname(path), "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch {
    // What is in the file is durable.
  }
}

function attempt<T>(path: string, words: RowsFileWords, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RunError) throw error;
    throw exhausted(error) ?? diskError(path, words, error);
  }
}

function diskError(path: string, { again }: RowsFileWords, cause: unknown): RunError {
  return new RunError("disk", `${path} can't be written (${systemErrorCode(cause)}).`, {
    hint: `Check that its folder is there and writable and the disk has room, then run the same command again: ${again}.`,
    cause,
  });
}

const MARK = "\uFEFF";

/**
 * Files of rows as they stood in the input, each of rows that one file can hold: rows of several
 * sources, or of tables with different columns, get a file each.
 */
export interface RawFiles {
  /**
   * Writes a row into the file of its form.
   *
   * @throws RunError `disk`
   */
  write(raw: RawRow, reason: Reason): void;
  /** The files that hold rows, in the order of their first. */
  readonly written: readonly string[];
  /** Makes them durable. @throws RunError `disk` */
  close(): void;
}

/** @param create a new file at every call; the first is created at once */
export function createRawFiles(create: () => RowsFile): RawFiles {
  // It isn't known yet whose rows the first one holds.
  const files: { readonly key: string | null; readonly file: RowsFile }[] = [
    { key: null, file: create() },
  ];
  const written: string[] = [];
  let last: (Pick<RawRow, "form" | "source"> & { readonly file: RowsFile }) | null = null;

  const fileFor = ({ form, marked, source }: RawRow): RowsFile => {
    const key = `${source} ${form.key}`;
    const known = files.find((one) => one.key === key);
    if (known !== undefined) return known.file;
    const unused = files.findIndex((one) => one.key === null);
    const file = files[unused]?.file ?? create();
    files.splice(unused === -1 ? files.length : unused, 1, { key, file });
    written.push(file.path);
    file.write(marked && !form.opening.startsWith(MARK) ? MARK + form.opening : form.opening);
    return file;
  };
  return {
    written,
    write(raw, reason) {
      const { form, source } = raw;
      // Row after row has the same one, whose key is long.
      if (last?.form !== form || last.source !== source) {
        last = { form, source, file: fileFor(raw) };
      }
      last.file.write(form.write(raw, reason));
    },
    close() {
      for (const { file } of files.splice(0)) file.close();
    },
  };
}
