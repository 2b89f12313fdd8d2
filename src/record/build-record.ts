/** Turns a draft into a user record: contacts normalized, unusable ones named. It judges what was written, not what is done with the user; that is the plan's. */

import { normalizeEmail } from "../contact/email.js";
import { normalizePhone } from "../contact/phone.js";
import type { RecordReject, UserDraft } from "./user-draft.js";
import type { Contact, UserRecord } from "./user-record.js";

/** Control characters and halves of characters: SQLite cuts text off at NUL, and no vendor's id has any. */
const NOT_IN_ID = /[\p{Cc}\p{Cs}]/u;

/** Ids become keys; the longest of a known vendor has 255 characters. */
const MAX_ID = 1024;

const REJECTS = {
  id_invalid: {
    code: "id_invalid",
    hint: `The id holds control characters or has more than ${MAX_ID} characters; mend it in the export and import the row again.`,
  },
  email_invalid: {
    code: "email_invalid",
    hint: "The email address is no valid address, and the row has no other usable contact; mend it in the export and import the row again.",
  },
  phone_invalid: {
    code: "phone_invalid",
    hint: "The phone number is no international number with a leading +, and the row has no other usable contact; write it like +15550100001 and import the row again.",
  },
} as const satisfies Record<RecordReject["code"], RecordReject>;

/**
 * Builds the user record of one row. An unusable email or phone beside a usable one becomes a
 * notice (`email_invalid`, `phone_invalid`); where no contact that was given is usable, the row is
 * rejected, unless the vendor keeps the user out: then nobody needs the contact. A row without any
 * contact is a record: what becomes of it, the plan says.
 */
export function buildRecord(draft: UserDraft): UserRecord | RecordReject {
  const sourceId = draft.sourceId.trim();
  if (sourceId.length > MAX_ID || NOT_IN_ID.test(sourceId)) return REJECTS.id_invalid;

  const hasEmail = draft.email.trim() !== "";
  const hasPhone = draft.phone.trim() !== "";
  const email = hasEmail ? contact(normalizeEmail(draft.email), draft.emailVerified) : null;
  const phone = hasPhone ? contact(normalizePhone(draft.phone), draft.phoneVerified) : null;
  const emailInvalid = hasEmail && email === null;
  const phoneInvalid = hasPhone && phone === null;
  if (email === null && phone === null && draft.exclusion === null) {
    if (emailInvalid) return REJECTS.email_invalid;
    if (phoneInvalid) return REJECTS.phone_invalid;
  }

  let notices = draft.notices;
  if (emailInvalid) notices = [...notices, "email_invalid"];
  if (phoneInvalid) notices = [...notices, "phone_invalid"];
  return {
    sourceId: sourceId === "" ? null : sourceId,
    email,
    phone,
    hash: draft.hash,
    exclusion: draft.exclusion,
    notices,
  };
}

function contact(value: string | null, verified: boolean | null): Contact | null {
  return value === null ? null : { value, verified };
}
