/** The country of phone numbers that have no calling code, as the operator names it. */

import { type Country, readCountry } from "../contact/country.js";
import { RunError } from "../errors/run-error.js";

/**
 * @param text two letters of ISO 3166-1 in any case; null or absent for none
 * @throws RunError `usage` where no country with phone numbers of its own has these letters
 */
export function requireCountry(text: string | null | undefined): Country | null {
  if (text === null || text === undefined) return null;
  const country = readCountry(text);
  if (country !== null) return country;
  throw new RunError("usage", `--default-country has no country ${JSON.stringify(text)}.`, {
    hint: "Give the two letters of ISO 3166-1, as in --default-country DE (the United Kingdom is GB).",
  });
}
