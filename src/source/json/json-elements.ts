/** Finds the array of users in JSON documents and cuts its elements out by following strings and brackets. Each element is parsed later, alone. */

import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  SPACE,
} from "../bytes/ascii.js";
import { RowDamage } from "../row-damage.js";
import { parseJson } from "./json-value.js";
import { LIST } from "./lists-beside.js";

const MAX_ELEMENT_BYTES = 8 * 1024 * 1024;
const MAX_KEY_BYTES = 1024;

/**
 * Deeper text would cost the parser more memory than the largest element may take. No piece that
 * {@link JsonReader} parses at once can nest as deep, so that both read an element alike. How deep
 * a user may nest is checked after parsing.
 */
const MAX_DEPTH = 100_000;

const ELEMENT = "[]";

const TOO_LARGE = new RowDamage(
  "row_too_large",
  `The user has more than ${MAX_ELEMENT_BYTES} bytes; a quotation mark may be missing in it.`,
);
const TOO_DEEP = new RowDamage(
  "row_too_large",
  "The user is nested deeper than any vendor's export is; remove it from the export.",
);
const TRAILING = new RowDamage(
  "row_malformed",
  "Text that is no JSON document follows after the end of one, and nothing was read from there on; remove it and import the file again.",
);
const NO_ARRAY = new RowDamage(
  "row_malformed",
  "A document after the first holds no array of users; remove it, or export the users again.",
);

const NOTHING = Buffer.alloc(0);

/** The bytes of one element, or why they can't be had. */
export type JsonElement = Buffer | RowDamage;

type Place = "before" | "members" | "elements" | "after" | "elsewhere";

/**
 * Follows JSON documents through pieces of any size and hands out the elements of their arrays: a
 * top-level array, or those at a path in a top-level object. Pages of an API that were appended to
 * one file are several documents, with or without white space between them. Objects of the arrays
 * beside it are handed out where that is asked for, each with the name of its list ({@link LIST}).
 */
export class JsonElementCutter {
  /** The names that lead to an array, `[]` for each element of one on the way. */
  readonly #steps: readonly string[];
  readonly #beside: boolean;
  /** The names that lead to each open bracket outside of elements, `[]` behind those of arrays. */
  #names: string[] = [];
  /** The path of the list beside the array in which elements are; null in the array itself. */
  #list: string | null = null;
  #place: Place = "before";
  #found = false;
  /** In the document at hand. */
  #foundHere = false;
  /** Open brackets. */
  #depth = 0;
  /** Those around an element of the array. */
  #around = 0;
  /** How many of the path's steps lead to the innermost bracket that is on it. */
  #taken = 0;
  #inString = false;
  #escaped = false;
  /** The name that has begun, where it may be on the path. */
  #key: Buffer | null = null;
  #lastKey = "";
  #keyExpected = true;
  /** The current element's bytes from earlier pieces. */
  #parts: Buffer[] = [];
  #size = 0;
  #damage: RowDamage | null = null;
  /** After a comma an empty element is a fault; in an empty array it isn't. */
  #afterComma = false;

  /**
   * @param path of the array, as `users`, `data.users` or `orgs[].users`
   * @param beside whether objects of other arrays are handed out, too
   */
  constructor(path: string, beside = false) {
    this.#steps = path.replaceAll("[]", ".[]").split(".");
    this.#beside = beside;
  }

  /** True once an array was entered. */
  get found(): boolean {
    return this.#found;
  }

  /** True where the last bracket of the last document was closed. */
  get complete(): boolean {
    return this.#place === "after";
  }

  /** True where there is something else than an array or an object. */
  get foreign(): boolean {
    return this.#place === "elsewhere";
  }

  /**
   * True where the next byte is the first of an element of the array. Then another reader may take
   * elements from there, up to the first byte of a later one.
   */
  get atElement(): boolean {
    const isBetween = this.#size === 0 && this.#depth === this.#around && !this.#inString;
    return this.#place === "elements" && this.#list === null && isBetween;
  }

