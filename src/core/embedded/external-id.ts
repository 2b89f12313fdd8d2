/** Which texts can be a user's external id. It looks at the text alone, not at who has it already. */

/** In code points, as the database of the public counterpart counts them. */
const MAX_LENGTH = 128;

/**
 * Why a text can't be an external id, as the end of a sentence about it; null where it can.
 *
 * An id that a core stored otherwise than it came would no longer match the application's foreign
 * keys: the public counterpart trims blanks and control characters (Java's `trim`), and SQLite's
 * text holds neither NUL nor half a surrogate pair.
 */
export function externalIdFlaw(text: string): string | null {
  if (text === "") return "is empty";
  // Code points are never more than UTF-16 units.
  if (text.length > MAX_LENGTH && [...text].length > MAX_LENGTH) {
    return `is longer than ${MAX_LENGTH} characters`;
  }
  if (/^[\0- ]|[\0- ]$/.test(text)) return "begins or ends with a blank or a control character";
  if (/[\0\p{Surrogate}]/u.test(text)) return "holds a character that cannot be stored";
  return null;
}
