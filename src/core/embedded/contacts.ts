/** Brings a request's contact into the form that is stored, or refuses it without repeating it. */

import { mailboxOf, normalizeEmail } from "../../contact/email.js";
import { normalizePhone } from "../../contact/phone.js";
import { exactlyOneContact } from "../contact-choice.js";
import type { CodeRequest } from "../core.js";
import { refusal } from "../core-failure.js";

/** The address as it is stored, with its domain in Unicode; null where the text is no address. */
export function storedEmail(text: string): string | null {
  const email = normalizeEmail(text);
  return email === null ? null : mailboxOf(email);
}

/** @throws CoreFailure `refused` */
export function requireEmail(text: string): string {
  const email = storedEmail(text);
  if (email === null) throw refusal("email is not an email address");
  return email;
}

/** @throws CoreFailure `refused` */
export function requirePhone(text: string): string {
  const phone = normalizePhone(text);
  if (phone === null) {
    throw refusal("phoneNumber is not a phone number in international form with a leading +");
  }
  return phone;
}

/**
 * The request's one contact, normalized.
 * @throws CoreFailure `refused` where it is unusable, or where both or none are given
 */
export function requireContact(request: CodeRequest): CodeRequest {
  const contact = exactlyOneContact(request);
  return contact.email === undefined
    ? { phoneNumber: requirePhone(contact.phoneNumber) }
    : { email: requireEmail(contact.email) };
}
