/** Takes CSV rows apart (RFC 4180): csv-parse what has quotation marks. The quotes are known to be sound; what isn't was cut out before. */

import { parse } from "csv-parse/sync";
import type { CsvFormat } from "./csv-rows.js";

/** The fields of a row, given without its line end. */
export function fieldsOf(row: string, format: CsvFormat): readonly string[] {
  return row.includes('"') ? (parseRows([row], format)[0] ?? []) : row.split(format.delimiter);
}

/** The fields of a row as a database writes it: null where there is none, which an empty text isn't. */
export function cellsOf(row: string, { delimiter, lineEnd }: CsvFormat): (string | null)[] {
  const [cells = []]: (string | null)[][] = parse(row, {
    delimiter,
    record_delimiter: lineEnd,
    relax_column_count: true,
    relax_quotes: true,
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
export function parseRows(rows: readonly string[], { delimiter, lineEnd }: CsvFormat): string[][] {
  if (rows.length === 0) return [];
  const parts: Parts[] = [];
  const bares: string[] = [];
  for (const row of rows) {
    const part = partsOf(row, delimiter);
    parts.push(part);
    bares.push(part.bare);
  }
  const stretch = bares.join(lineEnd);
  const parsed: string[][] = parse(stretch, {
    delimiter,
    record_delimiter: lineEnd,
    relax_column_count: true,
    relax_quotes: true,
    // Without a doubled quote there is none to look for at every byte.
    escape: stretch.includes('""') ? '"' : null,
  });
  if (parsed.length !== rows.length) {
    throw new Error(`csv-parse sees ${parsed.length} rows where ${rows.length} were cut out`);
  }
  for (const [index, part] of parts.entries()) {
    if (part.bare !== rows[index]) fillIn(parsed[index] ?? [], part);
  }
  return parsed;
}

/** Puts the fields that csv-parse wasn't given where they stood. */
function fillIn(fields: string[], { before, after }: Parts): void {
  const skipped = fields.length - after.length;
  for (let at = 0; at < fields.length; at += 1) {
    fields[at] ||= before[at] || after[at - skipped] || "";
  }
}

interface Parts {
  /** The fields before the first with a quote, and those behind the last. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The row with these fields empty: with one quoted field in six, half the work for csv-parse. */
  readonly bare: string;
}

function partsOf(row: string, delimiter: string): Parts {
  const from = row.lastIndexOf(delimiter, row.indexOf('"')) + 1;
  const end = row.indexOf(delimiter, row.lastIndexOf('"'));
  const to = end === -1 ? row.length : end;
  // Both have an empty piece at the delimiter that parts them from the quotes.
  const before = row.slice(0, from).split(delimiter);
  const after = row.slice(to).split(delimiter);
  const left = delimiter.repeat(before.length - 1);
  const right = delimiter.repeat(after.length - 1);
  return { before, after, bare: left + row.slice(from, to) + right };
}
