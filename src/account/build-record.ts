/** Turns a draft into a user record. It normalizes the contacts, phones by the operator's default country, and names the unusable ones. */

import { type Country, readCountry } from "../contact/country.js";
import { type EmailReading, readEmail } from "../contact/email.js";
import { type PhoneReading, readPhone } from "../contact/read-phone.js";
import { optionName } from "../errors/option-name.js";
import { RunError } from "../errors/run-error.js";
import { CONTACT_HINTS, type ContactDamage } from "./contact-hints.js";
import { isNoValue } from "../hash/no-password.js";
import { IMPRECISE_HINT, isImpreciseId } from "./tellable-id.js";
import type { RecordReject, UserDraft } from "./user-draft.js";
import type { UserRecord } from "./user-record.js";

/** How the operator wants contacts to be read. */
export interface ContactRules {
  /** The country of phone numbers without a calling code; null refuses them. */
  readonly defaultCountry: Country | null;
}

const NO_RULES: ContactRules = { defaultCountry: null };

/** Control characters and lone surrogates: SQLite cuts text off at NUL, and no vendor's id has any. */
const NOT_IN_ID = /[\p{Cc}\p{Cs}]/u;

/** Ids become keys; the longest of a known vendor has 255 characters. */
const MAX_ID = 1024;

const ID_INVALID: RecordReject = {
  code: "id_invalid",
  hint: `The id holds control characters or has more than ${MAX_ID} characters; mend it in the export and import the row again.`,
  sourceId: null,
};

const ID_IMPRECISE: RecordReject = { code: "id_imprecise", hint: IMPRECISE_HINT, sourceId: null };

/**
 * Builds the user record of one row. An unusable contact beside a usable one becomes a notice. If no
 * given contact is usable, the row is rejected with what is wrong with it. A row without any contact
 * stays a record, and so does a user whom the vendor keeps out; the plan decides about both.
 */
export function buildRecord(
  draft: UserDraft,
  { defaultCountry }: ContactRules = NO_RULES,
): UserRecord | RecordReject {
  const sourceId = draft.sourceId.trim();
  if (sourceId.length > MAX_ID || NOT_IN_ID.test(sourceId)) return ID_INVALID;
  if (isImpreciseId(sourceId)) return ID_IMPRECISE;

  const id = isNoValue(sourceId) ? null : sourceId;
  const emailRead = isNoValue(draft.email.trim()) ? null : readEmail(draft.email);
  const phoneRead = isNoValue(draft.phone.trim()) ? null : readPhone(draft.phone, defaultCountry);
  const email = emailRead !== null && "value" in emailRead ? emailRead : null;
  const phone = phoneRead !== null && "value" in phoneRead ? phoneRead : null;
  if (email === null && phone === null && draft.exclusions.length === 0) {
    const damage = damageOf(emailRead) ?? damageOf(phoneRead);
    if (damage !== null) return { code: damage, hint: CONTACT_HINTS[damage], sourceId: id };
  }
  const record: Building = {
    sourceId: id,
    email: email && { value: email.value, verified: draft.emailVerified },
    phone: phone && { value: phone.value, verified: draft.phoneVerified },
    hash: draft.hash,
    exclusions: draft.exclusions,
    notices: noticesOf(draft.notices, emailRead, phoneRead),
  };
  const { passwordKeys, because, account } = draft;
  const emailAsWritten = email?.asWritten ?? null;
  if (because !== undefined) record.because = because;
  if (passwordKeys !== undefined) record.passwordKeys = passwordKeys;
  if (emailAsWritten !== null) record.emailAsWritten = emailAsWritten;
  if (account !== undefined) record.account = account;
  return record;
}

/** Copies of every row would cost a third of what building it does. */
type Building = { -readonly [Field in keyof UserRecord]: UserRecord[Field] };

function damageOf(reading: EmailReading | PhoneReading | null): ContactDamage | null {
  return reading !== null && "code" in reading ? reading.code : null;
}

const CONTACT_UNUSABLE = "contact_unusable";

/** The source's notices, then those of the contacts. */
function noticesOf(
  known: readonly string[],
  email: EmailReading | null,
  phone: PhoneReading | null,
): readonly string[] {
  const found: string[] = [];
  let isMended = false;
  if (email !== null && "code" in email) found.push(CONTACT_UNUSABLE);
  else if (email !== null) isMended = email.unwrapped;
  if (phone !== null && "code" in phone) {
    // An option gives numbers without a country theirs; others are mended in the export.
    found.push(phone.code === "phone_country_missing" ? phone.code : CONTACT_UNUSABLE);
  } else isMended ||= phone !== null && phone.mended.length > 0;
  if (isMended) found.push("contact_mended");
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
  throw new RunError(
    "usage",
    `${optionName("--default-country")} has no country ${JSON.stringify(text)}.`,
    {
      hint: `Give the two letters of ISO 3166-1, as in ${optionName("--default-country", "DE")} (the United Kingdom is GB).`,
    },
  );
}
