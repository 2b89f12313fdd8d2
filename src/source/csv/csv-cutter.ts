/** Cuts bytes into CSV rows as they come. A row that is broken or too large becomes damage, alone. */

import { isUtf8 } from "node:buffer";
import { isGarbled, RowDamage } from "../row-damage.js";
import { parseRows } from "./csv-fields.js";
import { type CsvRow, CUT_OFF, judge } from "./csv-judge.js";
import {
  bytesOf,
  type CsvBytes,
  type CsvLayout,
  INCOMPLETE,
  plainRowsEnd,
  rowEnd,
  textEnd,
} from "./csv-rows.js";

/** Far beyond any user, far below what memory bears. */
const MAX_ROW_BYTES = 1024 * 1024;

/**
 * How far the end of a quote is looked for before the quote counts as not closed, and the next
 * line as a row again. A field is a user's to fill: were this no more than a large field, the user
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

const OPEN_QUOTE = new RowDamage(
  "row_malformed",
  "A quotation mark in the row is not closed or not doubled; mend it in the export and import the row again.",
);
const TOO_LARGE = new RowDamage(
  "row_too_large",
  `The row has more than ${MAX_ROW_BYTES} bytes; a quotation mark may be missing in it.`,
);

/** Rows that were cut out together. */
export interface CutRows {
  readonly rows: readonly CsvRow[];
  /** The row at an index as it stood, without its line end; empty where it was too large. */
  readonly textAt: (index: number) => string;
  /** The file's line at which each begins, from 1. */
  readonly lines: readonly number[];
}

type CsvBatches = Generator<CutRows, void, undefined>;

/** Takes the bytes of one file in pieces of any size. Its first row, the header, isn't handed on. */
export class CsvCutter {
  readonly #layout: CsvLayout;
  readonly #csv: CsvBytes;
  /** The row that has begun. */
  #pending: Buffer[] = [];
  #size = 0;
  /** Looked through again only when it has grown by a share of itself: then the sum stays linear. */
  #due = 0;
  /** Inside a line that is too long to be kept. */
  #skipping = false;
  /** At which the next row begins. */
  #line = 1;
  /** The next row is the header. */
  #atHeader = true;

