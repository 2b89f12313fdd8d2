/** Turns a draft into a user record: normalizes its contacts and names the unusable ones, by the country that the operator gives. */

import { type Country, readCountry } from "../contact/country.js";
import { isLookalike } from "../contact/lookalike.js";
import { type EmailReading, readEmail } from "../contact/read-email.js";
import { type PhoneReading, readPhone } from "../contact/read-phone.js";
import { RunError } from "../errors/run-error.js";
import { CONTACT_HINTS, type ContactDamage } from "./contact-hints.js";
import { isNoValue } from "./no-value.js";
import type { RecordReject, UserDraft } from "./user-draft.js";
import type { UserRecord } from "./user-record.js";

/** How the operator wants contacts to be read. */
export interface ContactRules {
  /** The country of phone numbers without a calling code; null refuses them. */
  readonly defaultCountry: Country | null;
}

const NO_RULES: ContactRules = { defaultCountry: null };

/** Control characters and halves of characters: SQLite cuts text off at NUL, and no vendor's id has any. */
const NOT_IN_ID = /[\p{Cc}\p{Cs}]/u;

/** Ids become keys; the longest of a known vendor has 255 characters. */
const MAX_ID = 1024;

const ID_INVALID: RecordReject = {
  code: "id_invalid",
  hint: `The id holds control characters or has more than ${MAX_ID} characters; mend it in the export and import the row again.`,
  sourceId: null,
};

/**
 * Builds the user record of one row. An unusable email or phone beside a usable one becomes a
 * notice (`email_invalid`, `phone_country_missing`, …). Where no given contact is usable, the row
 * is rejected with that code. A user whom the vendor keeps out needs no contact and stays a record.
 * So does a row without any contact; the plan decides about both.
 */
export function buildRecord(
  draft: UserDraft,
  { defaultCountry }: ContactRules = NO_RULES,
): UserRecord | RecordReject {
  const sourceId = draft.sourceId.trim();
  if (sourceId.length > MAX_ID || NOT_IN_ID.test(sourceId)) return ID_INVALID;

  const id = isNoValue(sourceId) ? null : sourceId;
  const email = isNoValue(draft.email.trim()) ? null : readEmail(draft.email);
  const phone = isNoValue(draft.phone.trim()) ? null : readPhone(draft.phone, defaultCountry);
  const damage = damageOf(email) ?? damageOf(phone);
  if (damage !== null && !isUsable(email) && !isUsable(phone) && draft.exclusions.length === 0) {
    return { code: damage, hint: CONTACT_HINTS[damage], sourceId: id };
  }
  const record: UserRecord = {
    sourceId: id,
    email: isUsable(email) ? { value: email.value, verified: draft.emailVerified } : null,
    phone: isUsable(phone) ? { value: phone.value, verified: draft.phoneVerified } : null,
    hash: draft.hash,
    exclusions: draft.exclusions,
    notices: noticesOf(draft.notices, email, phone),
  };
  const { passwordKeys, because } = draft;
  const emailAsWritten = isUsable(email) ? email.asWritten : null;
  if (passwordKeys === undefined && because === undefined && emailAsWritten === null) return record;
  return {
    ...record,
    ...(because === undefined ? {} : { because }),
    ...(passwordKeys === undefined ? {} : { passwordKeys }),
    ...(emailAsWritten === null ? {} : { emailAsWritten }),
  };
}

/** What was read of a contact; null where the row has none. */
type Reading = EmailReading | PhoneReading | null;

function isUsable<R extends Reading>(
  reading: R,
): reading is Extract<R, { readonly value: string }> {
  return reading !== null && "value" in reading;
}

function damageOf(reading: Reading): ContactDamage | null {
  return reading !== null && "code" in reading ? reading.code : null;
}

/** The source's notices, then those of the contacts. */
function noticesOf(
  known: readonly string[],
  email: EmailReading | null,
  phone: PhoneReading | null,
): readonly string[] {
  const found: string[] = [];
  if (isUsable(email)) {
    if (email.unwrapped) found.push("email_unwrapped");
    if (isLookalike(email.value)) found.push("email_lookalike");
  } else if (email !== null) found.push(email.code);
  if (isUsable(phone)) found.push(...phone.mended);
  else if (phone !== null) found.push(phone.code);
  return found.length === 0 ? known : [...known, ...found];
}

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
