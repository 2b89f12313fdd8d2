/** Makes a core's error text fit to be shown and logged: short, printable, and without anything that may be a contact, a hash or what was sent. */

const MAX_LENGTH = 200;
/** What a text longer than this has left out anyway need not be cleaned. */
const MAX_READ = 2000;

const CONTACT = /[^\s"'<>(),;:]+@[^\s"'<>(),;]+/g;
const HASH = /\$[\w$./+=,-]+/g;
const NUMBER = /\+?\d[\d\s().-]{4,}\d/g;
const LONG_RUN = /[\w+/=-]{20,}/g;
/** A run of letters and underscores in lower case is a word, such as a configuration field. */
const WORD = /^[a-z_]+$/;
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]+/gu;
const SENT_MIN_LENGTH = 3;
/** What means something in a regular expression. */
const SYNTAX = /[.*+?^${}()|[\]\\]/g;

/** True for an HTML page, which is no core's own error text whatever its content type. */
export function isHtml(text: string): boolean {
  return /^\s*</.test(text);
}

/**
 * The core's words, or `""` where they can't be kept.
 * @param text an error body, no page: `{"message"}` as JSON, or plain text as the public counterpart
 *   sends
 * @param sent the values of the request, none of which is repeated
 */
export function coreMessage(text: string, sent: readonly string[]): string {
  let message = messageIn(text.slice(0, MAX_READ)).normalize("NFKC");
  for (const value of sent) message = without(message, value);
  message = message
    .replace(UNPRINTABLE, " ")
    .replace(CONTACT, "[removed]")
    .replace(HASH, "[removed]")
    .replace(NUMBER, "[removed]")
    .replace(LONG_RUN, (run) => (WORD.test(run) ? run : "[removed]"))
    .replace(/\s+/g, " ")
    .trim();
  return message.length > MAX_LENGTH ? "" : message;
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

function without(message: string, value: string): string {
  const bare = value.trim();
  if (bare.length < SENT_MIN_LENGTH) return message;
  return message.replace(new RegExp(bare.replace(SYNTAX, "\\$&"), "gi"), "[removed]");
}
