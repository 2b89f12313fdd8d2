/** The vendor's id of a user: whether it is whole, and how it may be told and kept. Pure. */

import type { UserRecord } from "./user-record.js";

/** `1.05463E+20` of a spreadsheet, also with a comma, and JavaScript's own of a number. */
const POWER_OF_TEN = /^\d(?:[.,]\d+)?e\+\d{1,3}$/i;

/** Whether an id, as JSON or a table has it, has lost its last digits. Numbers do beyond 2^53, and no id is a fraction. */
export function isImpreciseId(id: unknown): boolean {
  if (typeof id === "number") return !Number.isSafeInteger(id);
  return typeof id === "string" && POWER_OF_TEN.test(id.trim());
}

/** What is to be done about {@link isImpreciseId}. */
export const IMPRECISE_HINT =
  "The id is a number whose last digits are lost, in a spreadsheet (as in 1.5E+17) or as JSON was read; export the ids again as text, and don't open the file in a spreadsheet.";

/** The vendor's id, unless it is a contact: those are told nowhere and kept nowhere. */
export function tellableId({
  sourceId,
  phone,
}: Pick<UserRecord, "sourceId" | "phone">): string | null {
  // A number of many digits may be an id like any other, but not the digits of the user's own phone.
  if (sourceId === null || sourceId === phone?.value.slice(1)) return null;
  return withoutContact(sourceId);
}

/** An id as it may be told and kept; null for one that looks like a contact, as some vendors' ids do. */
export function withoutContact(id: string): string | null {
  return CONTACT.test(id) ? null : id;
}

/** An address, also in a URL's encoding, or an international number, also behind a prefix. */
const CONTACT = /@|%40|^\+[\d\s().-]+$|\+\d{7}/;
