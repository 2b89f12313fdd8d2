/** Why a contact is unusable, in words: the code, what happened and what the operator can do. Words only, and never the contact. */

import type { EmailDamage } from "../contact/read-email.js";
import type { PhoneDamage } from "../contact/read-phone.js";

/** What ails a contact; a notice beside a usable contact, else why the row is rejected. */
export type ContactDamage = EmailDamage | PhoneDamage;

const NO_OTHER = "The row has no other usable contact";

/** Each as a whole sentence or more. */
export const CONTACT_HINTS: Readonly<Record<ContactDamage, string>> = {
  email_invalid: `The email address is no valid address; one whose domain has no dot (localhost) is none either. ${NO_OTHER}; mend it in the export and import the row again.`,
  email_several: `There is more than one address in the place of one email, and nobody can say which is the user's own. ${NO_OTHER}; leave one of them and import the row again.`,
  email_holds_phone: `A phone number stands in the place of the email. ${NO_OTHER}; look whether columns were swapped or shifted, or name the right ones with --map.`,
  email_escaped: `The email address begins with an apostrophe or an equals sign, as spreadsheets write before text. It could be a part of the address as well, and without it the address may be somebody else's. ${NO_OTHER}; take it off in the export and import the row again.`,
  email_invisible_characters: `There are invisible characters in the email address, as copying from a web page leaves them; without them it may be somebody else's. ${NO_OTHER}; take them out in the export and import the row again.`,
  email_letters_ambiguous: `Letters of the email address become plain ones where addresses are lower-cased or compared: a full-width a, a long s, the Kelvin sign, a Turkish dotted İ. It would then be another address, perhaps a stranger's. ${NO_OTHER}; write it as the user types it and import the row again.`,
  phone_invalid: `The phone number is no number that exists in its country, or no international number with a leading +. ${NO_OTHER}; write it like +15550100001 and import the row again.`,
  phone_scientific_notation: `A spreadsheet turned the phone number into a power of ten, as in 1.5E+10, and its last digits are lost. ${NO_OTHER}; export the file again and don't open it in a spreadsheet, or import the column as text there.`,
  phone_country_missing: `The phone number has no leading + and nothing says of which country it is: it is a national number, or a spreadsheet took the + off. ${NO_OTHER}; say whose such numbers are with --default-country, or write it like +15550100001, and import the row again.`,
  phone_country_unclear: `The phone number has no leading +, and its digits are a number of another country than --default-country names as soon as the + is put back; nobody can say which of the two people it is. ${NO_OTHER}; write it like +15550100001 and import the row again.`,
  phone_several: `There is more than one phone number in the place of one, and nobody can say which is the user's own. ${NO_OTHER}; leave one of them and import the row again.`,
  phone_holds_email: `An email address stands in the place of the phone number. ${NO_OTHER}; look whether columns were swapped or shifted, or name the right ones with --map.`,
};
