/** New files for rows as they stood in an input: 0600, written while the run goes on, durable at their end. They go over no other file. */

import { closeSync, fsyncSync, lstatSync, openSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, format, parse } from "node:path";
import { exhausted, RunError, systemErrorCode } from "../errors/run-error.js";
import type { RawRow, Reason } from "../source/raw/raw-row.js";

/** Earlier runs' files of one name; more aren't intended. */
const MOST_FILES = 10_000;

/** What is said where a file can't be written, or its name can't be had. */
export interface RowsFileWords {
  /** What becomes of the rows when the command is run again, as a clause. */
  readonly again: string;
  /** The option that names the file. */
  readonly option: string;
}

/** `rejects-2.csv` of `rejects.csv`; the name itself of the first one. */
export function numbered(path: string, number: number): string {
  const { dir, name, ext } = parse(path);
  return number === 1 ? path : format({ dir, name: `${name}-${number}`, ext });
}

/** One file. */
class RowsFile {
  readonly path: string;
  readonly #file: number;
  readonly #words: RowsFileWords;
  #isEmpty = true;
  #waiting: string[] = [];
  #problem: unknown = null;

  constructor(wanted: string, words: RowsFileWords) {
    this.#words = words;
    for (let number = 1; number <= MOST_FILES; number += 1) {
      const path = numbered(wanted, number);
      const file = attempt(path, words, () => openUnlessThere(path, words));
      if (file === null) continue;
      this.path = path;
      this.#file = file;
      return;
    }
    throw new RunError("usage", `There are ${MOST_FILES} files named like ${wanted}.`, {
      hint: `Name another one with ${words.option}.`,
    });
  }

  /** Hands text to the system as soon as the code that is running has ended; fails also for text of earlier calls. */
  write(text: string): void {
    attempt(this.path, this.#words, () => this.#failIfBroken());
    this.#isEmpty = false;
    // Those of one batch are told one after the other, and written together behind the last one.
    if (this.#waiting.push(text) > 1) return;
    queueMicrotask(() => {
      try {
        this.#flush();
      } catch (error) {
        this.#problem ??= error;
      }
    });
  }

  /** One that nothing was written to is removed. */
  close(): void {
    attempt(this.path, this.#words, () => {
      try {
        this.#flush();
        this.#failIfBroken();
        fsyncSync(this.#file);
      } finally {
        closeSync(this.#file);
      }
      if (this.#isEmpty) unlinkSync(this.path);
      else syncFolder(dirname(this.path));
    });
  }

  #flush(): void {
    const text = this.#waiting.join("");
    this.#waiting = [];
    writeFileSync(this.#file, text);
  }

  #failIfBroken(): void {
    if (this.#problem !== null) throw this.#problem;
  }
}

/** Syncs the folder, so that the file's name survives a power cut as well. Not every system can. */
function syncFolder(path: string): void {
  try {
    const folder = openSync(path, "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch {
    // What is in the file is durable.
  }
}

/** @returns null where a file has the name */
function openUnlessThere(path: string, { option }: RowsFileWords): number | null {
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

function attempt<T>(path: string, { again }: RowsFileWords, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RunError) throw error;
    throw (
      exhausted(error) ??
      new RunError("disk", `${path} can't be written (${systemErrorCode(error)}).`, {
        hint: `Check that its folder is there and writable and the disk has room, then run the same command again: ${again}.`,
        cause: error,
      })
    );
  }
}

const MARK = "\uFEFF";

/**
 * Files of rows as they stood in the input, each of rows that one file can hold: rows of several
 * sources, or of tables with different columns, get a file each. Where an earlier run's is there,
 * the next free number stands behind the name: what is there may have been mended by hand.
 */
export class RawFiles {
  /** The files that hold rows, in the order of their first. */
  readonly written: string[] = [];
  readonly #create: () => RowsFile;
  readonly #files = new Map<string, RowsFile>();
  /** It isn't known yet whose rows the first one holds. */
  #unused: RowsFile | null;
  #last: (Pick<RawRow, "form" | "source"> & { readonly file: RowsFile }) | null = null;

  /**
   * Creates the first file at once.
   *
   * @throws RunError `usage` for a path that is something else than a file (a pipe, a device, a
   *   folder), `disk`, `out_of_resources`; so do all methods
   */
  constructor(path: string, words: RowsFileWords) {
    this.#create = () => new RowsFile(path, words);
    this.#unused = this.#create();
  }

  /** Writes a row into the file of its form. */
  write(raw: RawRow, reason: Reason): void {
    const { form, source } = raw;
    // Row after row has the same one, whose key is long.
    if (this.#last?.form !== form || this.#last.source !== source) {
      this.#last = { form, source, file: this.#fileFor(raw) };
    }
    this.#last.file.write(form.write(raw, reason));
  }

  /** Makes them durable. */
  close(): void {
    const files = [...this.#files.values(), ...(this.#unused === null ? [] : [this.#unused])];
    this.#unused = null;
    this.#files.clear();
    for (const file of files) file.close();
  }

  #fileFor({ form, marked, source }: RawRow): RowsFile {
    const key = `${source} ${form.key}`;
    const known = this.#files.get(key);
    if (known !== undefined) return known;
    const file = this.#unused ?? this.#create();
    this.#unused = null;
    this.#files.set(key, file);
    this.written.push(file.path);
    file.write(marked && !form.opening.startsWith(MARK) ? MARK + form.opening : form.opening);
    return file;
  }
}
