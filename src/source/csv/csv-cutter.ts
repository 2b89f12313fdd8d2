/** Cuts bytes into CSV rows as they come. A row that is broken, too large or of another width than the header becomes damage, alone. */

import { isUtf8 } from "node:buffer";
import { isGarbled, NOT_UTF8, RowDamage } from "../row-damage.js";
import { fieldsOf } from "./csv-fields.js";
import type { CsvFormat } from "./csv-layout.js";
import { type CsvBytes, INCOMPLETE, plainRowsEnd, rowEnd, textEnd } from "./csv-rows.js";

/** Far beyond any user, far below what memory bears. */
const MAX_ROW_BYTES = 1024 * 1024;

/**
 * How far the end of a quote is looked for before the quote counts as not closed, and the next
 * line as a row again. A field is a user's to fill: were this no more than a large field, somebody
 * could have lines of it read as rows.
 */
const MAX_LOOK_AHEAD = 16 * MAX_ROW_BYTES;

/**
 * Rows without quotes are taken in stretches of this size. Then no batch is large, and no bytes are
 * looked through again and again, however many rows an open quote has held back.
 */
const WINDOW_BYTES = 64 * 1024;

/** A batch with more rows is handed on before it grows further. */
const MANY_ROWS = 500;

/** Delimiters, and how messages call them. */
const SPELLED: ReadonlyMap<string, string> = new Map([
  [",", "commas"],
  [";", "semicolons"],
  ["\t", "tabs"],
  ["|", "vertical bars"],
]);

export const DELIMITERS: readonly string[] = [...SPELLED.keys()];

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

/** A row's fields, or why they can't be had. */
export type CsvRow = readonly string[] | RowDamage;

/** Rows that were cut out together. */
export interface CutRows {
  readonly rows: readonly CsvRow[];
  /** The row at an index as it stood, without its line end; empty where it was too large. */
  readonly textAt: (index: number) => string;
}

type CsvBatches = Generator<CutRows, void, undefined>;

export function bytesOf({ delimiter, lineEnd }: CsvFormat): CsvBytes {
  return { delimiter: delimiter.charCodeAt(0), lineEnd: lineEnd.charCodeAt(0) };
}

/** Takes the bytes of one file, the header among its rows, in pieces of any size. */
export class CsvCutter {
  readonly #format: CsvFormat;
  readonly #csv: CsvBytes;
  readonly #width: number;
  /** The row that has begun. */
  #pending: Buffer[] = [];
  #size = 0;
  /** Looked through again only when it has grown by a share of itself: then the sum stays linear. */
  #due = 0;
  /** Inside a line that is too long to be kept. */
  #skipping = false;

  /** @param width how many columns the header has */
  constructor(format: CsvFormat, width: number) {
    this.#format = format;
    this.#csv = bytesOf(format);
    this.#width = width;
  }

