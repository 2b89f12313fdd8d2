/** Tells what databases, languages and people write where they have no value. One list for every source. */

/** Trimmed and in lower case. None of them is an email address, a phone number or a believable id. */
const WORDS: ReadonlySet<string> = new Set([
  "",
  "null",
  "\\n",
  "(null)",
  "<null>",
  "nil",
  "none",
  "undefined",
  "nan",
  "n/a",
  "#n/a",
  "-",
]);

/** The longest of them. */
const MAX_LENGTH = 9;

/** @param text a value as exported, without white space around it */
export function isNoValue(text: string): boolean {
  return text.length <= MAX_LENGTH && WORDS.has(text.toLowerCase());
}
