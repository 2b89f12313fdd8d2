/** Reads phone numbers as exports hold them: undoes what programs put around a number, and names what they destroyed. A number that may be either of two people's is refused, since a code sent to it would let a stranger in. */

import type { Country } from "./country.js";
import { normalizeEmail } from "./email.js";
import { isPlainPhone, normalizePhone } from "./phone.js";
import { phoneLibrary } from "./phone-library.js";

/** What was done to a text to get at its number. */
type PhoneMending = "unescaped" | "without decimal" | "without extension" | "country assumed";

/** Why a text is no usable number. */
export type PhoneDamage =
  | "phone_scientific_notation"
  | "phone_several"
  | "phone_holds_email"
  | "phone_country_missing"
  | "phone_country_unclear"
  | "phone_invalid";

/** A number in E.164, or why there is none. */
export type PhoneReading =
  | { readonly value: string; readonly mended: readonly PhoneMending[] }
  | { readonly code: PhoneDamage };

/** Longer text holds no number and isn't looked at. */
const MAX_LENGTH = 120;

const NOTHING_MENDED: readonly PhoneMending[] = [];

/**
 * What spreadsheets and scripts put around text to keep it from becoming a number or a formula.
 * Also the decimal that pandas and others give to a column with gaps. Each is tried once.
 */
const WRAPPINGS: readonly (readonly [RegExp, PhoneMending])[] = [
  [/^="([^"]*)"$/, "unescaped"],
  [/^=(.*)$/, "unescaped"],
  [/^"([^"]*)"$/, "unescaped"],
  [/^'([^']*)'?$/, "unescaped"],
  [/^(\+?\d{7,15})\.0+$/, "without decimal"],
];

/** `1.55501E+10`, also with a comma as the decimal sign: the last digits are lost. */
const SCIENTIFIC = /^[+-]?\d{1,16}(?:[.,]\d{1,16})?e[+-]?\d{1,3}$/i;

/** What stands between two numbers in one cell. A `+` begins the second one. */
const BETWEEN = /[,;|/&\n]|\b(?:or|and)\b|(?=\+)/i;
const EXTENSION = /^\s*(?:ext|x|#)/i;

/** The digits of the shortest numbers that people have. */
const MIN_DIGITS = 7;

const EXTENSION_DROPPED: PhoneMending = "without extension";

/** A number without its `+`: in groups the number itself and its extension. */
const NATIONAL = /^(?:tel:)?([\d\s()./~\p{Pd}]{7,40}?)(\s*[;,]?\s*(?:ext[.=:]?|x|#)\s*\d{1,7})?$/iu;
const WITH_EXTENSION = /\d\s*[;,]?\s*(?:ext[.=:]?|x|#)\s*\p{Nd}{1,7}$/iu;

/**
 * Reads one phone number.
 *
 * With a default country, a number without `+` is taken for one of that country unless something
 * speaks against it. A `+` may have been lost: where the digits with a `+` are a valid number of
 * another country, they must be written just as the default country writes its own.
 *
 * @param text as the export has it
 * @param defaultCountry the country of numbers without `+`; null where none is given
 * @returns the number or its damage; reading a returned number gives the same one. Never throws.
 */
export function readPhone(text: string, defaultCountry: Country | null): PhoneReading {
  const trimmed = text.trim();
  if (isPlainPhone(trimmed)) return { value: trimmed, mended: NOTHING_MENDED };
  if (trimmed.length > MAX_LENGTH) return { code: "phone_invalid" };
  const mended: PhoneMending[] = [];
  const written = unwrap(visible(trimmed.normalize("NFKC"), mended), mended);
  if (SCIENTIFIC.test(written)) return { code: "phone_scientific_notation" };
  if (written.includes("@") && normalizeEmail(written) !== null) {
    return { code: "phone_holds_email" };
  }
  if (numbersIn(written) > 1) return { code: "phone_several" };
  return /^(?:tel:)?\(?\+/i.test(written)
    ? readInternational(written, mended)
    : readNational(written, { mended, defaultCountry });
}

/** Address books put invisible marks of the writing's direction around numbers. */
function visible(text: string, mended: PhoneMending[]): string {
  const seen = text.replace(/\p{Cf}/gu, "");
  if (seen !== text) mended.push("unescaped");
  return seen.trim();
}

function unwrap(text: string, mended: PhoneMending[]): string {
  let inner = text;
  for (const [pattern, mending] of WRAPPINGS) {
    const found = pattern.exec(inner)?.[1];
    if (found === undefined) continue;
    inner = found.trim();
    if (!mended.includes(mending)) mended.push(mending);
  }
  return inner;
}

/** How many numbers are in one cell. */
function numbersIn(text: string): number {
  return text
    .split(BETWEEN)
    .filter((part) => !EXTENSION.test(part) && digitsOf(part).length >= MIN_DIGITS).length;
}

function readInternational(text: string, mended: readonly PhoneMending[]): PhoneReading {
  const value = normalizePhone(text);
  if (value === null) return { code: "phone_invalid" };
  return { value, mended: WITH_EXTENSION.test(text) ? [...mended, EXTENSION_DROPPED] : mended };
}

function readNational(
  text: string,
  how: { readonly mended: readonly PhoneMending[]; readonly defaultCountry: Country | null },
): PhoneReading {
  const [, written = "", extension] = NATIONAL.exec(text) ?? [];
  const digits = digitsOf(written);
  if (digits.length < MIN_DIGITS) return { code: "phone_invalid" };
  if (how.defaultCountry === null) return { code: "phone_country_missing" };
  const value = numberOfCountry(written, digits, how.defaultCountry);
  if (value === null) return { code: "phone_invalid" };
  if (value === "unclear") return { code: "phone_country_unclear" };
  const dropped = extension === undefined ? [] : [EXTENSION_DROPPED];
  return { value, mended: [...how.mended, ...dropped, "country assumed"] };
}

/**
 * Reads digits without a `+` in two ways: as the country's own number, dialed from inside it, and
 * as an international one that lost its `+`.
 */
function numberOfCountry(
  written: string,
  digits: string,
  country: Country,
): string | "unclear" | null {
  const own = phoneLibrary().parsePhoneNumberFromString(written, country);
  const abroad = phoneLibrary().parsePhoneNumberFromString(`+${digits}`);
  // A number that isn't possible there, or that the core would read as another one, counts as none.
  const value =
    own?.isPossible() === true && normalizePhone(own.number) === own.number ? own.number : null;
  if (abroad?.isValid() !== true || abroad.number === value) return value;
  const isWrittenAsOwn = own?.isValid() === true && digitsOf(own.formatNational()) === digits;
  return value !== null && isWrittenAsOwn ? value : "unclear";
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, "");
}
