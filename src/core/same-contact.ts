/** Compares a contact that a core shows with one that was sent: the core may spell it differently. */

import { mailboxOf, normalizeEmail } from "../contact/email.js";
import { normalizePhone } from "../contact/phone.js";
import type { CodeRequest } from "./core.js";

/**
 * @param shown by a core, in any writing
 * @param sent normalized
 */
export function isSameContact(shown: string, { email, phoneNumber }: CodeRequest): boolean {
  return email === undefined
    ? shown === phoneNumber || normalizePhone(shown) === phoneNumber
    : shown === email || mailboxOf(normalizeEmail(shown) ?? "") === mailboxOf(email);
}

/** What a contact may have been sent as that a core shows in any writing. */
export function sentForms(
  shown: string,
): readonly { readonly kind: "email" | "phone"; readonly value: string }[] {
  return [
    { kind: "email", value: normalizeEmail(shown) ?? shown },
    { kind: "phone", value: normalizePhone(shown) ?? shown },
  ];
}
