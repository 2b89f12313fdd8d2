/** Canonical base64 (RFC 4648): recognizing it in either alphabet and writing it one way. Text with more than one reading is refused: mixed alphabets, wrong padding, non-zero spare bits. */

const STANDARD = /^[A-Za-z0-9+/]*$/;
const URL_SAFE = /^[A-Za-z0-9_-]*$/;

const ONE_CASE = /^(?:[^A-Z]*|[^a-z]*)$/;

/** Last characters whose spare bits are zero: four of them after 2 characters, two after 3. */
const CANONICAL_END = new Map([
  [2, "AQgw"],
  [3, "AEIMQUYcgkosw048"],
]);

/**
 * The bytes of `text` as standard base64 without padding, or null where `text` isn't canonical
 * base64. Either alphabet is read, padded in full or not at all. An encoder never leaves spare
 * bits behind (RFC 4648 section 3.5), so where some are set, the text was cut or damaged.
 */
export function toStandardBase64(text: string): string | null {
  const end = text.indexOf("=");
  const digits = end === -1 ? text : text.slice(0, end);
  if (end !== -1 && text.slice(end) !== paddingFor(digits)) return null;
  const rest = digits.length % 4;
  if (rest === 1) return null;
  const ends = CANONICAL_END.get(rest);
  if (ends !== undefined && !ends.includes(digits.charAt(digits.length - 1))) return null;
  if (STANDARD.test(digits)) return digits;
  return URL_SAFE.test(digits) ? digits.replaceAll("-", "+").replaceAll("_", "/") : null;
}

/** Whether a text has letters of one case alone, as after a change to upper or lower case. */
export function isOneCase(text: string): boolean {
  return ONE_CASE.test(text);
}

/** `digits` (base64 without padding) with its padding. */
export function padBase64(digits: string): string {
  return digits + paddingFor(digits);
}

/** How many bytes `digits` (base64 without padding) stand for. */
export function base64ByteLength(digits: string): number {
  return Math.floor((digits.length * 3) / 4);
}

/** How many bytes a text of canonical base64 stands for, in either alphabet, padded or not; null for any other. */
export function decodedLength(text: string): number | null {
  const digits = toStandardBase64(text);
  return digits === null ? null : base64ByteLength(digits);
}

function paddingFor(digits: string): string {
  return "=".repeat((4 - (digits.length % 4)) % 4);
}
