/** Shows names of columns and properties to people. What may be a user's data is withheld: a file without a header has that in its first row. */

/** Longer text, or text with an `@` or `$`, is data, not a name. */
const SHOWABLE = /^[\p{L}\p{N} _.:/()[\]-]{1,60}$/u;
const DIGITS = /\d{5}/;
const MAX_SHOWN = 40;

/** An address, a hash, or an international phone number. */
const DATA = /@[^@\s]+\.|^\$\w+\$|^\+\d{6}/;

/** A name in quotation marks, or the remark that it is none. */
export function showName(name: string): string {
  return isName(name) ? `"${name}"` : "(not a name)";
}

/** A name without marks around it, or the remark that it is none. A list's names may have a star for any letters. */
export function shownName(name: string): string {
  return isName(name.replaceAll("*", "")) ? name : "(not a name)";
}

/** Up to forty names, and how many more there are. */
export function showNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_SHOWN).map(showName).join(", ");
  return names.length > MAX_SHOWN ? `${shown} and ${names.length - MAX_SHOWN} more` : shown;
}

/** A file's name in a shown command: its path where a shell takes it as one word, else `FILE`. */
export function fileWord(path: string): string {
  return /^[\w./@%+,:-]+$/.test(path) ? path : "FILE";
}

/** What to do where {@link looksLikeData} says so. Firebase's CSV has no header of its own, and is known by how its cells are written. */
export const NO_HEADER =
  "Its first row is a user's data. Put a row before it that names the columns, as in id,email,password_hash; or, where a spreadsheet has saved Firebase's CSV anew, export the users again.";

/** True where a header is really a row of a user's data. */
export function looksLikeData(header: readonly string[]): boolean {
  return header.some((name) => DATA.test(name.trim()));
}

/** Whether a text can be shown: nothing in it looks like a user's data. */
export function isName(name: string): boolean {
  return SHOWABLE.test(name) && !DIGITS.test(name);
}
