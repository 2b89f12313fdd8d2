/** Parses the elements of a JSON document's array, many at once where that surely gives the same as one by one. Memory holds the element at hand. */

import { isAscii, isUtf8, transcode } from "node:buffer";
import { CLOSE_OBJECT, OPEN_OBJECT, QUOTE } from "../bytes/ascii.js";
import { jsonForm } from "../raw/json-form.js";
import { type RawRows, type RowBatch, stateOf, withRaw } from "../raw/raw-row.js";
import { isGarbled, NOT_UTF8, RowDamage } from "../row-damage.js";
import { type JsonElement, JsonElementCutter } from "./json-elements.js";
import { checkObject, parseObject } from "./json-object.js";
import { parseJson } from "./json-value.js";
import { listOf, type TakesBeside } from "./lists-beside.js";

/** A piece of this size is parsed in a fraction of a millisecond and takes little memory. */
const PIECE_BYTES = 64 * 1024;

/** An element with more than this before its first value isn't learned from. */
const MAX_SEPARATOR_BYTES = 256;

const ARRAY = Buffer.from("[");
const ARRAY_END = Buffer.from("]");

const FORM = jsonForm();

/** What stands between two elements: from a closing brace to the end of the next one's first name. */
interface Separator {
  readonly bytes: Buffer;
  /** Where in it the next element starts, behind the comma. */
  readonly element: number;
}

/**
 * Reads documents in pieces of any size, which make no difference to what is read.
 *
 * Cutting looks at every byte. But exporters write all users alike. What stands between two of
 * them, such as `},{"localId"`, is learned from one and found backwards from a piece's end. JSON
 * has one reading: where all before that place parses as the inside of an array, its elements are
 * those that cutting gives. It doesn't parse where the place is inside a user, or a user is broken;
 * then the piece is cut.
 */
export class JsonReader {
  readonly #cutter: JsonElementCutter;
  readonly #takesBeside: TakesBeside | undefined;
  #separator: Separator | null = null;

  /** @param takesBeside asked of the objects of lists beside the users, which are passed over without it */
  constructor(property: string, takesBeside?: TakesBeside) {
    this.#cutter = new JsonElementCutter(property, takesBeside !== undefined);
    this.#takesBeside = takesBeside;
  }

  /** What was seen of the documents so far. */
  get progress(): Pick<JsonElementCutter, "found" | "complete" | "foreign"> {
    return this.#cutter;
  }

  /** @returns batches of the objects that end in this chunk, in order */
  *take(chunk: Buffer): Generator<RowBatch<object>> {
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      const cuts = this.#takePiece(chunk.subarray(start, start + PIECE_BYTES));
      const rows = cuts.flatMap((cut) => cut.rows);
      if (rows.length > 0) yield withRaw(rows, rawOf(rows, cuts));
    }
  }

  #takePiece(piece: Buffer): readonly Cut[] {
    const separator = this.#separator;
    if (separator === null) return [this.#cut(piece)];
    const first = this.#cutter.atElement ? 0 : startAt(piece.indexOf(separator.bytes), separator);
    const last = startAt(piece.lastIndexOf(separator.bytes), separator);
    if (last <= first) return [this.#cut(piece)];
    const before = this.#cut(piece.subarray(0, first));
    const inside = piece.subarray(first, last - 1);
    const rows = this.#cutter.atElement ? parseElements(inside) : null;
    if (rows === null) return [before, this.#cut(piece.subarray(first))];
    const array = (): Buffer => Buffer.concat([ARRAY, inside, ARRAY_END]);
    const whole = { rows, elements: () => new JsonElementCutter("").take(array()) };
    return [before, whole, this.#cut(piece.subarray(last))];
  }

  #cut(piece: Buffer): Cut {
    const elements = this.#cutter.take(piece);
    const last = elements.at(-1);
    if (last instanceof Buffer) this.#separator = separatorOf(last) ?? this.#separator;
    const rows = elements.map(parseElement);
    const takes = this.#takesBeside;
    if (takes === undefined) return { rows, elements: () => elements };
    const taken = rows.map((row) => {
      const list = listOf(row);
      return list === null || takes(row, list);
    });
    const kept = elements.filter((_element, at) => taken[at]);
    return { rows: rows.filter((_row, at) => taken[at]), elements: () => kept };
  }
}

/** Objects that were parsed together, and the bytes of each, for callers that ask for them. */
interface Cut {
  readonly rows: readonly (object | RowDamage)[];
  readonly elements: () => readonly JsonElement[];
}

function rawOf(rows: readonly (object | RowDamage)[], cuts: readonly Cut[]): RawRows {
  let elements: readonly JsonElement[] | null = null;
  return {
    form: FORM,
    at(index) {
      elements ??= cuts.flatMap((cut) => cut.elements());
      const element = elements[index];
      const text = element instanceof RowDamage ? element.text : (element?.toString() ?? "");
      return { text, state: stateOf(rows[index]) };
    },
  };
}

function startAt(found: number, separator: Separator): number {
  return found === -1 ? -1 : found + separator.element;
}

/** What stands between this element and another one that is written like it. */
function separatorOf(element: Buffer): Separator | null {
  const open = element.indexOf(OPEN_OBJECT);
  const name = element.indexOf(QUOTE, open + 1);
  const nameEnd = element.indexOf(QUOTE, name + 1);
  const close = element.lastIndexOf(CLOSE_OBJECT);
  if (open === -1 || nameEnd <= name || close < nameEnd) return null;
  const start = element.subarray(0, nameEnd + 1);
  const end = element.subarray(close);
  if (start.length + end.length > MAX_SEPARATOR_BYTES) return null;
  return { bytes: Buffer.concat([end, Buffer.from(","), start]), element: end.length + 1 };
}

/** The objects of the inside of an array, or null where it isn't all JSON. */
function parseElements(bytes: Buffer): (object | RowDamage)[] | null {
  const values = isUtf8(bytes) ? parseJson(`[${decode(bytes)}]`) : null;
  return Array.isArray(values) ? values.map(checkObject) : null;
}

/** UTF-8 as text: one letter beyond ASCII would make `toString` take several times as long. */
function decode(bytes: Buffer): string {
  return isAscii(bytes)
    ? bytes.toString("latin1")
    : transcode(bytes, "utf8", "utf16le").toString("utf16le");
}

/** The object of one element. */
export function parseElement(element: JsonElement): object | RowDamage {
  if (element instanceof RowDamage) return element;
  const text = element.toString();
  return isGarbled(text) && !isUtf8(element) ? NOT_UTF8 : parseObject(text);
}
