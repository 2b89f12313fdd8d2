/** Writes the rows of rejects and failures out as they stood in the input, with the reason beside them, so that the mended file can be imported. The file holds hashes and contacts, so it is written only where the operator names it. */

import { closeAfterFailure } from "../errors/run-error.js";
import type { RawRow } from "../source/raw/raw-row.js";
import type { RowEvent, RowRef } from "../events/events.js";
import { originText } from "../errors/place.js";
import { type Earlier, noteFiles, takePlaces } from "./earlier-rejects.js";
import { createRawFiles, createRowsFile, type RawFiles, type RowsFileWords } from "./rows-file.js";

/**
 * Rejects that depend on other rows, so that they would look right in a file of their own. Their
 * rows are written as text, so that a person decides before they are sent.
 */
const NEED_A_DECISION: ReadonlySet<string> = new Set([
  "duplicate",
  "duplicate_contact",
  "column_truncated",
  "credential_ambiguous",
]);

const WORDS: RowsFileWords = {
  again: "it writes all rejects anew, into a file of its own",
  option: "--rejects-out",
};

export interface RejectsOut {
  /** False without `--rejects-out`; then nothing is kept. */
  readonly isWanted: boolean;
  /** Remembers how to read a row's text, as long as the caller holds `row`. */
  keep(row: RowRef, raw: (() => RawRow) | undefined): void;
  /**
   * Writes the row of a reject or a failure; of one that wasn't kept it remembers the event.
   *
   * @throws RunError `disk`
   */
  take(event: RowEvent): void;
  /** The events whose rows weren't kept, such as those of users whom an earlier run read. */
  readonly missed: readonly RowEvent[];
  /**
   * Ends the writing. What earlier runs over the same inputs have left gives way, where this run
   * has come to its end.
   */
  finish(earlier: Earlier & { readonly isWhole: boolean }): void;
}

const NOT_WANTED: RejectsOut = {
  isWanted: false,
  keep() {},
  take() {},
  missed: [],
  finish() {},
};

/** What a summary says about the files that were written. */
interface WithRejectsFiles {
  readonly rejectsFiles: readonly string[];
}

/**
 * Creates the file, lets `work` write to it, and makes it durable even if `work` throws. Rows
 * of several sources, or of tables with different columns, get a file each.
 *
 * @param path as `--rejects-out` gives it; undefined without the option
 * @returns what `work` returns, with the names of the files that hold rows
 * @throws RunError as {@link createRowsFile}, before any work; what `work` throws
 */
export async function withRejectsOut<T extends object>(
  path: string | undefined,
  work: (rejects: RejectsOut) => Promise<T>,
): Promise<T & WithRejectsFiles> {
  if (path === undefined) return { ...(await work(NOT_WANTED)), rejectsFiles: [] };
  // The file is created at once, so that a folder without write access shows before any user is sent.
  const files = createRawFiles(() => createRowsFile(path, WORDS));
  let named: readonly string[] = files.written;
  const finish: RejectsOut["finish"] = (earlier) => {
    files.close();
    named = earlier.isWhole ? takePlaces(path, named, earlier) : named;
    noteFiles(named, earlier);
  };
  let result: T;
  try {
    result = await work({ ...writeTo(files), finish });
  } catch (error) {
    closeAfterFailure(files);
    throw error;
  }
  files.close();
  return { ...result, rejectsFiles: named };
}

function writeTo(files: RawFiles): Omit<RejectsOut, "finish"> {
  const raws = new WeakMap<RowRef, (() => RawRow) | null>();
  const missed: RowEvent[] = [];
  return {
    isWanted: true,
    missed,
    keep: (row, raw) => void raws.set(row, raw ?? null),
    take(event) {
      const { type, row, code, hint } = event;
      if (type === "skip") return;
      const raw = raws.get(row)?.();
      if (raw === undefined) {
        if (!raws.has(row)) missed.push(event);
        return;
      }
      raws.set(row, null);
      const isOpen = !NEED_A_DECISION.has(code) || raw.state !== "whole";
      const shown = isOpen ? raw : { ...raw, state: "broken" as const };
      files.write(shown, { code, hint, row: originText(row) });
    },
  };
}
