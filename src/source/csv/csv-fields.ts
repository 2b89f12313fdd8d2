/** Takes CSV rows apart (RFC 4180): csv-parse what has quotation marks. The quotes are known to be sound; what isn't was cut out before. */

import { parse } from "csv-parse/sync";
import type { CsvFormat } from "./csv-rows.js";

/** The fields of a row, given without its line end. */
export function fieldsOf(row: string, format: CsvFormat): readonly string[] {
  return row.includes('"') ? (parseRows([row], format)[0] ?? []) : row.split(format.delimiter);
}

/** The fields of a row as a database writes it: null where there is none, which an empty text isn't. */
export function cellsOf(row: string, format: CsvFormat): (string | null)[] {
  // An empty text is a doubled quote as well.
  if (!row.includes('""')) return fieldsOf(row, format).map((text) => text || null);
  const [cells = []]: (string | null)[][] = parse(row, {
    ...optionsOf(format),
    cast: (text, { quoting }) => (text === "" && !quoting ? null : text),
  });
  return cells;
}

/**
 * The fields of rows with quotes, each given without its line end. A field that starts with a quote
 * is quoted; in any other a quote is text. One call for many rows: its start costs as much as two.
 *
 * @throws Error where csv-parse sees other rows, so that no field becomes another user's
 */
export function parseRows(rows: readonly string[], format: CsvFormat): string[][] {
  if (rows.length === 0) return [];
  const stretch = rows.join(format.lineEnd);
  const parsed: string[][] = parse(stretch, {
    ...optionsOf(format),
    // Without a doubled quote there is none to look for at every byte.
    escape: stretch.includes('""') ? '"' : null,
  });
  if (parsed.length !== rows.length) {
    throw new Error(`csv-parse sees ${parsed.length} rows where ${rows.length} were cut out`);
  }
  return parsed;
}

function optionsOf({ delimiter, lineEnd: record_delimiter }: CsvFormat) {
  return { delimiter, record_delimiter, relax_column_count: true, relax_quotes: true };
}
