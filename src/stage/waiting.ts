/** Rows that can't be judged or planned before all rows are read: they wait in their page, as they were read. */

import type { AccountParts } from "../account/account-parts.js";
import type { UserRecord } from "../account/user-record.js";
import type { HashVerdict } from "../hash/hash.js";
import type { PlannedUser } from "../plan/action.js";

/** What a row waits with. */
export interface Waiting {
  readonly record: UserRecord;
  /** On its hash alone; null where that isn't known yet. */
  readonly verdict: HashVerdict | null;
}

/** In a page. */
export interface WrittenWaiting extends Waiting {
  readonly account: AccountParts | undefined;
}

/** Whether a row isn't planned yet. */
export function isWaiting(user: PlannedUser | Waiting): user is Waiting {
  return "record" in user;
}

/** As JSON takes it, which leaves functions out. */
export function writeWaiting({ record, verdict }: Waiting): WrittenWaiting {
  return { record, verdict, account: record.account?.() };
}

export function readWaiting({ record, verdict, account }: WrittenWaiting): Waiting {
  if (account === undefined) return { record, verdict };
  return { record: { ...record, account: () => account }, verdict };
}
