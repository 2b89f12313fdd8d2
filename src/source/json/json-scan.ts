/** Follows a JSON text, or the start of a longer one: the first place where it is no JSON, of which only the place and the kind of the flaw are told, and the arrays of objects on the way there. */

/** What the text is, as far as it goes; `count` values are whole. */
type JsonFlaw =
  | { readonly kind: "flaw"; readonly what: string; readonly line: number; readonly column: number }
  /** Nothing but values, one behind the other. */
  | { readonly kind: "values"; readonly count: number }
  /** It ends inside a value, below the property of that name. */
  | { readonly kind: "open"; readonly count: number; readonly name: string };

const SPACE = /\s*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*/iy;
const SCALAR = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null/iy;
const NAME = /^[A-Za-z_]\w*$/;

/** What the end of the start of a text may cut through. */
const CUT = /^(?:\\(?:u[\da-f]{0,3})?|[a-z\d.+-]*)$/i;

/** @param text up to some 64 KiB of it */
export function findFlaw(text: string): JsonFlaw {
  return scanned(text).result();
}

/** Paths of names; an object with thousands of arrays is no export. */
const MAX_FOUND = 20;

/**
 * The names that lead to each array of objects that is in no other array, in the document's order:
 * `[["users"]]`, `[["data", "members"]]`. A text with a flaw is taken as far as there.
 */
export function arraysOfObjects(text: string): readonly (readonly string[])[] {
  return scanned(text).arrays.slice(0, MAX_FOUND);
}

function scanned(text: string): Scan {
  const scan = new Scan(text);
  while (scan.step());
  return scan;
}

class Scan {
  readonly #text: string;
  readonly arrays: string[][] = [];
  /** The brackets that are open, and the names before them where they are in an object. */
  readonly #open: string[] = [];
  readonly #names: string[] = [];
  #wanted: "value" | "name" | "colon" | "rest" = "value";
  /** Behind a comma no bracket may close. */
  #mayClose = true;
  #at = 0;
  #count = 0;
  #name = "";
  #flaw = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Takes the next token. @returns false at the end and at a flaw */
  step(): boolean {
    this.#at = this.#end(SPACE);
    const next = this.#text[this.#at];
    if (next === undefined) return false;
    if (this.#open.length === 0) this.#wanted = "value";
    const ok = this.#take(next);
    if (!ok && !CUT.test(this.#text.slice(this.#at))) this.#flaw = this.#at;
    if (ok && this.#open.length === 0) this.#count += 1;
    return ok;
  }

  result(): JsonFlaw {
    const count = this.#count;
    if (this.#flaw >= 0) return flawAt(this.#text, this.#flaw);
    if (this.#open.length === 0) return { kind: "values", count };
    return { kind: "open", count, name: NAME.test(this.#name) ? this.#name : "" };
  }

  #take(next: string): boolean {
    const wanted = this.#wanted;
    const inside = this.#open.at(-1);
    const mayClose = this.#mayClose && (wanted === "rest" || wanted === "name" || inside === "[");
    this.#mayClose = next !== ",";
    if ((next === "}" && inside === "{") || (next === "]" && inside === "[")) {
      if (!mayClose) return false;
      this.#open.pop();
      this.#names.pop();
      return this.#pass(1, "rest");
    }
    if (next === '"' && wanted !== "rest") return wanted !== "colon" && this.#takeString();
    switch (wanted) {
      case "value":
        if (next !== "{" && next !== "[") return this.#takeScalar();
        if (next === "[") this.#meetArray();
        this.#open.push(next);
        this.#names.push(this.#name);
        return this.#pass(1, next === "{" ? "name" : "value");
      case "colon":
        this.#mayClose = false;
        return next === ":" && this.#pass(1, "value");
      case "rest":
        return next === "," && this.#pass(1, inside === "{" ? "name" : "value");
      case "name":
        return false;
    }
  }

  #meetArray(): void {
    const isOuter = !this.#open.includes("[");
    const isOfObjects = /^\s*\{/.test(this.#text.slice(this.#at + 1, this.#at + 100));
    if (isOuter && isOfObjects) this.arrays.push([...this.#names.slice(1), this.#name]);
  }

  #takeString(): boolean {
    const end = this.#end(STRING);
    const isName = this.#wanted === "name";
    if (isName) this.#name = this.#text.slice(this.#at + 1, end);
    this.#at = end;
    return this.#text[end] === '"' && this.#pass(1, isName ? "colon" : "rest");
  }

  #takeScalar(): boolean {
    const end = this.#end(SCALAR);
    return end > this.#at && this.#pass(end - this.#at, "rest");
  }

  #pass(length: number, wanted: "value" | "name" | "colon" | "rest"): boolean {
    this.#at += length;
    this.#wanted = wanted;
    return true;
  }

  #end(pattern: RegExp): number {
    pattern.lastIndex = this.#at;
    return pattern.test(this.#text) ? pattern.lastIndex : this.#at;
  }
}

function flawAt(text: string, at: number): JsonFlaw {
  const lines = text.slice(0, at).split("\n");
  const column = (lines.at(-1)?.length ?? 0) + 1;
  return { kind: "flaw", what: whatAt(text[at] ?? ""), line: lines.length, column };
}

function whatAt(character: string): string {
  if (character === "/" || character === "#") return "a comment";
  if (character === "'") return "a single quotation mark";
  if (character === "}" || character === "]") return "a bracket behind a comma, or one too many";
  if (character < " ") return "a text that isn't closed on its line";
  return "something that JSON hasn't there";
}
