/** Reads CSV tables as a stream of rows, each an array of texts. csv-parse takes rows apart; rows that it could stumble over are cut out first and become damage, one by one. */

import { isUtf8 } from "node:buffer";
import { parse } from "csv-parse/sync";
import { type CsvBytes, DAMAGED, INCOMPLETE, stretchEnd } from "./csv-rows.js";
import { isGarbled, NOT_UTF8, RowDamage } from "./row-damage.js";
import type { FileHead } from "./source.js";

/** Far beyond any user, far below what memory bears. */
const MAX_ROW_BYTES = 1024 * 1024;

/** Rows are looked for in pieces of this size, so that it doesn't matter how the bytes arrive. */
const SLICE_BYTES = 64 * 1024;

const DELIMITERS = [",", ";", "\t", "|"] as const;

/** What a CSV file looks like. */
export interface CsvLayout {
  readonly delimiter: string;
  /** `"\n"` also stands for CRLF. */
  readonly lineEnd: "\n" | "\r";
  /** The first row. */
  readonly header: readonly string[];
}

const OPEN_QUOTE = new RowDamage(
  "row_malformed",
  "A quotation mark in the row is not closed or not doubled; mend it in the export and import the row again.",
);
const TOO_LARGE = new RowDamage(
  "row_too_large",
  `The row has more than ${MAX_ROW_BYTES} bytes; a quotation mark may be missing in it.`,
);
const CUT_OFF = new RowDamage(
  "truncated",
  "The file ends inside its last row; export the users again.",
);

/**
 * Finds delimiter and header of a CSV file: the delimiter that the first row holds most often
 * outside quotation marks.
 *
 * @returns null where the head holds no whole first row
 */
export function detectLayout(head: FileHead): CsvLayout | null {
  const lineEnd = head.text.includes("\n") || !head.text.includes("\r") ? "\n" : "\r";
  const text = head.text.replace(/^[\r\n]+/, "");
  const unquoted = unquotedFirstRow(text, head.complete, lineEnd);
  if (unquoted === null) return null;
  const counts = DELIMITERS.map((delimiter) => unquoted.split(delimiter).length);
  const delimiter = DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",";
  const bytes = Buffer.from(text);
  const end = firstRowEnd(bytes, toBytes({ delimiter, lineEnd }));
  const [header] = end < 0 ? [] : takeApart(bytes.subarray(0, end), { delimiter, lineEnd });
  return header === undefined ? null : { delimiter, lineEnd, header };
}

/** The first row without what stands in quotation marks; null where its end isn't there. */
function unquotedFirstRow(text: string, complete: boolean, lineEnd: string): string | null {
  let row = "";
  let quoted = false;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (character === lineEnd) return row;
    else row += character;
  }
  return complete && !quoted ? row : null;
}

function firstRowEnd(bytes: Buffer, csv: CsvBytes): number {
  // A stretch may be many rows: up to the first line end there is one, unless a quote is open.
  const line = bytes.indexOf(csv.lineEnd) + 1 || bytes.length;
  const end = stretchEnd(bytes.subarray(0, line), 0, csv, true);
  return end === INCOMPLETE ? stretchEnd(bytes, 0, csv, true) : end;
}

/**
 * Reads the rows after the header.
 *
 * A row with a bad quote is damage as far as its first line end and reading goes on with the next
 * line; so is a row with another number of columns than the header. A last row without a line end
 * that has too few columns, or an open quote, is `truncated`.
 */
export async function* readCsv(
  bytes: AsyncIterable<Buffer>,
  layout: CsvLayout,
): AsyncGenerator<readonly (readonly string[] | RowDamage)[]> {
  const cutter = new RowCutter(layout);
  let header = true;
  for await (const chunk of bytes) {
    for (let start = 0; start < chunk.length; start += SLICE_BYTES) {
      const rows = cutter.take(chunk.subarray(start, start + SLICE_BYTES));
      if (rows.length === 0) continue;
      yield header ? rows.slice(1) : rows;
      header = false;
    }
  }
  const rows = cutter.end();
  yield header ? rows.slice(1) : rows;
}

function toBytes(format: Omit<CsvLayout, "header">): CsvBytes {
  return { delimiter: format.delimiter.charCodeAt(0), lineEnd: format.lineEnd.charCodeAt(0) };
}

