/** Countries whose phone numbers can be read without their calling code. */

import type { CountryCode } from "libphonenumber-js/min";
import { phoneLibrary } from "./phone-library.js";

/** Two letters of ISO 3166-1, upper-case, of a country with phone numbers of its own. */
export type Country = CountryCode;

/** @returns the country that two letters in any case stand for, or null */
export function readCountry(text: string): Country | null {
  const code = text.trim().toUpperCase();
  return phoneLibrary().isSupportedCountry(code) ? code : null;
}
