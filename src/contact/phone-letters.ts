/** Phone numbers spelled with letters, as on posters: 1-800-FLOWERS. Only North America's, where a number has exactly ten digits; elsewhere a note behind a number would make another number of it. */

/** ITU-T E.161: the letters on each key. */
const KEYS = ["abc", "def", "ghi", "jkl", "mno", "pqrs", "tuv", "wxyz"] as const;
const DIGITS: ReadonlyMap<string, string> = new Map(
  KEYS.flatMap((letters, index) => [...letters].map((letter) => [letter, String(index + 2)])),
);

/** An area code in digits, then at least three letters, as libphonenumber asks for. */
const SPELLED =
  /^(?:\+?1)?[\s.()-]*\d{3}(?=[^a-z]*[a-z][^a-z]*[a-z][^a-z]*[a-z])[\da-z\s.()-]{7,20}$/i;

const MAX_LENGTH = 40;

/** With or without the calling code, with its `+` or without. */
const TEN_DIGITS = /^(?:\+?1)?[2-9]\d{9}$/;

/**
 * Replaces a North American number's letters by the digits that they are dialed with.
 *
 * @returns the digits, with `+1` or `1` where the text has it; null for text that isn't such a number
 */
export function dialLetters(text: string): string | null {
  const number = text.replace(/^tel:/i, "");
  if (number.length > MAX_LENGTH || !SPELLED.test(number)) return null;
  const digits = number
    .toLowerCase()
    .replace(/[\s.()-]/g, "")
    .replace(/[a-z]/g, (letter) => DIGITS.get(letter) ?? "");
  return TEN_DIGITS.test(digits) ? digits : null;
}
