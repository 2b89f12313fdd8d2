/** The names by which a user may be called, as user records keep them. */

import { normalizeEmail } from "../contact/email.js";
import { normalizePhone } from "../contact/phone.js";
import type { UserRecord } from "./user-record.js";

/** One name, as far as it can be an email, a phone or a vendor's id. */
interface UserName {
  readonly email: string | null;
  readonly phone: string | null;
  readonly id: string;
}

/** @param text an email address, a phone number with its `+`, or the vendor's id of a user */
export function readUserName(text: string): UserName {
  return { email: normalizeEmail(text), phone: normalizePhone(text), id: text.trim() };
}

/** The names by which an application may know a user: id, email, and its part before the `@`. */
export function userNamesOf({ sourceId, email }: Pick<UserRecord, "sourceId" | "email">): string[] {
  const names: string[] = [];
  if (email !== null) names.push(email.value.slice(0, email.value.indexOf("@")), email.value);
  if (sourceId !== null) names.push(sourceId);
  return names;
}
