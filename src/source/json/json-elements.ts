/** Finds the array of users in JSON documents and hands out its elements, passing over all else. */

import { RowDamage } from "../row-damage.js";
import { isSpace, JsonArrayCutter, type JsonElement } from "./json-array.js";

const MAX_KEY_BYTES = 1024;

const ELEMENT = "[]";

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const TRAILING = new RowDamage(
  "row_malformed",
  "Text that is no JSON document follows after the end of one, and nothing was read from there on; remove it and import the file again.",
);
const NO_ARRAY = new RowDamage(
  "row_malformed",
  "A document after the first holds no array of users; remove it, or export the users again.",
);

type Place = "before" | "members" | "elements" | "after" | "elsewhere";

/** The names that lead to an array, `[]` for each element of one on the way: `orgs[].users`. */
function stepsTo(path: string): readonly string[] {
  return path.replaceAll("[]", ".[]").split(".");
}

/**
 * Follows JSON documents through pieces of any size and hands out the elements of their arrays: a
 * top-level array, or those at a path in a top-level object. Pages of an API that were appended to
 * one file are several documents, with or without white space between them.
 */
export class JsonElementCutter {
  readonly #steps: readonly string[];
  #place: Place = "before";
  #array = new JsonArrayCutter();
  #found = false;
  #foundHere = false;
  /** Open brackets inside a document around its array. */
  #depth = 0;
  /** How many of the path's steps lead to the innermost of those brackets that is on it. */
  #taken = 0;
  #inString = false;
  #escaped = false;
  #wrapped = false;
  #key: number[] | null = null;
  #lastKey = "";
  #keyExpected = true;

  /** @param path of the array, as `users`, `data.users` or `orgs[].users` */
  constructor(path: string) {
    this.#steps = stepsTo(path);
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
    return this.#place === "elements" && this.#array.atElement;
  }

  /** @returns the elements that end in this piece, in order */
  take(chunk: Buffer): JsonElement[] {
    const elements: JsonElement[] = [];
    let at = 0;
    while (at < chunk.length) {
      if (this.#place === "elements") at = this.#takeElements(chunk, at, elements);
      else if (this.#place === "members") at = this.#takeMembers(chunk, at, elements);
      else at = this.#takeOutside(chunk, at, elements);
    }
    return elements;
  }

  #takeOutside(chunk: Buffer, from: number, elements: JsonElement[]): number {
    let at = from;
    while (at < chunk.length && isSpace(chunk[at])) at++;
    const byte = chunk[at];
    if (byte === undefined) return at;
    const next = this.#place === "after" && this.#found;
    if ((this.#place === "before" || next) && (byte === OPEN_ARRAY || byte === OPEN_OBJECT)) {
      this.#startDocument(byte === OPEN_OBJECT);
      return at + 1;
    }
    if (this.#place === "after") elements.push(TRAILING);
    this.#place = "elsewhere";
    return chunk.length;
  }

  #startDocument(wrapped: boolean): void {
    this.#wrapped = wrapped;
    this.#foundHere = false;
    this.#keyExpected = true;
    this.#depth = 1;
    this.#taken = 0;
    if (wrapped) this.#place = "members";
    else this.#enterArray();
  }

  /** What is around the array: looks for its path, passes over all else. */
  #takeMembers(chunk: Buffer, from: number, elements: JsonElement[]): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at];
      if (this.#inString) this.#takeStringByte(byte);
      else if (byte === QUOTE) {
        this.#inString = true;
        this.#key = this.#isOnPath() && this.#keyExpected ? [] : null;
      } else if (byte === COLON && this.#isOnPath()) this.#keyExpected = false;
      else if (byte === COMMA && this.#isOnPath()) this.#keyExpected = true;
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        if (this.#isWanted()) {
          if (byte === OPEN_ARRAY && this.#taken === this.#steps.length - 1) {
            this.#enterArray();
            return at + 1;
          }
          this.#taken++;
          this.#keyExpected = true;
        }
        this.#depth++;
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
        this.#depth--;
        if (this.#taken >= this.#depth && this.#depth > 0) {
          this.#taken = this.#depth - 1;
          this.#keyExpected = false;
        }
        if (this.#depth === 0) {
          this.#place = "after";
          if (this.#found && !this.#foundHere) elements.push(NO_ARRAY);
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

  #isOnPath(): boolean {
    return this.#depth === this.#taken + 1;
  }

  /** Whether the next bracket is the path's next step. */
  #isWanted(): boolean {
    if (!this.#isOnPath()) return false;
    const step = this.#steps[this.#taken];
    return step === ELEMENT || (!this.#keyExpected && this.#lastKey === step);
  }

  #enterArray(): void {
    this.#array = new JsonArrayCutter();
    this.#place = "elements";
    this.#found = true;
    this.#foundHere = true;
  }

  #takeElements(chunk: Buffer, from: number, elements: JsonElement[]): number {
    const end = this.#array.take(chunk, from, elements);
    if (this.#array.ended) this.#place = this.#wrapped ? "members" : "after";
    return end;
  }
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