function takeApart(bytes: Buffer, format: Omit<CsvLayout, "header">): string[][] {
  return parse(bytes, {
    delimiter: format.delimiter,
    record_delimiter: format.lineEnd === "\n" ? ["\n", "\r\n"] : ["\r"],
    relax_column_count: true,
    // Only for quotes inside unquoted fields; all others are known to be sound.
    relax_quotes: true,
    skip_empty_lines: true,
  });
}

/** Cuts bytes into rows, whatever the size of the pieces in which they come. */
class RowCutter {
  readonly #layout: CsvLayout;
  readonly #csv: CsvBytes;
  #pending: Buffer = Buffer.alloc(0);
  /** Inside a line that is too long to be kept. */
  #skipping = false;

  constructor(layout: CsvLayout) {
    this.#layout = layout;
    this.#csv = toBytes(layout);
  }

  take(chunk: Buffer): (readonly string[] | RowDamage)[] {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    return this.#cut(false);
  }

  end(): (readonly string[] | RowDamage)[] {
    // Cut off between the two halves of a CRLF: the row is whole.
    if (this.#layout.lineEnd === "\n" && this.#pending.at(-1) === 0x0d) {
      this.#pending = this.#pending.subarray(0, -1);
    }
    return this.#cut(true);
  }

  #cut(ended: boolean): (readonly string[] | RowDamage)[] {
    const bytes = this.#pending;
    const rows: (readonly string[] | RowDamage)[] = [];
    let at = this.#skipping ? this.#skipLine(bytes) : 0;
    let sound = at;
    while (at < bytes.length) {
      const end = this.#boundedEnd(bytes, at, ended);
      if (end > 0) {
        at = end;
        continue;
      }
      const line = bytes.indexOf(this.#csv.lineEnd, at) + 1;
      const tooLarge = bytes.length - at > MAX_ROW_BYTES;
      if (!ended && !tooLarge && (end === INCOMPLETE || line === 0)) break;
      this.#addRows(rows, bytes.subarray(sound, at), false);
      if (line > 0) rows.push(line - at > MAX_ROW_BYTES ? TOO_LARGE : OPEN_QUOTE);
      else if (tooLarge) rows.push(TOO_LARGE);
      else rows.push(end === INCOMPLETE ? CUT_OFF : OPEN_QUOTE);
      this.#skipping = line === 0;
      at = line === 0 ? bytes.length : line;
      sound = at;
    }
    this.#addRows(rows, bytes.subarray(sound, at), ended);
    this.#pending = bytes.subarray(at);
    return rows;
  }

  /** As {@link stretchEnd}, but a row beyond the bound counts as damaged. */
  #boundedEnd(bytes: Buffer, at: number, ended: boolean): number {
    const end = stretchEnd(bytes, at, this.#csv, ended);
    if (end - at <= MAX_ROW_BYTES) return end;
    const line = bytes.indexOf(this.#csv.lineEnd, at) + 1;
    const sound = line > 0 && line - at <= MAX_ROW_BYTES && !bytes.subarray(at, line).includes('"');
    return sound ? line : DAMAGED;
  }

  #skipLine(bytes: Buffer): number {
    const line = bytes.indexOf(this.#csv.lineEnd) + 1;
    this.#skipping = line === 0;
    return line === 0 ? bytes.length : line;
  }

  #addRows(rows: (readonly string[] | RowDamage)[], bytes: Buffer, ended: boolean): void {
    if (bytes.length === 0) return;
    const parsed = takeApart(bytes, this.#layout);
    const utf8 = isUtf8(bytes);
    const unfinished = ended && bytes.at(-1) !== this.#csv.lineEnd ? parsed.length - 1 : -1;
    const width = this.#layout.header.length;
    for (const [index, row] of parsed.entries()) {
      if (index === unfinished && (row.length < width || (!utf8 && row.some(isGarbled)))) {
        rows.push(CUT_OFF);
      } else if (row.length !== width) rows.push(wrongWidth(width, row.length));
      else rows.push(utf8 || !row.some(isGarbled) ? row : NOT_UTF8);
    }
  }
}

function wrongWidth(expected: number, found: number): RowDamage {
  return new RowDamage(
    "row_malformed",
    `The row has ${found} columns where the header has ${expected}; mend it in the export and import the row again.`,
  );
}
