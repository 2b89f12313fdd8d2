/** Reads email addresses as exports hold them: takes off what can only be packaging, and names what makes the others unusable. */

import { hidesAscii, normalizeEmail } from "./email.js";

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
