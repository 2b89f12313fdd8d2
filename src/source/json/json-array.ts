/** Cuts the elements out of a JSON array by following strings and brackets. Each element is parsed later, alone. */

import { RowDamage } from "../row-damage.js";

const MAX_ELEMENT_BYTES = 8 * 1024 * 1024;

/**
 * Deeper text would cost the parser more memory than the largest element may take. No piece that
 * {@link JsonReader} parses at once can nest as deep, so that both read an element alike. How deep
 * a user may nest is checked after parsing.
 */
const MAX_DEPTH = 100_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;

const TOO_LARGE = new RowDamage(
  "row_too_large",
  `The user has more than ${MAX_ELEMENT_BYTES} bytes; a quotation mark may be missing in it.`,
);
const TOO_DEEP = new RowDamage(
  "row_too_large",
  "The user is nested deeper than any vendor's export is; remove it from the export.",
);

/** The bytes of one element, or why they can't be had. */
export type JsonElement = Buffer | RowDamage;

/** Follows one array, from behind its opening bracket, through pieces of any size. */
export class JsonArrayCutter {
  #ended = false;
  /** Open brackets inside the current element. */
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The current element's bytes from earlier pieces. */
  #parts: Buffer[] = [];
  #size = 0;
  #damage: RowDamage | null = null;
  /** After a comma an empty element is a fault; in an empty array it isn't. */
  #afterComma = false;

  /** True once the closing bracket was passed. */
  get ended(): boolean {
    return this.#ended;
  }

  /** True where the next byte is the first after the opening bracket or after a comma. */
  get atElement(): boolean {
    return !this.#ended && this.#size === 0 && this.#depth === 0 && !this.#inString;
  }

  /**
   * @param elements takes the elements that end in this piece, in order
   * @returns the offset behind the closing bracket, or the piece's length
   */
  take(chunk: Buffer, from: number, elements: JsonElement[]): number {
    let depth = this.#depth;
    let start = from;
    for (let at = from; at < chunk.length; at++) {
      if (this.#inString) {
        at = this.#passString(chunk, at);
        continue;
      }
      const byte = chunk[at];
      if (byte === QUOTE) this.#inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        depth++;
        if (depth > MAX_DEPTH) this.#damage ??= TOO_DEEP;
      } else if (depth > 0) {
        if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--;
      } else if (byte === COMMA || byte === CLOSE_ARRAY) {
        this.#endElement(chunk.subarray(start, at), byte === COMMA, elements);
        start = at + 1;
        if (byte === CLOSE_ARRAY) {
          this.#ended = true;
          return start;
        }
      }
    }
    this.#depth = depth;
    this.#keep(chunk.subarray(start));
    return chunk.length;
  }

  /** @returns the offset of the string's last byte in this chunk, its closing quote if it is there */
  #passString(chunk: Buffer, from: number): number {
    let at = from;
    if (this.#escaped) {
      this.#escaped = false;
      at++;
    }
    for (; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === QUOTE) {
        this.#inString = false;
        return at;
      }
      if (byte === BACKSLASH) at++;
    }
    this.#escaped = at > chunk.length;
    return chunk.length;
  }

  #keep(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#size > MAX_ELEMENT_BYTES) this.#damage ??= TOO_LARGE;
    if (this.#damage === null) this.#parts.push(bytes);
    else this.#parts = [];
  }

  #endElement(end: Buffer, beforeComma: boolean, elements: JsonElement[]): void {
    const size = this.#size + end.length;
    const damage = this.#damage ?? (size > MAX_ELEMENT_BYTES ? TOO_LARGE : null);
    const bytes = this.#parts.length === 0 ? end : Buffer.concat([...this.#parts, end]);
    const none = !beforeComma && !this.#afterComma && damage === null && bytes.every(isSpace);
    if (!none) elements.push(damage ?? bytes);
    this.#afterComma = beforeComma;
    this.#parts = [];
    this.#size = 0;
    this.#damage = null;
  }
}

/** The four kinds of white space of RFC 8259; anything else below them is no JSON either way. */
export function isSpace(byte: number | undefined): boolean {
  return byte !== undefined && byte <= SPACE;
}
