/** The keys under which a checkpoint knows a record's user. Pure. */

import type { UserRecord } from "../account/user-record.js";
import type { RowRef } from "../events/events.js";
import { claimsOf, type Planned, reservedBy } from "./contests.js";
import type { Digester, Key } from "./digests.js";
import type { ClaimedContact, ContactKey } from "./entry.js";

/** What makes a record's keys. */
export interface KeyContext {
  readonly digester: Digester;
  /** The source's name and the operator's namespace, which keep ids of two databases apart. */
  readonly source: string;
  readonly namespace: string;
}

/** The key of what makes two rows the same user. */
export function identityKey(record: UserRecord, row: RowRef, context: KeyContext): Key {
  const { digester, source, namespace } = context;
  if (record.sourceId !== null) return digester.id(source, namespace, record.sourceId);
  if (record.email !== null) return digester.contact("email", record.email.value);
  if (record.phone !== null) return digester.contact("phone", record.phone.value);
  return digester.row(row.file, row.number);
}

/**
 * Only contacts that the user gets at the core. A user who is left out must not keep a contact from
 * its rightful owner.
 */
export function contactKeys(planned: Planned, digester: Digester): ClaimedContact[] {
  return claimsOf(planned).map(({ kind, value, rank }) => ({
    kind,
    rank,
    key: digester.contact(kind, value),
  }));
}

/** The verified contacts of a user who is left out; see {@link reservedBy}. */
export function reservedKeys(planned: Planned, digester: Digester): readonly ContactKey[] {
  const reserved = reservedBy(planned);
  if (reserved.length === 0) return NONE;
  return reserved.map(({ kind, value }) => ({ kind, key: digester.contact(kind, value) }));
}

const NONE: readonly ContactKey[] = [];
