/** Finds where CSV rows end (RFC 4180), so that a broken row is cut out alone and csv-parse only ever sees whole and sound ones. It looks at bytes and takes no field apart. */

const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;

/** The bytes that part fields and rows. */
export interface CsvBytes {
  readonly delimiter: number;
  /** LF (also for CRLF) or, in files of old, CR. */
  readonly lineEnd: number;
}

/** The row at the start isn't complete: more bytes are needed, or its quote is never closed. */
export const INCOMPLETE = -1;

/** A quote in the row at the start is closed by something else than a field's end. */
export const DAMAGED = -2;

/**
 * Finds the end of a stretch of one or more whole rows.
 *
 * @param from where a row starts
 * @param ended true where no more bytes follow, so that the end of `bytes` ends a row, too
 * @returns the offset after the stretch's last row, {@link INCOMPLETE} or {@link DAMAGED}
 */
export function stretchEnd(bytes: Buffer, from: number, csv: CsvBytes, ended: boolean): number {
  const quote = bytes.indexOf(QUOTE, from);
  const lastPlain = bytes.lastIndexOf(csv.lineEnd, quote === -1 ? bytes.length : quote);
  if (lastPlain >= from) return lastPlain + 1;
  if (quote === -1) return ended ? bytes.length : INCOMPLETE;
  return quotedRowEnd(bytes, from, quote, csv, ended);
}

/** The end of a row whose first quote is at `quote`. */
function quotedRowEnd(
  bytes: Buffer,
  from: number,
  quote: number,
  csv: CsvBytes,
  ended: boolean,
): number {
  let at = quote;
  let fieldStart = quote === from || bytes[quote - 1] === csv.delimiter;
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

/** The offset of the quote that closes a field: the first that isn't doubled. */
function closingQuote(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(QUOTE, from);
  while (at !== -1 && bytes[at + 1] === QUOTE) at = bytes.indexOf(QUOTE, at + 2);
  return at === -1 ? INCOMPLETE : at;
}

/** Where reading goes on after a closing quote: at a delimiter or a line end, else it was none. */
function afterQuote(bytes: Buffer, at: number, csv: CsvBytes, ended: boolean): number {
  const next = bytes[at];
  if (next === undefined) return ended ? at : INCOMPLETE;
  if (next === csv.delimiter || next === csv.lineEnd) return at;
  if (next !== CR || csv.lineEnd !== LF) return DAMAGED;
  const second = bytes[at + 1];
  if (second === undefined && !ended) return INCOMPLETE;
  return second === LF ? at + 1 : DAMAGED;
}
