/** Reads yes and no as exports write them. */

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["t", true],
  ["yes", true],
  ["y", true],
  ["1", true],
  ["false", false],
  ["f", false],
  ["no", false],
  ["n", false],
  ["0", false],
]);
const LONGEST = "false".length;

/**
 * @param text a flag in any case, with or without white space around it
 * @returns null where the text is empty or neither yes nor no
 */
export function parseFlag(text: string): boolean | null {
  // Nearly every export writes the plain words, which need no trimmed copy.
  const plain = text.length > LONGEST ? text.trim() : text;
  if (plain.length > LONGEST) return null;
  return FLAGS.get(plain) ?? FLAGS.get(plain.trim().toLowerCase()) ?? null;
}
