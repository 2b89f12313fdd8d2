/** Texts that a store keeps as they are: names, and ids of others. */

import { UNSTORABLE } from "../account-parts.js";
import { refusal } from "../core-failure.js";

/**
 * @param most characters
 * @throws CoreFailure `refused`, which doesn't repeat the text
 */
export function boundedText(field: string, text: string, most: number): string {
  // Code points are never more than UTF-16 units.
  if (text === "" || (text.length > most && [...text].length > most)) {
    throw refusal(`${field} must have 1 to ${most} characters`);
  }
  if (UNSTORABLE.test(text)) throw refusal(`${field} holds a character that cannot be stored`);
  return text;
}
