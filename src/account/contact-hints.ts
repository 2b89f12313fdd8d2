/** Tells the operator why a contact is unusable and what to do: a hint for each code. */

import type { EmailDamage } from "../contact/email.js";
import type { PhoneDamage } from "../contact/read-phone.js";
import { optionName } from "../errors/option-name.js";

/** What is wrong with a contact: the reason of a reject where the row has no usable one. */
export type ContactDamage = EmailDamage | PhoneDamage;

const NO_OTHER = "The row has no other usable contact";

/** Whole sentences. */
export const CONTACT_HINTS: Readonly<Record<ContactDamage, string>> = {
  email_invalid: `The email address is not valid. Its domain needs a dot, so one at localhost is not valid either. ${NO_OTHER}; mend it in the export and import the row again.`,
  email_several: `The email field holds more than one address, and the row doesn't say which is the user's own. ${NO_OTHER}; leave one of them and import the row again.`,
  email_holds_phone: `The email field holds a phone number. ${NO_OTHER}; check whether columns were swapped or shifted, or name the right ones with ${optionName("--map")}.`,
  email_escaped: `The email address begins with an apostrophe or an equals sign, as spreadsheets write before text. The sign may belong to the address; without it the address may be another user's. ${NO_OTHER}; take it off in the export and import the row again.`,
  email_invisible_characters: `The email address holds invisible characters, as copying from a web page leaves them. Without them it may be another user's address. ${NO_OTHER}; take them out in the export and import the row again.`,
  email_letters_ambiguous: `The email address has letters that become plain ones when it is lower-cased: a full-width a, a long s, the Kelvin sign, a Turkish dotted İ. It would then be another address, perhaps a stranger's. ${NO_OTHER}; write it as the user types it and import the row again.`,
  phone_invalid: `The phone number doesn't exist in its country, or is not an international number with a leading +. ${NO_OTHER}; write it like +15550100001 and import the row again.`,
  phone_scientific_notation: `A spreadsheet turned the phone number into a power of ten, as in 1.5E+10, and its last digits are lost. ${NO_OTHER}; export the file again and don't open it in a spreadsheet, or import the column as text there.`,
  phone_country_missing: `The phone number has no leading +, so its country isn't known. It is a national number, or a spreadsheet took the + off. ${NO_OTHER}; name the country of such numbers with ${optionName("--default-country")}, or write it like +15550100001, and import the row again.`,
  phone_country_unclear: `The phone number has no leading +. With a + its digits are a number of another country than ${optionName("--default-country")} names, so it may be either of two people's. ${NO_OTHER}; write it like +15550100001 and import the row again.`,
  phone_several: `The phone field holds more than one number, and the row doesn't say which is the user's own. ${NO_OTHER}; leave one of them and import the row again.`,
  phone_holds_email: `The phone field holds an email address. ${NO_OTHER}; check whether columns were swapped or shifted, or name the right ones with ${optionName("--map")}.`,
};
