/** Makes a user's notices out of a table of what was found. */

/**
 * @param found by notice code, in the order in which a record lists them
 * @returns the codes of what is true
 */
export function noticed(found: Readonly<Record<string, boolean>>): readonly string[] {
  return Object.keys(found).filter((code) => found[code]);
}
