/** Says of each row what the rows before it make of it, and earlier runs: row by row, since a row that isn't taken holds nothing. */

import type { RowRef } from "../events/events.js";
import type { MatchedUser, PlannedUser } from "../plan/action.js";
import { type Among, beaten, type Loss, lossOf } from "../plan/contests.js";
import type { Digester } from "../plan/digests.js";
import { isFinishedEntry, type KnownUsers } from "../plan/entry.js";
import type { Database } from "../sqlite/database.js";
import { HeldKeys } from "./held-keys.js";
import type { HotRow, KeyTable, Lost } from "./keys-table.js";
import { RowMatcher } from "./matcher.js";

/** What earlier runs know. */
export interface EarlierRuns {
  readonly users: KnownUsers;
  readonly digester: Pick<Digester, "plan">;
  /** The checkpoint's file, to be asked of all of them in one go. */
  readonly database: Database;
  /** Whether the run would send anything for a finished user. */
  readonly sends: (user: Omit<MatchedUser, "coreId">) => boolean;
}

/** How rows are found by their numbers. */
export interface NumberedRows {
  userAt(number: number): PlannedUser | null;
  placeOf(number: number): RowRef;
}

/**
 * @param repeated is called once it is known which keys several rows have
 * @throws RunError `disk`, and what `repeated` throws
 */
export function settleRows(
  keys: KeyTable,
  rows: NumberedRows,
  earlier: EarlierRuns | null,
  repeated: () => void,
): void {
  const database = keys.ask(repeated);
  if (database === null) return;
  const held = new HeldKeys(database);
  const matcher = new RowMatcher(held, earlier?.users ?? null, rows.placeOf);
  keys.together(() => {
    for (const some of keys.hotRows()) {
      const users = some.flatMap((row) => {
        const user = rows.userAt(row.number);
        return user === null ? [] : [{ row, user }];
      });
      held.begin(users.map(({ user }) => user.keys));
      for (const { row, user } of users) {
        const { among, next } = sayOf(row, user, rows, matcher, earlier);
        const { loss, duplicate, holder } = among;
        // A row that loses a contact is refused, as a duplicate is.
        const isOut = loss !== null || duplicate !== null;
        if (earlier !== null || isOut || holder !== null) {
          keys.note(row.number, next, among, isOut);
        }
      }
      held.end();
    }
  });
}

/** Where no plan is known, none is compared. */
const NO_PLAN: Pick<Digester, "plan"> = { plan: () => "" };

/** What is said of a row, and the row with which it goes; null for none. */
function sayOf(
  { number, lost }: HotRow,
  given: PlannedUser,
  rows: NumberedRows,
  matcher: RowMatcher,
  earlier: EarlierRuns | null,
): { readonly among: Among; readonly next: number | null } {
  const losses = lost.map((one) => lossAt(one, given, rows));
  const loss = lossOf(given, losses, matcher);
  const winner = loss === null ? null : (lost[losses.indexOf(loss)]?.to ?? null);
  const none = { loss, duplicate: null, holder: null, user: null };
  const user = loss === null ? given : beaten(given, loss, earlier?.digester ?? NO_PLAN);
  // Without an id this row and the better one are the same user.
  if (loss !== null && !user.keys.keyed) return { among: none, next: winner };
  const match = matcher.match(user.keys, number);
  if (match.kind !== "entry") {
    const { number: first, user: own, ...duplicate } = match;
    return { among: { ...none, duplicate, user: own }, next: first };
  }
  const { entry, holder } = match;
  if (entry !== null && isFinishedEntry(entry) && entry.previous !== null) {
    if (earlier?.sends({ ...user, entry }) === true) matcher.claim(user.keys, entry);
  }
  return { among: { ...none, holder, user: entry?.id ?? null }, next: winner };
}

function lossAt(
  { contact, to, right, keyed }: Lost,
  { keys }: PlannedUser,
  rows: NumberedRows,
): Loss {
  const lost = contact === null ? undefined : keys.contacts[contact];
  return { contact: lost?.key ?? keys.identity, to: rows.placeOf(to), right, keyed };
}
