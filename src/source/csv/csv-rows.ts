/** How a CSV file's rows are written, and where they end (RFC 4180), so that a broken row is cut out alone. It looks at bytes; csv-fields takes whole and sound rows apart. */

import { CR, LF, QUOTE } from "../bytes/ascii.js";

import type { FileHead } from "../source.js";

/** How a file's rows are written. */
export interface CsvFormat {
  readonly delimiter: string;
  /** `"\n"` also stands for CRLF. */
  readonly lineEnd: "\n" | "\r";
}

export interface CsvLayout extends CsvFormat {
  /** The first row. */
  readonly header: readonly string[];
  /** As {@link FileHead.of}; absent of a file of CSV. */
  readonly of?: FileHead["of"];
}

/** The bytes that part fields and rows. */
export interface CsvBytes {
  readonly delimiter: number;
  /** LF (also for CRLF) or, in files of old, CR. */
  readonly lineEnd: number;
}

export function bytesOf({ delimiter, lineEnd }: CsvFormat): CsvBytes {
  return { delimiter: delimiter.charCodeAt(0), lineEnd: lineEnd.charCodeAt(0) };
}

/** The row at the start isn't complete: more bytes are needed, or its quote is never closed. */
export const INCOMPLETE = -1;

/** A quote in the row at the start is closed by something else than a field's end. */
const DAMAGED = -2;

/**
 * Finds the end of a stretch of rows without any quote, which end where their lines do.
 *
 * @param from where a row starts
 * @param ended true where no more bytes follow, so that the end of `bytes` ends a row, too
 * @returns the offset after the stretch's last row; `from` where there is no such row
 */
export function plainRowsEnd(bytes: Buffer, from: number, csv: CsvBytes, ended: boolean): number {
  const quote = bytes.indexOf(QUOTE, from);
  if (quote === -1 && ended) return bytes.length;
  const last = bytes.lastIndexOf(csv.lineEnd, quote === -1 ? bytes.length : quote);
  return Math.max(from, last + 1);
}

/**
 * Finds the end of one row that may have quotes.
 *
 * @returns the offset after the row's line end, {@link INCOMPLETE} or {@link DAMAGED}; for the
 *   parameters see {@link plainRowsEnd}
 */
export function rowEnd(bytes: Buffer, from: number, csv: CsvBytes, ended: boolean): number {
  let at = from;
  let fieldStart = true;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === csv.lineEnd) return at + 1;
    if (fieldStart && byte === QUOTE) {
      const close = closingQuote(bytes, at + 1);
      if (close === INCOMPLETE) return INCOMPLETE;
      const after = afterQuote(bytes, close + 1, csv, ended);
      if (after < 0) return after;
      at = after;
      fieldStart = false;
    } else {
      // A quote inside a field that doesn't start with one is text.
      fieldStart = byte === csv.delimiter;
      at++;
    }
  }
  return ended ? bytes.length : INCOMPLETE;
}

/** The end of a row's text: without its LF, CRLF (or the CR CR LF of a file converted twice), or CR. */
export function textEnd(bytes: Buffer, from: number, to: number, csv: CsvBytes): number {
  let end = bytes[to - 1] === csv.lineEnd ? to - 1 : to;
  if (csv.lineEnd === LF) while (end > from && bytes[end - 1] === CR) end--;
  return end;
}

/** The offset of the quote that closes a field: the first that isn't doubled. */
function closingQuote(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(QUOTE, from);
  while (at !== -1 && bytes[at + 1] === QUOTE) at = bytes.indexOf(QUOTE, at + 2);
  return at === -1 ? INCOMPLETE : at;
}

/** Where reading goes on after a closing quote: at a delimiter or a line end, else it was none. */
function afterQuote(bytes: Buffer, from: number, csv: CsvBytes, ended: boolean): number {
  let at = from;
  if (csv.lineEnd === LF) while (bytes[at] === CR) at++;
  const next = bytes[at];
  if (next === undefined) return ended ? at : INCOMPLETE;
  if (next === csv.lineEnd) return at;
  return next === csv.delimiter && at === from ? at : DAMAGED;
}