  constructor(layout: CsvLayout) {
    this.#layout = layout;
    this.#csv = bytesOf(layout);
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
    let cut = newCut(bytes);
    let at = this.#skipping ? this.#skipLine(bytes, 0) : 0;
    while (at < bytes.length) {
      if (cut.rows.length > MANY_ROWS) {
        yield this.#toCutRows(cut);
        cut = newCut(bytes);
      }
      const end = this.#takeRows(cut, at, ended);
      if (end > 0) {
        at = end;
        continue;
      }
      const line = bytes.indexOf(this.#csv.lineEnd, at) + 1;
      const tooFar = bytes.length - at >= MAX_LOOK_AHEAD;
      if (!ended && !tooFar && (end === INCOMPLETE || line === 0)) break;
      const lineEnd = line || bytes.length;
      if (ended && line === 0 && end === INCOMPLETE) addRow(cut, CUT_OFF, at, lineEnd);
      else addRow(cut, lineEnd - at > MAX_ROW_BYTES ? TOO_LARGE : OPEN_QUOTE, at, lineEnd);
      at = this.#skipLine(bytes, at);
    }
    this.#keep(bytes.subarray(at));
    yield this.#toCutRows(cut);
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
  #takeRows(cut: Cut, from: number, ended: boolean): number {
    const { bytes } = cut;
    const window = bytes.subarray(0, from + WINDOW_BYTES);
    const last = ended && window.length === bytes.length;
    const plain = plainRowsEnd(window, from, this.#csv, last);
    if (plain === from) {
      // No farther, or how much happens to be here would decide where the row ends.
      const near = bytes.subarray(0, from + MAX_LOOK_AHEAD);
      const end = rowEnd(near, from, this.#csv, ended && near.length === bytes.length);
      if (end > 0) this.#addRow(cut, from, end);
      return end;
    }
    for (let at = from; at < plain; ) {
      const end = bytes.indexOf(this.#csv.lineEnd, at) + 1 || plain;
      this.#addRow(cut, at, end);
      at = end;
    }
    return plain;
  }

  /** Adds a sound row. Those with quotes wait for one another, since csv-parse takes many apart faster. */
  #addRow(cut: Cut, from: number, to: number): void {
    const isTooLarge = to - from > MAX_ROW_BYTES;
    const index = addRow(cut, isTooLarge ? TOO_LARGE : null, from, to);
    if (isTooLarge) {
      cut.breaks.set(index, this.#breaks(cut.bytes.toString("latin1", from, to - 1)));
      return;
    }
    const text = this.#textAt(cut, index);
    if (text.includes('"')) {
      cut.quoted.set(index, text);
      const breaks = this.#breaks(text);
      if (breaks > 0) cut.breaks.set(index, breaks);
    } else this.#setFields(cut, index, text, text.split(this.#layout.delimiter));
  }

  /** Lines that a row has beside its first. */
  #breaks(text: string): number {
    const { lineEnd } = this.#layout;
    return text.includes(lineEnd) ? text.split(lineEnd).length - 1 : 0;
  }

  #setFields(cut: Cut, index: number, text: string, fields: readonly string[]): void {
    const { bytes, spans } = cut;
    const from = spans[2 * index];
    const to = spans[2 * index + 1] ?? 0;
    const isEnded = bytes[to - 1] === this.#csv.lineEnd;
    const isText = !isGarbled(text) || isUtf8(bytes.subarray(from, to));
    cut.rows[index] = judge(fields, { text, isEnded, isUtf8: isText }, this.#layout);
  }

  #toCutRows(cut: Cut): CutRows {
    this.#takeQuoted(cut);
    const rows: CsvRow[] = [];
    const indexes: number[] = [];
    const lines: number[] = [];
    for (const [index, row] of cut.rows.entries()) {
      if (row !== null && !this.#atHeader) {
        rows.push(row);
        indexes.push(index);
        lines.push(this.#line);
      }
      this.#atHeader &&= row === null;
      this.#line += 1 + (cut.breaks.size === 0 ? 0 : (cut.breaks.get(index) ?? 0));
    }
    return {
      rows,
      lines,
      textAt: (nth) => this.#textAt(cut, indexes[nth] ?? 0),
    };
  }

  #takeQuoted(cut: Cut): void {
    const parsed = parseRows([...cut.quoted.values()], this.#layout);
    let nth = 0;
    for (const [index, text] of cut.quoted) {
      this.#setFields(cut, index, text, parsed[nth] ?? []);
      nth += 1;
    }
  }

  #textAt({ bytes, spans }: Cut, index: number): string {
    const from = spans[2 * index] ?? 0;
    const to = spans[2 * index + 1] ?? from;
    if (to - from > MAX_ROW_BYTES) return "";
    return bytes.toString("utf8", from, textEnd(bytes, from, to, this.#csv));
  }
}

/**
 * Rows on their way, and where in their bytes they stood: two numbers each, which cost nothing to
 * speak of. No class: the engine would soon make its objects among the long-lived ones, and rows
 * with them.
 */
interface Cut {
  readonly bytes: Buffer;
  /** Null where there is nothing in a row, and in one with quotes until it is taken apart. */
  readonly rows: (CsvRow | null)[];
  readonly spans: number[];
  /** The texts of rows with quotes, by their indexes. */
  readonly quoted: Map<number, string>;
  /** Of rows that go on in further lines: how many these are. */
  readonly breaks: Map<number, number>;
}

function newCut(bytes: Buffer): Cut {
  return { bytes, rows: [], spans: [], quoted: new Map(), breaks: new Map() };
}

/** @returns the row's index */
function addRow({ rows, spans }: Cut, row: CsvRow | null, from: number, to: number): number {
  spans.push(from, to);
  return rows.push(row) - 1;
}
