/** Follows a JSON text, or the start of a longer one: the first place where it is no JSON, of which only the place and the kind of the flaw are told, and the arrays of objects on the way there. */

import { remembering } from "../remembering.js";

/** What the text is, as far as it goes; `count` values are whole. */
type JsonFlaw =
  | { readonly kind: "flaw"; readonly what: string; readonly line: number; readonly column: number }
  /** Nothing but values, one behind the other. */
  | { readonly kind: "values"; readonly count: number }
  /** It ends inside a value, below the property of that name. */
  | { readonly kind: "open"; readonly count: number; readonly name: string };

const SPACE = /\s*/y;
/** A text without its last quotation mark, up to what no text may hold. */
const TOKEN =
  /[{}[\],:]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null/iy;
const NAME = /^[A-Za-z_]\w*$/;

/** What the end of the start of a text may cut through. */
const CUT = /^(?:\\(?:u[\da-f]{0,3})?|[a-z\d.+-]*)$/i;

/** Paths of names; an object with thousands of arrays is no export. */
const MAX_FOUND = 20;

type Wanted = "value" | "first value" | "name" | "first name" | "colon" | "member" | "element";

/** Takes a number, `true`, `false` or `null`. */
const SCALAR = "scalar";

/** What is wanted behind a value, by the bracket around it. */
const BEHIND_VALUE = { "": "value", "{": "member", "[": "element" } as const;

const VALUES = { "{": "first name", "[": "first value", '"': null, [SCALAR]: null } as const;

/** The tokens that may stand at a place, by their first character, and what is wanted behind each; null behind a whole value. */
const TAKES: Readonly<Record<Wanted, Readonly<Record<string, Wanted | null>>>> = {
  value: VALUES,
  "first value": { ...VALUES, "]": null },
  name: { '"': "colon" },
  "first name": { '"': "colon", "}": null },
  colon: { ":": "value" },
  member: { ",": "name", "}": null },
  element: { ",": "value", "]": null },
};

/** @param text up to some 64 KiB of it */
export function findFlaw(text: string): JsonFlaw {
  const { flaw, count, isOpen, name } = scan(text);
  if (flaw !== null) {
    const lines = text.slice(0, flaw).split("\n");
    const column = (lines.at(-1)?.length ?? 0) + 1;
    return { kind: "flaw", what: whatAt(text[flaw] ?? ""), line: lines.length, column };
  }
  return isOpen
    ? { kind: "open", count, name: NAME.test(name) ? name : "" }
    : { kind: "values", count };
}

/**
 * The names that lead to each array of objects that is in no other array, in the document's order:
 * `[["users"]]`, `[["data", "members"]]`. A text with a flaw is taken as far as there.
 */
export function arraysOfObjects(text: string): readonly (readonly string[])[] {
  return scan(text).arrays.slice(0, MAX_FOUND);
}

/** The arrays of objects in the elements of others: `db[].data.users`; `[].users` in a list at the top. */
export function arraysWithin(text: string): readonly string[] {
  return [...scan(text).inner].slice(0, MAX_FOUND);
}

/** The names of a document's own fields, and with `[].` those of each document in a list. */
export const fieldsAround = remembering((text) => scan(text).own, 10);

const OWN: Readonly<Record<string, string>> = { "{": "", "[{": "[]." };

/**
 * A text as far as it is JSON: where it is none (`flaw`, null where that isn't known), how many values
 * are whole, and the name of the last property.
 */
function scan(text: string) {
  const arrays: string[][] = [];
  const inner = new Set<string>();
  const own = new Set<string>();
  const around: { readonly bracket: "{" | "["; readonly name: string }[] = [];
  let wanted: Wanted = "value";
  let name = "";
  let count = 0;
  let flaw: number | null = null;
  let at = endOf(SPACE, text, 0);
  for (let start = text[at]; start !== undefined; start = text[at]) {
    const end = endOf(TOKEN, text, at);
    const then: Wanted | null | undefined =
      end > at ? TAKES[wanted][/[\w-]/.test(start) ? SCALAR : start] : undefined;
    if (then === "colon") {
      name = text.slice(at + 1, end);
      const place = OWN[around.map(({ bracket }) => bracket).join("")];
      if (place !== undefined) own.add(`${place}${name}`);
    }
    const isText = start === '"';
    if (then === undefined || (isText && text[end] !== '"')) {
      const wrong = then === undefined ? at : end;
      flaw = CUT.test(text.slice(wrong)) ? null : wrong;
      break;
    }
    if (start === "{" || start === "[") {
      if (start === "[" && /^\s*\{/.test(text.slice(end, end + 99))) {
        const isInList = around.some(({ bracket }) => bracket === "[");
        if (isInList) inner.add(pathOf([...around, { bracket: start, name }]));
        else arrays.push([...around.slice(1).map((outer) => outer.name), name]);
      }
      around.push({ bracket: start, name });
    } else if (start === "}" || start === "]") around.pop();
    if (around.length === 0) {
      count += 1;
      name = "";
    }
    wanted = then ?? BEHIND_VALUE[around.at(-1)?.bracket ?? ""];
    at = endOf(SPACE, text, isText ? end + 1 : end);
  }
  return { flaw, count, isOpen: around.length > 0, name, arrays, inner, own };
}

/** A list's path, through the brackets around it. */
function pathOf(around: readonly { readonly bracket: string; readonly name: string }[]): string {
  const steps = around.map(({ bracket, name }, at) => {
    const property = around[at - 1]?.bracket === "{" ? `.${name}` : "";
    return `${property}${bracket === "[" && at < around.length - 1 ? "[]" : ""}`;
  });
  return steps.join("").replace(/^\./, "");
}

/** Where a pattern ends that begins at a place; the place itself where it doesn't. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
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
