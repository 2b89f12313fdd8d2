/** Files of rows as they stood in the input, each of rows that one file can hold: rows of several sources, or of tables with different columns, get a file each. */

import type { RawRow, Reason } from "../source/raw/raw-row.js";
import type { RowsFile } from "./rows-file.js";

const MARK = "\uFEFF";

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
    write: (raw, reason) => fileFor(raw).write(raw.form.write(raw, reason)),
    close() {
      for (const { file } of files.splice(0)) file.close();
    },
  };
}