  /** Gives the rows that end in this piece; some may be held back until {@link flush} or {@link end}. */
  *take(piece: Buffer): CsvBatches {
    this.#pending.push(piece);
    this.#size += piece.length;
    if (this.#size >= this.#due) yield* this.flush();
  }

  /** Gives all whole rows that were taken. */
  flush(): CsvBatches {
    return this.#cut(false);
  }

  /** Gives the rest: the end of the bytes ends a row. */
  end(): CsvBatches {
    return this.#cut(true);
  }

  *#cut(ended: boolean): CsvBatches {
    const bytes = this.#joined();
    let cut = newCut();
    let at = this.#skipping ? this.#skipLine(bytes, 0) : 0;
    while (at < bytes.length) {
      if (cut.rows.length > MANY_ROWS) {
        yield toCutRows(cut, bytes, this.#csv);
        cut = newCut();
      }
      const end = this.#takeRows(bytes, at, ended, cut);
      if (end > 0) {
        at = end;
        continue;
      }
      const line = bytes.indexOf(this.#csv.lineEnd, at) + 1;
      const tooFar = bytes.length - at > MAX_LOOK_AHEAD;
      if (!ended && !tooFar && (end === INCOMPLETE || line === 0)) break;
      const lineEnd = line || bytes.length;
      if (ended && line === 0 && end === INCOMPLETE) addRow(cut, CUT_OFF, at, lineEnd);
      else addRow(cut, lineEnd - at > MAX_ROW_BYTES ? TOO_LARGE : OPEN_QUOTE, at, lineEnd);
      at = this.#skipLine(bytes, at);
    }
    this.#keep(bytes.subarray(at));
    if (cut.rows.length > 0) yield toCutRows(cut, bytes, this.#csv);
  }

  #joined(): Buffer {
    const [first] = this.#pending;
    return this.#pending.length === 1 && first !== undefined ? first : Buffer.concat(this.#pending);
  }

  #keep(rest: Buffer): void {
    this.#pending = rest.length === 0 ? [] : [rest];
    this.#size = rest.length;
    this.#due = rest.length * 1.25;
  }

  #skipLine(bytes: Buffer, from: number): number {
    const line = bytes.indexOf(this.#csv.lineEnd, from) + 1;
    this.#skipping = line === 0;
    return line === 0 ? bytes.length : line;
  }

  /** Adds one or more rows from `from` on, and says where they end, as {@link rowEnd}. */
  #takeRows(bytes: Buffer, from: number, ended: boolean, cut: Cut): number {
    const window = bytes.subarray(0, from + WINDOW_BYTES);
    const last = ended && window.length === bytes.length;
    const plain = plainRowsEnd(window, from, this.#csv, last);
    if (plain === from) {
      const end = rowEnd(bytes, from, this.#csv, ended);
      if (end > 0) this.#addRow(cut, bytes, from, end);
      return end;
    }
    for (let at = from; at < plain; ) {
      const end = bytes.indexOf(this.#csv.lineEnd, at) + 1 || plain;
      this.#addRow(cut, bytes, at, end);
      at = end;
    }
    return plain;
  }

  /** Adds the row from `from` to `to`, behind its line end, unless there is nothing in it. */
  #addRow(cut: Cut, bytes: Buffer, from: number, to: number): void {
    const end = textEnd(bytes, from, to, this.#csv);
    if (end === from) return;
    if (to - from > MAX_ROW_BYTES) {
      addRow(cut, TOO_LARGE, from, to);
      return;
    }
    const text = bytes.toString("utf8", from, end);
    const fields = fieldsOf(text, this.#format.delimiter);
    const garbled = isGarbled(text) && !isUtf8(bytes.subarray(from, end));
    if (bytes[to - 1] !== this.#csv.lineEnd && (garbled || fields.length < this.#width)) {
      addRow(cut, CUT_OFF, from, to);
    } else if (fields.every(isBlank)) return;
    else if (fields.length !== this.#width) addRow(cut, this.#wrongWidth(fields, text), from, to);
    else addRow(cut, garbled ? NOT_UTF8 : fields, from, to);
  }

  #wrongWidth(fields: readonly string[], text: string): RowDamage {
    const own = this.#format.delimiter;
    const width = this.#width;
    const other = DELIMITERS.find((name) => name !== own && text.split(name).length === width);
    const what =
      other === undefined
        ? `${fields.length} columns where the header has ${width}`
        : `${SPELLED.get(other)} between its columns where the header has ${SPELLED.get(own)}`;
    return new RowDamage(
      "row_malformed",
      `The row has ${what}; mend it in the export and import the row again.`,
    );
  }
}

/**
 * Rows on their way, and where in their bytes they stood: two numbers each, which cost nothing to
 * speak of. No class: the engine would soon make its objects among the long-lived ones, and rows
 * with them.
 */
interface Cut {
  readonly rows: CsvRow[];
  readonly spans: number[];
}

function newCut(): Cut {
  return { rows: [], spans: [] };
}

function addRow({ rows, spans }: Cut, row: CsvRow, from: number, to: number): void {
  rows.push(row);
  spans.push(from, to);
}

function toCutRows({ rows, spans }: Cut, bytes: Buffer, csv: CsvBytes): CutRows {
  const textAt = (index: number): string => {
    const from = spans[2 * index] ?? 0;
    const to = spans[2 * index + 1] ?? from;
    if (to - from > MAX_ROW_BYTES) return "";
    return bytes.toString("utf8", from, textEnd(bytes, from, to, csv));
  };
  return { rows, textAt };
}

/** Spreadsheets write rows of nothing but delimiters below their last one. */
function isBlank(field: string): boolean {
  return field.trim() === "";
}
