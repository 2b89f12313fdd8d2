/** Makes a core's error text fit to be shown and logged: short, printable, and without anything that may be a contact, a hash or what was sent. */

const MAX_LENGTH = 200;
/** A longer body is no message, and JSON that was cut off would be shown with its other fields. */
const MAX_READ = 2000;

const CONTACT = /[^\s"'<>(),;:]+(?:@|%40)[^\s"'<>(),;]+/gi;
const HASH = /\$[\w$./+=,-]+/g;
const NUMBER = /\+?\d[\d\s().-]{4,}\d/g;
const LONG_RUN = /[\w+/=-]{20,}/g;
/** A run of letters and underscores in lower case is a word, such as a configuration field. */
const WORD = /^[a-z_]+$/;
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]+/gu;
const REMOVED = "[removed]";
/** What this project's own core answers, and SuperTokens, to a wrong key: fixed texts, in which no secret can stand. */
export const KEY_REFUSED = "the API key is missing or wrong";
const FIXED: readonly string[] = [KEY_REFUSED, "Invalid API key"];
const SENT_MIN_LENGTH = 3;
/** This many characters in a row of what was sent are no accident: half of a hash, an email's domain. */
const PIECE = 8;
/** What means something in a regular expression. */
const SYNTAX = /[.*+?^${}()|[\]\\]/g;

/** True for an HTML page, which is no core's own error text whatever its content type. */
export function isHtml(text: string): boolean {
  return /^\s*</.test(text);
}

/**
 * The core's words, or `""` where they can't be kept.
 * @param text an error body, no page: `{"message"}` as JSON, or plain text as SuperTokens
 *   sends
 * @param sent the values of the request and its key, which are never repeated
 */
export function coreMessage(text: string, sent: readonly string[]): string {
  if (text.length > MAX_READ) return "";
  const given = messageIn(text).trim();
  if (FIXED.includes(given)) return given;
  let message = given.normalize("NFKC").replace(UNPRINTABLE, " ");
  for (const value of sent) message = withoutSent(message, value.normalize("NFKC").trim());
  // Our own words may follow behind it.
  message = withoutPersonal(message).replace(/\s+/g, " ").trim().replace(/\.$/, "");
  return message.length > MAX_LENGTH ? "" : message;
}

/** Removes every text that looks like a contact or a hash. */
export function withoutPersonal(text: string): string {
  return text
    .replace(CONTACT, REMOVED)
    .replace(HASH, REMOVED)
    .replace(NUMBER, REMOVED)
    .replace(LONG_RUN, (run) => (WORD.test(run) ? run : REMOVED));
}

function messageIn(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null && "message" in parsed) {
      return typeof parsed.message === "string" ? parsed.message : "";
    }
    return typeof parsed === "string" ? parsed : "";
  } catch {
    return text;
  }
}

/** Removes a value, also where it was encoded or taken apart before it was repeated. */
function withoutSent(message: string, value: string): string {
  if (value.length < SENT_MIN_LENGTH) return message;
  const bytes = Buffer.from(value);
  const forms = [value, bytes.toString("hex"), bytes.toString("base64")];
  const whole = message.replace(new RegExp(literally(value), "gi"), REMOVED);
  return forms.reduce(withoutPieces, withoutParts(whole, value.split("@")));
}

/** @param parts the two of an email, each of them short perhaps, and a word of its own then */
function withoutParts(message: string, parts: readonly string[]): string {
  return parts
    .filter((part) => part.length >= SENT_MIN_LENGTH)
    .reduce(
      (text, part) =>
        text.replace(new RegExp(`(?<!\\p{L})${literally(part)}(?![\\p{L}\\p{N}])`, "giu"), REMOVED),
      message,
    );
}

function withoutPieces(message: string, value: string): string {
  const lower = message.toLowerCase();
  // A few letters become two in lower case.
  const shown = lower.length === message.length ? message : lower;
  const whole = value.toLowerCase();
  let kept = "";
  for (let at = 0; at < lower.length; ) {
    const end = endOfPiece(lower, at, whole);
    kept += end === at ? shown.charAt(at) : REMOVED;
    at = Math.max(end, at + 1);
  }
  return kept;
}

/** The end of the piece of a value that begins at `start`, or `start` if none begins there. */
function endOfPiece(text: string, start: number, value: string): number {
  let end = start + PIECE;
  if (end > text.length || !value.includes(text.slice(start, end))) return start;
  while (end < text.length && value.includes(text.slice(start, end + 1))) end += 1;
  return end;
}

function literally(text: string): string {
  return text.replace(SYNTAX, "\\$&");
}
