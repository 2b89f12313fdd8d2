/** Finds where in the start of a JSON document there are arrays of objects. Broken text is taken as far as it goes. */

/** Paths of names; an object with thousands of arrays is no export. */
const MAX_FOUND = 20;

/** A bracket that is open, and the name before it where it is in an object. */
interface Open {
  readonly isArray: boolean;
  readonly name: string;
}

/**
 * The names that lead to each array of objects that is in no other array, in the document's order:
 * `[["users"]]`, `[["data", "members"]]`.
 */
export function arraysOfObjects(text: string): readonly (readonly string[])[] {
  const found: string[][] = [];
  const open: Open[] = [];
  let name = "";
  for (let at = 0; at < text.length && found.length < MAX_FOUND; at++) {
    const character = text[at];
    if (character === '"') {
      const end = stringEnd(text, at);
      if (end === -1) break;
      name = text.slice(at + 1, end);
      at = end;
    } else if (character === "[" || character === "{") {
      const isArray = character === "[";
      const isOuter = isArray && open.every((one) => !one.isArray);
      if (isOuter && /^\s*\{/.test(text.slice(at + 1, at + 100))) {
        found.push([...open.slice(1).map((one) => one.name), name]);
      }
      open.push({ isArray, name });
    } else if (character === "]" || character === "}") open.pop();
  }
  return found;
}

/** The offset of the quotation mark that closes a string; -1 where none does. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '"') return at;
    if (text[at] === "\\") at++;
  }
  return -1;
}
