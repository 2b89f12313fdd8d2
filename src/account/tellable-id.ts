/** The vendor's id of a user as it may be told and kept. Pure. */

import type { UserRecord } from "./user-record.js";

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
