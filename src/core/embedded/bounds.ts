/** Texts that a store keeps as they are, names and ids of others, and numbers within bounds. */

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

/** @throws CoreFailure `refused` */
export function boundedNumber(field: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw refusal(`${field} must be a whole number from ${least} to ${most}`);
}

/** In code points, as the database of SuperTokens counts them. */
const MAX_EXTERNAL_ID = 128;

/**
 * An id that a core stored otherwise than it came would no longer match the application's foreign
 * keys: SuperTokens trims blanks and control characters (Java's `trim`).
 *
 * @throws CoreFailure `refused`
 */
export function requireExternalId(text: string): string {
  if (/^[\0- ]|[\0- ]$/.test(text)) {
    throw refusal("externalUserId begins or ends with a blank or a control character");
  }
  return boundedText("externalUserId", text, MAX_EXTERNAL_ID);
}
