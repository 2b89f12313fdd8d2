/** New files for rows as they stood in an input: 0600, written while the run goes on, durable at their end. They go over no other file. */

import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, format, parse } from "node:path";
import { exhausted, RunError, systemErrorCode } from "../errors/run-error.js";
import type { RawForm, RawRow, Reason } from "../source/raw/raw-row.js";

/** Characters that wait to be written together: a write for each row would be slow. */
const PIECE = 64 * 1024;

const MARK = "\uFEFF";

/** What is said where a file can't be written, or its name can't be had. */
export interface RowsFileWords {
  /** What becomes of the rows when the command is run again, as a clause. */
  readonly again: string;
  /** The option that names the file. */
  readonly option: string;
}

/** A file, and the rows of its form that aren't written yet. */
interface RowsFile {
  path: string;
  readonly handle: number;
  /** Of which rows it is; null of the first one until a row shows it. */
  key: string | null;
  waiting: string;
}

/**
 * Files of rows as they stood in the input, each of rows that one file can hold: rows of several
 * sources, or of tables with different columns, get a file each. Where a file of that name is there,
 * the next free number stands behind the name: what is there may have been mended by hand.
 */
export class RawFiles {
  readonly #wanted: string;
  readonly #words: RowsFileWords;
  readonly #files: RowsFile[] = [];
  #last: { readonly form: RawForm; readonly source: string; readonly file: RowsFile } | null = null;

  /**
   * Creates the first file at once.
   *
   * @throws RunError `usage` for a path that is something else than a file (a pipe, a device, a
   *   folder), `disk`, `out_of_resources`; so do all methods
   */
  constructor(path: string, words: RowsFileWords) {
    this.#wanted = path;
    this.#words = words;
    this.#create();
  }

  /** The files that hold rows, in the order of their first. */
  get written(): string[] {
    return this.#files.flatMap(({ path, key }) => (key === null ? [] : [path]));
  }

  /** Writes a row into the file of its form. */
  write(raw: RawRow, reason: Reason): void {
    const { form, source } = raw;
    // Row after row has the same one, whose key is long.
    if (this.#last?.form !== form || this.#last.source !== source) {
      this.#last = { form, source, file: this.#fileFor(raw) };
    }
    const { file } = this.#last;
    file.waiting += form.write(raw, reason);
    if (file.waiting.length >= PIECE) this.#attempt(file.path, () => flush(file));
  }

  /** Makes them durable. One that nothing was written to is removed. */
  close(): void {
    for (const file of this.#files) {
      this.#attempt(file.path, () => {
        try {
          flush(file);
          fsyncSync(file.handle);
        } finally {
          closeSync(file.handle);
        }
        if (file.key === null) unlinkSync(file.path);
        else syncFolder(dirname(file.path));
      });
    }
  }

  /** Removes each whose rows stand in a file of before, byte for byte, which is named in its place. */
  dropCopies(): void {
    for (const file of this.#files) {
      if (file.key === null) continue;
      for (let number = 1; this.#name(number) !== file.path; number += 1) {
        const path = this.#name(number);
        if (!areSame(path, file.path)) continue;
        this.#attempt(file.path, () => unlinkSync(file.path));
        file.path = path;
        break;
      }
    }
  }

  #fileFor({ form, marked, source }: RawRow): RowsFile {
    const key = `${source} ${form.key}`;
    const known = this.#files.find((file) => file.key === key);
    if (known !== undefined) return known;
    const file = this.#files.find((one) => one.key === null) ?? this.#create();
    file.key = key;
    file.waiting = marked && !form.opening.startsWith(MARK) ? MARK + form.opening : form.opening;
    return file;
  }

  #name(number: number): string {
    const { dir, name, ext } = parse(this.#wanted);
    return number === 1 ? this.#wanted : format({ dir, name: `${name}-${number}`, ext });
  }

  #create(): RowsFile {
    for (let number = 1; ; number += 1) {
      const path = this.#name(number);
      const handle = this.#attempt(path, () => openUnlessThere(path, this.#words));
      if (handle === null) continue;
      const file = { path, handle, key: null, waiting: "" };
      this.#files.push(file);
      return file;
    }
  }

  #attempt<T>(path: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof RunError) throw error;
      throw (
        exhausted(error) ??
        new RunError("disk", `${path} can't be written (${systemErrorCode(error)}).`, {
          hint: `Check that its folder is there and writable and the disk has room, then run the same command again: ${this.#words.again}.`,
          cause: error,
        })
      );
    }
  }
}

/** Of a file that can't be read, nothing shows it. */
function areSame(one: string, other: string): boolean {
  const handles: number[] = [];
  try {
    if (statSync(one).size !== statSync(other).size) return false;
    for (const path of [one, other]) handles.push(openSync(path, "r"));
    for (;;) {
      const [a, b] = handles.map((handle) => {
        const piece = Buffer.alloc(PIECE);
        return piece.subarray(0, readSync(handle, piece));
      });
      if (a === undefined || b === undefined || !a.equals(b)) return false;
      if (a.length === 0) return true;
    }
  } catch {
    return false;
  } finally {
    for (const handle of handles) closeSync(handle);
  }
}

function flush(file: RowsFile): void {
  const text = file.waiting;
  file.waiting = "";
  writeFileSync(file.handle, text);
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
