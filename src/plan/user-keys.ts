/** The keys under which a checkpoint knows a record's user. Pure. */

import { tellableId, withoutContact } from "../account/tellable-id.js";
import type { Contact, Exclusion, UserRecord } from "../account/user-record.js";
import type { RowRef } from "../events/events.js";
import type { PlannedUser } from "./action.js";
import { type Digester, type Key, socialText } from "./digests.js";
import type { ClaimedContact, ContactKey, UserKeys } from "./entry.js";
import { NO_PARTS, partKeys } from "./parts.js";
import { isRefusal, type Plan, type RefusalPlan, type SentPlan } from "./plan.js";
import { RANK } from "./rank.js";

/** What makes a record's keys. */
export interface KeyContext {
  readonly digester: Digester;
  /** The source's name and the operator's namespace, which keep ids of two databases apart. */
  readonly source: string;
  readonly namespace: string;
}

/** The user of a row whose plan is known, with the keys under which the ledger knows them. */
export function withKeys(
  record: UserRecord,
  plan: Plan,
  row: RowRef,
  context: KeyContext,
): PlannedUser {
  const { digester } = context;
  const contacts = isRefusal(plan) ? NONE : contactKeys(record, plan, digester);
  const keys: UserKeys = {
    row,
    identity: identityKey(record, row, context),
    keyed: record.sourceId !== null,
    kind: isRefusal(plan) ? null : plan.kind,
    contacts,
    reserved: isRefusal(plan) ? reservedKeys(record, digester) : NONE,
    plan: digester.plan(plan),
    parts: isRefusal(plan) ? NO_PARTS : partKeys(plan, contacts, digester),
    sourceId: tellableId(record),
  };
  return { plan, keys };
}

/** A user who is known by the vendor's id, and whose row is good for nothing else. */
export function planReject(
  sourceId: string,
  { code, hint }: Pick<RefusalPlan, "code" | "hint">,
  row: RowRef,
  { digester, source, namespace }: KeyContext,
): PlannedUser {
  const plan: RefusalPlan = { kind: "reject", code, hint };
  const keys: UserKeys = {
    row,
    identity: digester.id(source, namespace, sourceId),
    keyed: true,
    kind: null,
    contacts: [],
    reserved: [],
    plan: digester.plan(plan),
    parts: NO_PARTS,
    sourceId: withoutContact(sourceId),
  };
  return { plan, keys };
}

/** The key of what makes two rows the same user. */
export function identityKey(record: UserRecord, row: RowRef, context: KeyContext): Key {
  const { digester, source, namespace } = context;
  if (record.sourceId !== null) return digester.id(source, namespace, record.sourceId);
  if (record.email !== null) return digester.contact("email", record.email.value);
  if (record.phone !== null) return digester.contact("phone", record.phone.value);
  return digester.row(row.file, row.number);
}

const NONE: readonly ClaimedContact[] = [];

/**
 * Only contacts that the user gets at the core, the one under which they are brought first. A user
 * who is left out must not keep a contact from its rightful owner.
 */
function contactKeys(
  { email, phone }: UserRecord,
  plan: SentPlan,
  digester: Digester,
): readonly ClaimedContact[] {
  // Its email is no way in, so that it takes none from a user who signs in by it.
  if (plan.kind === "thirdparty") {
    const key = digester.contact("social", socialText(plan.identity));
    return [{ kind: "social", key, rank: RANK.verified }];
  }
  const byEmail = email && plan.email !== null ? [claimed("email", email, digester)] : NONE;
  if (plan.kind === "import" || plan.phone === null || phone === null) return byEmail;
  const byPhone = claimed("phone", phone, digester);
  return plan.first === "email" ? [...byEmail, byPhone] : [byPhone, ...byEmail];
}

function claimed(
  kind: "email" | "phone",
  { value, verified }: Contact,
  digester: Digester,
): ClaimedContact {
  const known = verified ? RANK.verified : RANK.unverified;
  const rank = verified === null ? RANK.notSaid : known;
  return { kind, key: digester.contact(kind, value), rank };
}

/** Users who have no address at the vendor any more, or never had one. */
const FREED: readonly Exclusion[] = ["deleted", "anonymous"];

/**
 * The contacts that the vendor has verified for a user who is left out. Without this, a user who has
 * typed in the address would get it for good, and its owner would be a duplicate later. An address is
 * free again where the vendor has deleted its user.
 */
function reservedKeys(
  { email, phone, exclusions }: UserRecord,
  digester: Digester,
): readonly ContactKey[] {
  if (exclusions.some((one) => FREED.includes(one))) return NONE;
  return [
    ...(email?.verified === true ? [claimed("email", email, digester)] : NONE),
    ...(phone?.verified === true ? [claimed("phone", phone, digester)] : NONE),
  ];
}