  /** @returns the elements that end in this piece, in order */
  take(chunk: Buffer): JsonElement[] {
    const elements: JsonElement[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      if (this.#inString) {
        at = this.#passString(chunk, at);
        continue;
      }
      const byte = chunk[at] ?? SPACE;
      if (this.#place === "elements") {
        if (!this.#endsElement(byte)) continue;
        this.#endElement(chunk.subarray(start, at), byte === COMMA, elements);
        start = at + 1;
      } else if (this.#place === "members") {
        this.#takeMember(byte, elements);
        start = at + 1;
      } else if (byte > SPACE) {
        this.#takeOutside(byte, elements);
        start = at + 1;
      }
    }
    if (this.#place === "elements") this.#keep(chunk.subarray(start));
    return elements;
  }

  #takeOutside(byte: number, elements: JsonElement[]): void {
    const isNext = this.#place === "before" || (this.#place === "after" && this.#found);
    if (!isNext || (byte !== OPEN_ARRAY && byte !== OPEN_OBJECT)) {
      if (this.#place === "after") elements.push(TRAILING);
      this.#place = "elsewhere";
      return;
    }
    this.#foundHere = false;
    this.#keyExpected = true;
    this.#depth = 1;
    this.#taken = 0;
    this.#names = [""];
    this.#place = "members";
    if (byte === OPEN_ARRAY) this.#enterArray();
  }

  /** What is around the array: looks for its path and for the lists beside it, passes over all else. */
  #takeMember(byte: number, elements: JsonElement[]): void {
    const isOnPath = this.#depth === this.#taken + 1;
    if (byte === QUOTE) {
      this.#inString = true;
      this.#key = this.#keyExpected ? NOTHING : null;
    } else if (byte === COLON || byte === COMMA) {
      this.#keyExpected = byte === COMMA;
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      const isWanted = isOnPath && this.#isNext(this.#steps[this.#taken]);
      const isLast = isWanted && this.#taken === this.#steps.length - 1;
      const name = this.#names.at(-1)?.endsWith(ELEMENT) ? "" : this.#lastKey;
      this.#depth++;
      if (byte === OPEN_ARRAY && isLast) this.#enterArray();
      else if (byte === OPEN_ARRAY && this.#beside && !isWanted) this.#enterList(name);
      else {
        this.#names.push(byte === OPEN_ARRAY ? `${name}${ELEMENT}` : name);
        if (isWanted) this.#taken++;
        this.#keyExpected = true;
      }
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      this.#depth--;
      this.#names.pop();
      this.#keyExpected = false;
      if (this.#depth === 0) {
        this.#place = "after";
        if (this.#found && !this.#foundHere) elements.push(NO_ARRAY);
      } else if (this.#taken >= this.#depth) {
        this.#taken = this.#depth - 1;
      }
    }
  }

  /** Whether the next bracket is this step of the path. */
  #isNext(step: string | undefined): boolean {
    return step === ELEMENT || (!this.#keyExpected && this.#lastKey === step);
  }

  #enterArray(): void {
    this.#place = "elements";
    this.#found = true;
    this.#foundHere = true;
    this.#around = this.#depth;
    this.#afterComma = false;
  }

  #enterList(name: string): void {
    this.#place = "elements";
    this.#list = [...this.#names, name].filter((one) => one !== "").join(".");
    this.#around = this.#depth;
    this.#afterComma = false;
  }

  /** Whether an element, or the array, ends with this byte. */
  #endsElement(byte: number): boolean {
    if (byte === QUOTE) this.#inString = true;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      this.#depth++;
      if (this.#depth > this.#around + MAX_DEPTH) this.#damage ??= TOO_DEEP;
    } else if (this.#depth === this.#around) return byte === COMMA || byte === CLOSE_ARRAY;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#depth--;
    return false;
  }

  #endElement(end: Buffer, beforeComma: boolean, elements: JsonElement[]): void {
    this.#keep(end);
    const bytes = this.#parts.length === 1 ? end : Buffer.concat(this.#parts);
    const isEmpty = this.#damage === null && bytes.every((byte) => byte <= SPACE);
    const element = this.#damage ?? bytes;
    if (this.#list !== null) elements.push(...named(element, this.#list));
    else if (beforeComma || this.#afterComma || !isEmpty) elements.push(element);
    this.#afterComma = beforeComma;
    this.#parts = [];
    this.#size = 0;
    this.#damage = null;
    if (beforeComma) return;
    this.#depth--;
    this.#list = null;
    this.#keyExpected = false;
    this.#place = this.#depth === 0 ? "after" : "members";
  }

  #keep(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#size > MAX_ELEMENT_BYTES) this.#damage ??= TOO_LARGE;
    if (this.#damage === null) this.#parts.push(bytes);
    else this.#parts = [];
  }

  /** @returns the offset of the string's last byte in this chunk, its closing quote if it is there */
  #passString(chunk: Buffer, from: number): number {
    let at = this.#escaped ? from + 1 : from;
    while (at < chunk.length && chunk[at] !== QUOTE) at += chunk[at] === BACKSLASH ? 2 : 1;
    this.#inString = at >= chunk.length;
    this.#escaped = at > chunk.length;
    if (this.#key !== null) {
      this.#key = Buffer.concat([this.#key, chunk.subarray(from, at)]).subarray(0, MAX_KEY_BYTES);
      if (!this.#inString) this.#lastKey = decodeKey(this.#key.toString());
    }
    return at;
  }
}

/** An object of a list beside the users with the list's name; nothing for a value that is no object. */
function named(element: JsonElement, list: string): readonly JsonElement[] {
  if (element instanceof RowDamage) return [element];
  const open = element.indexOf(OPEN_OBJECT);
  if (open === -1 || element.subarray(0, open).some((byte) => byte > SPACE)) return [];
  const rest = element.subarray(open + 1);
  const first = rest.find((byte) => byte > SPACE);
  const start = `{${JSON.stringify(LIST)}:${JSON.stringify(list)}${first === CLOSE_OBJECT ? "" : ","}`;
  return [Buffer.concat([Buffer.from(start), rest])];
}

function decodeKey(raw: string): string {
  return raw.includes("\\") ? String(parseJson(`"${raw}"`) ?? raw) : raw;
}
