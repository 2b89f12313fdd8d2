/** Rows of one user that a join has multiplied: found by the vendor's id once all are read, and made one before it is asked whose contacts are whose. They may stand anywhere in any file. */

import type { PlannedUser } from "../plan/action.js";
import { NOTHING_SAID } from "../plan/contests.js";
import { type Digester, keyBlob } from "../plan/digests.js";
import { asOneUser } from "../plan/same-user.js";
import type { KeyTable } from "./keys-table.js";
import type { Database } from "../sqlite/database.js";
import { BATCH, BIT, FOUND_AT } from "./questions.js";
import type { SealedPage } from "./sealed-pages.js";

/** The rows that are looked at. */
export interface JoinableRows {
  userAt(number: number): PlannedUser | null;
  /** What is found of a row's user is another by now. */
  found(number: number, before: PlannedUser, after: PlannedUser): void;
  seal(user: PlannedUser): SealedPage;
  open(sealed: SealedPage): PlannedUser;
  /**
   * Writes users anew.
   *
   * @param usersOf those of the rows between two, both included, by their numbers
   */
  rewrite(usersOf: (first: number, last: number) => ReadonlyMap<number, PlannedUser>): void;
}

/** `joining`: rows whose hash and email are those of the first row of their id, until it is known whether they are one with it; then those that are. */
const REPEATED = `
  CREATE TEMP TABLE people (identity TEXT PRIMARY KEY, first INTEGER) WITHOUT ROWID;
  INSERT INTO people SELECT identity, min(n) FROM rows
    WHERE about & ${BIT.keyed} AND identity IN twice GROUP BY identity HAVING count(*) > 1;
  CREATE TEMP TABLE joining (n INTEGER PRIMARY KEY, first INTEGER, nonce INTEGER, at INTEGER, bytes INTEGER);
  INSERT INTO joining (n, first)
    SELECT own.n, people.first
      FROM people JOIN facts own ON own.id = people.identity JOIN facts f ON f.n = people.first
      WHERE own.n > f.n AND own.hash IS f.hash
        AND iif(own.claims, own.email, NULL) IS iif(f.claims, f.email, NULL);`;

/**
 * Makes one user of such rows. Called between the first question and the others.
 *
 * @returns whether there may be any
 */
export function joinRows(keys: KeyTable, rows: JoinableRows, digester: Digester): boolean {
  const database = keys.open();
  database.exec(REPEATED);
  if (database.prepare("SELECT 1 FROM joining").get() === undefined) return false;
  keys.together(() => {
    sealRows(database, rows);
    rows.rewrite(joinerOf(keys, rows, digester));
  });
  return true;
}

function sealRows(database: Database, rows: JoinableRows): void {
  const next = database.prepare<[number]>(
    `SELECT n FROM joining WHERE n > ? ORDER BY n LIMIT ${BATCH}`,
  );
  const seal = database.prepare("UPDATE joining SET nonce = ?, at = ?, bytes = ? WHERE n = ?");
  let last = 0;
  for (let some = next.all(last); some.length > 0; some = next.all(last)) {
    for (const [number] of some) {
      const user = rows.userAt(number);
      if (user !== null) {
        const { nonce, at, bytes } = rows.seal(user);
        seal.run(nonce, at, bytes, number);
      }
      last = number;
    }
  }
  database.exec("CREATE INDEX temp.joining_of ON joining (first, n)");
}

/** Makes the users of the rows between two. */
function joinerOf(
  keys: KeyTable,
  rows: JoinableRows,
  digester: Digester,
): Parameters<JoinableRows["rewrite"]>[0] {
  const database = keys.open();
  const leave = database.prepare("DELETE FROM joining WHERE n = ?");
  const remove = database.prepare("DELETE FROM rows WHERE n = ?");
  const claim = database.prepare(
    `UPDATE rows SET c1 = CAST(? AS TEXT), c2 = NULL, about = about & ${(-1 << FOUND_AT) | BIT.keyed | BIT.claims} WHERE n = ?`,
  );
  return (from, to) => {
    const users = new Map<number, PlannedUser>();
    for (const { number, first, sealed } of joiningAmong(keys, from, to)) {
      const own = users.get(first) ?? rows.userAt(first);
      const user = own && asOneUser(own, rows.open(sealed), digester);
      if (user === null) {
        leave.run(number);
        continue;
      }
      if (own !== null && user !== own) {
        users.set(first, user);
        rows.found(first, own, user);
      }
      const { row: place } = user.keys;
      const duplicate = { kind: "same_user", first: place, ...NOT_BEATEN } as const;
      keys.note(number, first, { ...NOTHING_SAID, duplicate }, true);
      remove.run(number);
    }
    for (const [number, { plan, keys: own }] of users) {
      const [contact] = own.contacts;
      if (plan.kind === "thirdparty" && contact) claim.run(keyBlob(contact.key), number);
    }
    return users;
  };
}

const NOT_BEATEN = { outranks: false, isReserved: false, isRefused: false };

/** Rows that go with those between two, in the order of these; `first` is the row that one goes with. */
function* joiningAmong(keys: KeyTable, from: number, to: number) {
  const next = keys.open().prepare<[number, number, number, number, number]>(
    `SELECT first, n, nonce, at, bytes FROM joining
        WHERE first BETWEEN ?2 AND ?1 AND (first, n) > (?2, ?3) ORDER BY first, n LIMIT ${BATCH}`,
  );
  let [first, number] = [from, 0];
  for (;;) {
    const some = next.all(to, first, number);
    if (some.length === 0) return;
    for (const [leader, n, nonce, at, bytes] of some) {
      yield { number: n, first: leader, sealed: { nonce, at, bytes } };
      [first, number] = [leader, n];
    }
  }
}

/** The numbers of the rows that are one user's with a row. */
export function joinedTo(keys: KeyTable, number: number): readonly number[] {
  return keys.attempt(() =>
    keys
      .open()
      .prepare<[number]>("SELECT n FROM joining WHERE first = ? ORDER BY n")
      .all(number)
      .map(([n]) => n),
  );
}
