/** Cuts the elements out of a JSON array without parsing the document: it only follows strings and brackets. What an element means, and whether it is JSON at all, is asked later, of each alone. */

import { RowDamage } from "./row-damage.js";

const MAX_ELEMENT_BYTES = 8 * 1024 * 1024;
const MAX_DEPTH = 64;
const MAX_KEY_BYTES = 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
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
  `The user is nested more than ${MAX_DEPTH} levels deep; no vendor's export is.`,
);
const TRAILING = new RowDamage(
  "row_malformed",
  "Text follows after the end of the JSON document; where it is a second document, import it as a file of its own.",
);

/** The bytes of one element, or why they can't be had. */
export type JsonElement = Buffer | RowDamage;

type Place = "before" | "members" | "elements" | "after" | "elsewhere";

/**
 * Follows one JSON document through pieces of any size and hands out the elements of its array: a
 * top-level array, or the array that is the value of a top-level object's `property`.
 */
export class JsonElementCutter {
  readonly #property: string;
  #place: Place = "before";
  #found = false;
  /** Open brackets: inside the element while in `elements`, inside the document before. */
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The current element's bytes from earlier pieces. */
  #parts: Buffer[] = [];
  #size = 0;
  #damage: RowDamage | null = null;
  /** Elements were seen, or a comma, so that an empty one is a fault. */
  #afterComma = false;
  #wrapped = false;
  #key: number[] | null = null;
  #lastKey = "";
  #keyExpected = true;

  constructor(property: string) {
    this.#property = property;
  }

  /** True once the array was entered. */
  get found(): boolean {
    return this.#found;
  }

  /** True once the document's last bracket was closed. */
  get complete(): boolean {
    return this.#place === "after";
  }

  /** True where the document is neither an array nor an object. */
  get foreign(): boolean {
    return this.#place === "elsewhere";
  }

  /** @returns the elements that end in this piece, in order */
  take(chunk: Buffer): JsonElement[] {
    const elements: JsonElement[] = [];
    let at = 0;
    while (at < chunk.length) {
      if (this.#place === "elements") at = this.#takeElements(chunk, at, elements);
      else if (this.#place === "members") at = this.#takeMembers(chunk, at);
      else at = this.#takeOutside(chunk, at, elements);
    }
    return elements;
  }

  #takeOutside(chunk: Buffer, from: number, elements: JsonElement[]): number {
    let at = from;
    while (at < chunk.length && isSpace(chunk[at])) at++;
    const byte = chunk[at];
    if (byte === undefined) return at;
    if (this.#place === "before" && byte === OPEN_ARRAY) {
      this.#enterArray(false);
      return at + 1;
    }
    if (this.#place === "before" && byte === OPEN_OBJECT) {
      this.#place = "members";
      this.#depth = 1;
      return at + 1;
    }
    if (this.#place === "after") elements.push(TRAILING);
    this.#place = "elsewhere";
    return chunk.length;
  }

  /** The top-level object around the array: looks for the property, passes over all else. */
  #takeMembers(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at];
      if (this.#inString) this.#takeStringByte(byte);
      else if (byte === QUOTE) {
        this.#inString = true;
        this.#key = this.#depth === 1 && this.#keyExpected ? [] : null;
      } else if (byte === COLON && this.#depth === 1) this.#keyExpected = false;
      else if (byte === COMMA && this.#depth === 1) this.#keyExpected = true;
      else if (byte === OPEN_ARRAY && this.#isWanted()) {
        this.#enterArray(true);
        return at + 1;
      } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) this.#depth++;
      else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
        this.#depth--;
        if (this.#depth === 0) {
          this.#place = "after";
          return at + 1;
        }
      }
    }
    return chunk.length;
  }

  #takeStringByte(byte: number | undefined): void {
    if (byte === QUOTE && !this.#escaped) {
      this.#inString = false;
      if (this.#key !== null) this.#lastKey = decodeKey(this.#key);
      this.#key = null;
      return;
    }
    this.#escaped = byte === BACKSLASH && !this.#escaped;
    if (this.#key !== null && byte !== undefined && this.#key.length < MAX_KEY_BYTES) {
      this.#key.push(byte);
    }
  }

  #isWanted(): boolean {
    return this.#depth === 1 && !this.#keyExpected && this.#lastKey === this.#property;
  }

  #enterArray(wrapped: boolean): void {
    this.#place = "elements";
    this.#found = true;
    this.#wrapped = wrapped;
    this.#depth = 0;
    this.#afterComma = false;
  }

  #takeElements(chunk: Buffer, from: number, elements: JsonElement[]): number {
    let depth = this.#depth;
    let start = from;
    let at = from;
    for (; at < chunk.length; at++) {
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
          this.#leaveArray();
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
    const bytes = this.#parts.length === 0 ? end : Buffer.concat([...this.#parts, end]);
    const damage = this.#damage ?? (size > MAX_ELEMENT_BYTES ? TOO_LARGE : null);
    const none = !beforeComma && !this.#afterComma && damage === null && bytes.every(isSpace);
    if (!none) elements.push(damage ?? bytes);
    this.#afterComma = beforeComma;
    this.#parts = [];
    this.#size = 0;
    this.#damage = null;
  }

  #leaveArray(): void {
    this.#place = this.#wrapped ? "members" : "after";
    this.#depth = 1;
  }
}

/** The four kinds of white space of RFC 8259; anything else below them is no JSON either way. */
function isSpace(byte: number | undefined): boolean {
  return byte !== undefined && byte <= SPACE;
}

function decodeKey(bytes: readonly number[]): string {
  const raw = Buffer.from(bytes).toString();
  if (!raw.includes("\\")) return raw;
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch {
    return "";
  }
}
