/** What a CSV file looks like. Types only. */

/** How a file's rows are written. */
export interface CsvFormat {
  readonly delimiter: string;
  /** `"\n"` also stands for CRLF. */
  readonly lineEnd: "\n" | "\r";
}

export interface CsvLayout extends CsvFormat {
  /** The first row. */
  readonly header: readonly string[];
}
