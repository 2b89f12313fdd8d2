/** From a source's item to a planned user, as an import, a dry run and a split share it. What hangs on other rows waits. */

import { imitatedAddress } from "../account/user-name.js";
import type { UserRecord } from "../account/user-record.js";
import type { RowRef } from "../events/events.js";
import type { HashVerdict } from "../hash/hash.js";
import type { PasswordJoin } from "../password-export/join.js";
import { saltOf } from "../hash/vendor-scrypt.js";
import type { HashColumn } from "./hash-column.js";
import type { InputInspector } from "./inspection.js";
import { judgeHash, type JudgingContext, judgeRow } from "./judge-row.js";
import { type KeyContext, planReject, withKeys } from "../plan/user-keys.js";
import type { Carried } from "../plan/carried.js";
import type { Digester } from "../plan/digests.js";
import type { UserKeys } from "../plan/entry.js";
import { planUser } from "../plan/plan.js";
import type { SourceItem } from "../source/source.js";
import type { RowFacts, StagedUser } from "../stage/staged-row.js";
import type { Waiting } from "../stage/waiting.js";

/** What planning the rows of an input needs. */
export interface PlanningContext extends JudgingContext, KeyContext {
  readonly column: HashColumn;
  /** Counts the rows; null where nothing is found out of all of them. */
  readonly inspector: InputInspector | null;
  /** What is sent beside contacts and hashes. */
  readonly carried: Carried;
  /** Gives users their hash; null without a password export. */
  readonly join: PasswordJoin | null;
}

/** A row's item; the mark of a file that was cut off is no row. */
type RowItem = Exclude<SourceItem, { readonly kind: "truncated" }>;

/**
 * Plans the user of a row as it is read, unless other rows may have a say in it.
 *
 * @returns null for a row that names no user
 * @throws RunError as {@link judgeRow}, and `disk`
 */
export function planItem(
  item: RowItem,
  row: RowRef,
  context: PlanningContext,
): StagedUser | Waiting | null {
  if (item.kind !== "record") {
    return item.sourceId === undefined ? null : planReject(item.sourceId, item, row, context);
  }
  const record = context.join === null ? item.record : context.join.take(item.record, row);
  return record === null
    ? { record: item.record, verdict: null }
    : planRecord(record, row, context);
}

/**
 * Plans a user whose hash is known, unless the whole column may turn the verdict on it.
 *
 * @throws RunError as {@link judgeRow}
 */
export function planRecord(
  record: UserRecord,
  row: RowRef,
  context: PlanningContext,
): StagedUser | Waiting {
  const verdict = judgeRow(record, row, context);
  const { hash } = record;
  if (hash !== null && context.column.take(hash, verdict, row)) return { record, verdict };
  return planJudged(record, verdict, row, context);
}

/** Plans a user who waited for the whole column. */
export function planWaiting(
  { record, verdict }: Waiting,
  row: RowRef,
  context: PlanningContext,
): StagedUser {
  const { hash } = record;
  const ofAnyLength = (): HashVerdict => judgeHash(hash, context, "argon2-any");
  const judged =
    hash === null || verdict === null
      ? judgeHash(null, context)
      : context.column.judge(hash, verdict, ofAnyLength);
  return planJudged(record, judged, row, context);
}

/** Makes the keys under which the ledger knows the user as well, and the facts that an inspection asks for. */
function planJudged(
  record: UserRecord,
  verdict: HashVerdict,
  row: RowRef,
  context: PlanningContext,
): StagedUser {
  const { inspector, policy, carried, vendor } = context;
  const user = withKeys(record, planUser(record, verdict, policy, carried, vendor), row, context);
  if (inspector === null) return user;
  inspector.count(record, verdict, user.plan, row);
  const { plan, keys } = user;
  return { plan, keys, facts: factsOf(record, verdict, keys, context.digester) };
}

function factsOf(
  record: UserRecord,
  verdict: HashVerdict,
  { keyed, identity, contacts, reserved }: UserKeys,
  digester: Digester,
): RowFacts {
  const { email, emailAsWritten, exclusions } = record;
  const accepted = verdict.verdict === "accepted" ? verdict : null;
  // Who is kept out by the vendor claims no address.
  const claims = email !== null && exclusions.length === 0;
  const hash = accepted === null ? null : digester.text(accepted.hash);
  if (hash === null && !claims) return NO_FACTS;
  const own = email === null ? null : digester.contact("email", email.value);
  const hasSalt = accepted?.algorithm === "vendor_scrypt";
  const imitated = claims ? imitatedAddress(record) : null;
  const [first] = contacts.length > 0 ? contacts : reserved;
  const said = keyed ? (first?.key ?? null) : identity;
  if (own === said && !hasSalt && imitated === null && (emailAsWritten === undefined || !claims))
    return { hash, claims, further: null };
  const further = {
    email: own,
    spelling: claims && emailAsWritten !== undefined ? digester.text(emailAsWritten) : null,
    salt: hasSalt ? digester.text(saltOf(accepted.hash)) : null,
    imitates: imitated === null ? null : digester.contact("email", imitated),
  };
  return { hash, claims, further };
}

const NO_FACTS: RowFacts = { hash: null, claims: false, further: null };
