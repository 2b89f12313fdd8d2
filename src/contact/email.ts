/** Email addresses: how they are compared and stored, and which mailbox one leads to. A domain may be written in its own letters or in Punycode. Only the syntax is checked. */

import { domainToASCII, domainToUnicode } from "node:url";

/** RFC 5321, 4.5.3.1: most characters before the `@`, and in the whole address. */
const MAX_LOCAL = 64;
const MAX_ADDRESS = 254;

/** Nearly every address is written as it is stored, in plain ASCII, and needs only this one look. */
const ASCII =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Characters that RFC 5322 keeps for comments, lists, routes and quoting; a bare address has none.
 */
const NOT_IN_LOCAL = /[\s\p{C}\p{Z}"(),:;<>@[\\\]]/u;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u;
const ALL_DIGITS = /^\d+$/;

const NOT_ASCII = /[^\0-\x7f]/;
const ALL_ASCII = /^[\0-\x7f]+$/;
const ASCII_FIRST = /^[\0-\x7f]/;

/**
 * Brings an email address into the form in which the core stores it: trimmed and lower-cased, as
 * SuperTokens does, and with letters and accents put together (Unicode's NFC), as
 * keyboards write them.
 *
 * @returns the normalized address, or null where the text is no usable address. An address has
 * exactly one `@`, no white space, control or invisible characters, a domain with a dot and sound
 * labels, no letters that {@link hidesAscii} finds, and is not too long. Never throws.
 */
export function normalizeEmail(text: string): string | null {
  if (isPlain(text)) return text;
  const trimmed = text.trim();
  if (hidesAscii(trimmed)) return null;
  const email = trimmed.toLowerCase().normalize("NFC");
  return isPlain(email) || isUnicodeAddress(email) ? email : null;
}

function isPlain(text: string): boolean {
  return text.length <= MAX_ADDRESS && text.indexOf("@") <= MAX_LOCAL && ASCII.test(text);
}

/**
 * Whether a character beyond ASCII becomes ASCII where addresses are lower-cased or made compatible
 * (NFKC), with its accents put together or apart. The Kelvin sign becomes a k, a full-width a an a,
 * a dotted İ an i with a dot to be lost. On its way the address would become another one, perhaps a
 * stranger's.
 */
function hidesAscii(text: string): boolean {
  if (!NOT_ASCII.test(text)) return false;
  const spellings = [text, text.normalize("NFC"), text.normalize("NFD")];
  return spellings.some((spelling) => Array.from(spelling).some(becomesAscii));
}

function becomesAscii(letter: string): boolean {
  if (!NOT_ASCII.test(letter)) return false;
  const lower = letter.toLowerCase();
  return ASCII_FIRST.test(lower) || ALL_ASCII.test(lower.normalize("NFKC"));
}

/** Internationalized addresses (RFC 6531). */
function isUnicodeAddress(email: string): boolean {
  const at = email.indexOf("@");
  if (
    at < 1 ||
    at > MAX_LOCAL ||
    email.length > MAX_ADDRESS ||
    NOT_IN_LOCAL.test(email.slice(0, at))
  )
    return false;
  const labels = email.slice(at + 1).split(".");
  // An address literal or a cut-off IP address is not a domain name (RFC 3696, 2).
  if (ALL_DIGITS.test(labels.at(-1) ?? "")) return false;
  return labels.length > 1 && labels.every((label) => LABEL.test(label));
}

const SPELLED = /[^\0-\x7f]|xn--/;
const PUNYCODE_LABEL = /xn--[^.]*/g;

/**
 * @param email a normalized address
 * @returns the address with its domain in its own letters (UTS #46, as browsers read it), which is
 * the same for every spelling; an address in plain ASCII as it is
 */
export function mailboxOf(email: string): string {
  if (!SPELLED.test(email)) return email;
  const at = email.lastIndexOf("@") + 1;
  const domain = email.slice(at);
  return email.slice(0, at) + decodeDomain(domainToASCII(domain) || domain);
}

/**
 * The spellings in which a core may store one address, the given one first: with its domain in its
 * own letters, and in Punycode.
 *
 * @param email a normalized address
 */
export function spellingsOf(email: string): string[] {
  if (!SPELLED.test(email)) return [email];
  const mailbox = mailboxOf(email);
  const at = mailbox.lastIndexOf("@") + 1;
  const encoded = mailbox.slice(0, at) + (domainToASCII(mailbox.slice(at)) || mailbox.slice(at));
  return [...new Set([email, mailbox, encoded])];
}

/** @returns the domain as people see it; labels that can't be decoded stay as they are */
export function decodeDomain(domain: string): string {
  return domain.replace(PUNYCODE_LABEL, (label) => domainToUnicode(label) || label);
}

/** Why a text is no usable address. */
export type EmailDamage =
  | "email_several"
  | "email_holds_phone"
  | "email_escaped"
  | "email_invisible_characters"
  | "email_letters_ambiguous"
  | "email_invalid";

/** An address as the core stores it, or why there is none. */
export type EmailReading =
  | {
      readonly value: string;
      /** The address with its capitals, null where it has none. */
      readonly asWritten: string | null;
      /** True where something was taken off around the address. */
      readonly unwrapped: boolean;
    }
  | { readonly code: EmailDamage };

/** Longer text isn't unwrapped: a name and an address together are shorter. */
const MAX_LENGTH = 400;

/**
 * Spreadsheets write `'` and `=` before text that must not be calculated. Both may also begin an
 * address (RFC 5322, atext), which would be another one without them.
 */
const ESCAPED = /^['=]/;

/** Forms in which mail programs and web pages write one address (RFC 5322, 3.4; RFC 6068). */
const WRAPPINGS: readonly RegExp[] = [
  /^mailto:([^?,]+)$/i,
  /^[^<>@]*<([^<>]+)>$/,
  /^"([^"]+)"$/,
  /^'([^']+)'$/,
  /^="([^"]+)"$/,
  /^([^,;]+)[,;]$/,
];

const BETWEEN = /[\s,;|/<>"]+/;
const PHONE = /^[+'=(]{0,3}\d[\d\s()./-]{5,30}$/;

/**
 * @returns the address or its damage; reading a returned address gives the same one. Never throws.
 */
export function readEmail(text: string): EmailReading {
  const trimmed = text.trim();
  const value = normalizeEmail(trimmed);
  if (value !== null) {
    if (ESCAPED.test(value)) return { code: "email_escaped" };
    return { value, asWritten: trimmed === value ? null : trimmed, unwrapped: false };
  }
  if (trimmed.length > MAX_LENGTH) return { code: "email_invalid" };
  return unwrap(trimmed) ?? { code: damageOf(trimmed) };
}

function unwrap(text: string): EmailReading | null {
  for (const wrapping of WRAPPINGS) {
    const inner = wrapping.exec(text)?.[1]?.trim();
    const value = inner === undefined ? null : normalizeEmail(inner);
    if (inner === undefined || value === null || ESCAPED.test(value)) continue;
    return { value, asWritten: inner === value ? null : inner, unwrapped: true };
  }
  return null;
}

function damageOf(text: string): EmailDamage {
  if (PHONE.test(text)) return "email_holds_phone";
  const addresses = text.split(BETWEEN).filter((part) => normalizeEmail(part) !== null);
  if (addresses.length > 1) return "email_several";
  const visible = text.replace(/\p{Cf}/gu, "");
  if (visible !== text && normalizeEmail(visible) !== null) return "email_invisible_characters";
  return text.includes("@") && hidesAscii(text) ? "email_letters_ambiguous" : "email_invalid";
}
