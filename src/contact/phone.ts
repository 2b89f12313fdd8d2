/** Phone numbers in E.164, the form in which the core stores them. A number without its leading `+` is refused. */

import { phoneLibrary } from "./phone-library.js";

/** interface.md 2.2: a leading `+` and digits only; E.164 allows 15, and no number has under 7. */
const E164 = /^\+[1-9]\d{6,14}$/;

/**
 * Numbers that are surely in E.164. Others may hold a trunk prefix behind their calling code (+44
 * 0…, +1 1…, +7 8…) or Mexico's old 1, which libphonenumber takes out. This pattern is a hundred
 * times faster than libphonenumber.
 */
const NO_TRUNK_PREFIX =
  /^\+(?!521)(?:1[2-9]\d{5,13}|7[0-79]\d{5,13}|[2-689][1-9][1-9][1-9]\d{3,11})$/;

/**
 * `+`, digits of any script and the usual separators. An extension at the end is no part of E.164
 * and is dropped. Letters are refused: the digits before a letter would be another number.
 */
const WRITTEN =
  /^(?:tel:)?\(?\+[\p{Nd}\s()./~\p{Pd}]{1,40}(?:[;,]?\s*(?:ext[.=:]?|x|#)\s*\p{Nd}{1,7})?$/iu;

/**
 * Mexico's mobile numbers had a 1 behind the calling code until 2019. Newer versions of
 * libphonenumber leave it in; SuperTokens' takes it out.
 */
const OLD_MEXICAN_MOBILE = /^\+521(?=\d{10}$)/;

/** True for text, without white space around it, that is in E.164 as it stands. */
export function isPlainPhone(text: string): boolean {
  return NO_TRUNK_PREFIX.test(text);
}

/**
 * Brings a phone number into the form of interface.md 2.2.
 *
 * @param text as a person or a program wrote it: `+1 (555) 010-0001`, `tel:+15550100001`
 * @returns the number in E.164, or null where the text is no international number. Never throws.
 */
export function normalizePhone(text: string): string | null {
  const phone = text.trim();
  if (NO_TRUNK_PREFIX.test(phone)) return phone;
  // NFKC turns full-width signs and digits into plain ones.
  const written = phone.normalize("NFKC").replace(/^\++/, "+");
  if (!WRITTEN.test(written)) return null;
  const parsed = phoneLibrary()
    .parsePhoneNumberFromString(written)
    ?.number.replace(OLD_MEXICAN_MOBILE, "+52");
  if (parsed !== undefined && E164.test(parsed)) return isSettled(parsed) ? parsed : null;
  // A calling code that the library doesn't know yet; the core may.
  return E164.test(written) ? written : null;
}

/**
 * Whether the library reads its own answer as the same number. Each reading takes off one zero behind
 * the calling code as a trunk prefix: the core could end up with another number.
 */
function isSettled(number: string): boolean {
  return (
    isPlainPhone(number) || phoneLibrary().parsePhoneNumberFromString(number)?.number === number
  );
}
