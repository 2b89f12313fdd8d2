/** From a source's item to a planned user, as an import, a dry run and a split share it. */

import { tellableId, withoutContact } from "../account/tellable-id.js";
import type { UserRecord } from "../account/user-record.js";
import type { RowRef } from "../events/events.js";
import { type JudgingContext, judgeRow } from "../inspect/judge-row.js";
import { contactKeys, identityKey, type KeyContext, reservedKeys } from "../plan/user-keys.js";
import type { PlannedUser } from "../plan/action.js";
import type { Digester, Key } from "../plan/digests.js";
import type { UserKeys } from "../plan/entry.js";
import type { Carried } from "../plan/carried.js";
import { NO_PARTS, partKeys } from "../plan/parts.js";
import { isRefusal, type Plan, planUser, type RefusalPlan } from "../plan/plan.js";
import type { SourceItem } from "../source/source.js";

/** What planning needs of the run. */
export interface PlanningContext extends JudgingContext, KeyContext {
  /** What is sent beside contacts and hashes. */
  readonly carried: Carried;
}

/** A row's item; the mark of a file that was cut off is no row. */
export type RowItem = Exclude<SourceItem, { readonly kind: "truncated" }>;

/**
 * Plans the user of a row.
 *
 * @returns null for a row that names no user
 * @throws RunError as {@link judgeRow}
 */
export function planItem(item: RowItem, row: RowRef, context: PlanningContext): PlannedUser | null {
  if (item.kind === "record") return planRecord(item.record, row, context);
  return item.sourceId === undefined ? null : planReject(item.sourceId, item, row, context);
}

/**
 * Judges the hash, plans the user and makes the keys under which the ledger knows it.
 *
 * @throws RunError as {@link judgeRow}
 */
export function planRecord(record: UserRecord, row: RowRef, context: PlanningContext): PlannedUser {
  context.inspector?.countContacts(record, row);
  const verdict = judgeRow(record, row, context);
  const plan = planUser(record, verdict, context.policy, context.carried, context.vendor);
  context.inspector?.countPlan(plan, row);
  return withKeys(record, plan, row, context);
}

/** The user of a row whose plan is known, with the keys under which the ledger knows them. */
export function withKeys(
  record: UserRecord,
  plan: Plan,
  row: RowRef,
  context: KeyContext,
): PlannedUser {
  const { digester } = context;
  const keyed = record.sourceId !== null;
  const contacts = contactKeys({ record, plan }, digester);
  const email = contacts.find(({ kind }) => kind === "email")?.key ?? emailOfSocial(plan, digester);
  const keys: UserKeys = {
    row,
    identity: identityKey(record, row, context),
    keyed,
    kind: isRefusal(plan) ? null : plan.kind,
    contacts,
    reserved: reservedKeys({ record, plan }, digester),
    plan: digester.plan(plan),
    parts: isRefusal(plan) ? NO_PARTS : partKeys(plan, email, digester),
    sourceId: tellableId(record),
  };
  return { plan, keys };
}

/** The email of who is brought by a social account is none of their contacts. */
function emailOfSocial(plan: Plan, digester: Digester): Key | null {
  return plan.kind === "thirdparty" ? digester.contact("email", plan.email) : null;
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
