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
  return new Scan(text).result();
}

/** Paths of names; an object with thousands of arrays is no export. */
const MAX_FOUND = 20;

/**
 * The names that lead to each array of objects that is in no other array, in the document's order:
 * `[["users"]]`, `[["data", "members"]]`. A text with a flaw is taken as far as there.
 */
export function arraysOfObjects(text: string): readonly (readonly string[])[] {
  return new Scan(text).arrays.slice(0, MAX_FOUND);
}

/** What a token has to be; behind an opening bracket the closing one may stand as well. */
type Wanted = "value" | "name" | "colon" | "rest";

class Scan {
  readonly #text: string;
  readonly arrays: string[][] = [];
  /** The brackets that close those that are open, and the names before them. */
  readonly #closing: string[] = [];
  readonly #names: string[] = [];
  #wanted: Wanted = "value";
  #hasOpened = false;
  #at = 0;
  #count = 0;
  #name = "";
  #flaw = -1;

  constructor(text: string) {
    this.#text = text;
    while (this.#step());
  }

  result(): JsonFlaw {
    const count = this.#count;
    if (this.#flaw >= 0) return flawAt(this.#text, this.#flaw);
    if (this.#closing.length === 0) return { kind: "values", count };
    return { kind: "open", count, name: NAME.test(this.#name) ? this.#name : "" };
  }

  /** Takes the next token. @returns false at the end and at a flaw */
  #step(): boolean {
    this.#at = this.#end(SPACE);
    const next = this.#text[this.#at];
    if (next === undefined) return false;
    if (this.#closing.length === 0) this.#wanted = "value";
    const ok = this.#take(next);
    if (!ok && !CUT.test(this.#text.slice(this.#at))) this.#flaw = this.#at;
    if (ok && this.#closing.length === 0) this.#count += 1;
    return ok;
  }

  #take(next: string): boolean {
    const wanted = this.#wanted;
    const closing = this.#closing.at(-1);
    const mayClose = wanted === "rest" || this.#hasOpened;
    this.#hasOpened = false;
    if (next === closing) return mayClose && this.#close();
    switch (wanted) {
      case "value":
        if (next === "{" || next === "[") return this.#open(next);
        return next === '"' ? this.#takeString("rest") : this.#takeScalar();
      case "name":
        return next === '"' && this.#takeString("colon");
      case "colon":
        return next === ":" && this.#pass(1, "value");
      case "rest":
        return next === "," && this.#pass(1, closing === "}" ? "name" : "value");
    }
  }

  #open(bracket: "{" | "["): boolean {
    const isOuter = bracket === "[" && !this.#closing.includes("]");
    if (isOuter && /^\s*\{/.test(this.#text.slice(this.#at + 1, this.#at + 100))) {
      this.arrays.push([...this.#names.slice(1), this.#name]);
    }
    this.#closing.push(bracket === "{" ? "}" : "]");
    this.#names.push(this.#name);
    this.#hasOpened = true;
    return this.#pass(1, bracket === "{" ? "name" : "value");
  }

  #close(): boolean {
    this.#closing.pop();
    this.#names.pop();
    return this.#pass(1, "rest");
  }

  /** @param then `colon` behind a name */
  #takeString(then: "colon" | "rest"): boolean {
    const end = this.#end(STRING);
    if (then === "colon") this.#name = this.#text.slice(this.#at + 1, end);
    this.#at = end;
    return this.#text[end] === '"' && this.#pass(1, then);
  }

  #takeScalar(): boolean {
    const end = this.#end(SCALAR);
    return end > this.#at && this.#pass(end - this.#at, "rest");
  }

  #pass(length: number, wanted: Wanted): boolean {
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

/** What people write where JSON has nothing of the kind, by the characters that it begins with. */
const FOREIGN: readonly (readonly [characters: string, what: string])[] = [
  ["/#", "a comment"],
  ["'", "a single quotation mark"],
  ["}]", "a bracket behind a comma, or one too many"],
];

function whatAt(character: string): string {
  if (character < " ") return "a text that isn't closed on its line";
  const [, what] = FOREIGN.find(([characters]) => characters.includes(character)) ?? [];
  return what ?? "something that JSON hasn't there";
}
