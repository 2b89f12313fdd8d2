/** From a source's item to a planned user, as an import, a dry run and a split share it. */

import type { UserRecord } from "../account/user-record.js";
import type { RowRef } from "../events/events.js";
import type { InputInspector } from "./inspection.js";
import { type JudgingContext, judgeRow } from "./judge-row.js";
import { type KeyContext, planReject, withKeys } from "../plan/user-keys.js";
import type { PlannedUser } from "../plan/action.js";
import type { Carried } from "../plan/carried.js";
import { type Plan, planUser } from "../plan/plan.js";
import type { SourceItem } from "../source/source.js";

/** What planning needs of the run. */
export interface PlanningContext extends JudgingContext, KeyContext {
  /** Counts the rows; null where a pass before this one has done it. */
  readonly inspector: InputInspector | null;
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
 * Plans the user of a record and makes the keys under which the ledger knows them.
 *
 * @throws RunError as {@link judgeRow}
 */
export function planRecord(record: UserRecord, row: RowRef, context: PlanningContext): PlannedUser {
  return withKeys(record, planOf(record, row, context), row, context);
}

/**
 * Judges the hash and plans the user.
 *
 * @throws RunError as {@link judgeRow}
 */
export function planOf(record: UserRecord, row: RowRef, context: PlanningContext): Plan {
  const { inspector, policy, carried, vendor } = context;
  const verdict = judgeRow(record, row, context);
  const plan = planUser(record, verdict, policy, carried, vendor);
  inspector?.count(record, verdict, plan, row);
  return plan;
}
